// What pricing must know of a project: which machines there are and when, which of them the bill
// names in which month, and where the data ends.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sources/prices/card.h"
#include "store/store.h"

namespace tare::sources {

struct Inventory {
  // Of each machine of the `resources` files the times of its rows, sorted; INT64_MIN and kNoEnd
  // where a row does not say.
  std::map<std::string, std::vector<Span>> machines;
  std::vector<Card> cards;  // the one that counts first
  // Newest end of Usage charges, telemetry and requests (R39).
  std::optional<int64_t> horizon_ns;

  // Whether a line of a bill names the machine as its resource in a month, under any name that an
  // alias gives it, at whatever time the alias holds.
  bool is_billed(const std::string& machine, Month month) const;

  std::map<std::string, std::set<std::string>> aliases;  // a name -> what it may mean
  std::set<std::pair<std::string, Month>> billed;        // what a bill's name may mean
};

// Everything that a name may mean, itself included.
std::set<std::string> meanings_of(const std::map<std::string, std::set<std::string>>& aliases,
                                  const std::string& name);

// Reads facts and bill files that the catalog names; `currency` is that of cards that name none.
Inventory read_inventory(const std::string& store_directory, const store::Catalog& catalog,
                         const std::string& currency);

}  // namespace tare::sources
