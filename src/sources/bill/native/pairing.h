// Azure's two exports of one month (R09): what the amortised one says that a charge costs, by what
// the charge is, until its row of the actual export asks for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash128.h"
#include "base/money.h"

namespace tare::sources {

class Pairing {
 public:
  // What the file that is read now is.
  enum class Role : uint8_t {
    kAlone,     // there is no other export
    kCollect,   // the amortised one: add() its rows, none is a charge yet
    kActual,    // take() for each row
    kLeftOver,  // the amortised one again: what take_left() still finds is a charge of its own
  };
  Role role = Role::kAlone;

  void add(Hash128 charge, std::string_view day, Money effective) {
    costs_[charge].push_back(effective);
    note(day, amortized_days_);
  }
  // Days of which the other export has nothing say nothing of each other's costs.
  void note_actual(std::string_view day) { note(day, actual_days_); }
  bool amortized_knows(std::string_view day) const { return amortized_days_.contains(day); }
  bool actual_knows(std::string_view day) const { return actual_days_.contains(day); }

  // Of rows that are alike the one with the same cost, else the least: the same whatever their
  // order, as those with a cost of their own are equal in both exports.
  std::optional<Money> take(Hash128 charge, Money billed) {
    const auto at = costs_.find(charge);
    if (at == costs_.end() || at->second.empty()) return std::nullopt;
    std::vector<Money>& costs = at->second;
    auto chosen = std::find(costs.begin(), costs.end(), billed);
    if (chosen == costs.end()) chosen = std::min_element(costs.begin(), costs.end());
    const Money effective = *chosen;
    costs.erase(chosen);
    return effective;
  }

  bool take_left(Hash128 charge, Money effective) {
    const auto at = costs_.find(charge);
    if (at == costs_.end()) return false;
    const auto found = std::find(at->second.begin(), at->second.end(), effective);
    if (found == at->second.end()) return false;
    at->second.erase(found);
    return true;
  }

 private:
  using Days = std::set<std::string, std::less<>>;
  static void note(std::string_view day, Days& days) {
    if (!days.contains(day)) days.emplace(day);
  }

  struct Hash {
    size_t operator()(const Hash128& hash) const { return hash.lo; }
  };
  std::unordered_map<Hash128, std::vector<Money>, Hash> costs_;
  Days actual_days_, amortized_days_;
};

}  // namespace tare::sources
