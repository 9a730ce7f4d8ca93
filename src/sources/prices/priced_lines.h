// Lines of machines by their rate cards, as bill files that the ledger posts like any other.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sources/prices/inventory.h"

namespace tare::sources {

// One machine, one card, at most one UTC day.
struct PricedLine {
  std::string machine;
  const Card* card = nullptr;
  Span span;
};

// By source and billing period, the month of the charge; sorted by machine and time.
using PricedLines = std::map<std::pair<std::string, Month>, std::vector<PricedLine>>;

// A machine is charged while some row of the inventory says that it exists, a card is for it, and
// no bill line names it in that month; until the horizon where there is one. Notes cards that are
// for no machine, that are for one at once, and machines of which nobody says an end.
PricedLines price_inventory(const Inventory& inventory, Findings* findings);

}  // namespace tare::sources
