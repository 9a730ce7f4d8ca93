// Sums per currency and cost column: a file's accounting, before and after.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "store/store.h"

namespace tare::sources {

class CostSums {
 public:
  // Throws UserError cost-too-large when a sum passes what the store can hold.
  void add(const std::string& currency, const Costs& costs);
  void merge(const CostSums& other);
  // "billed_cost USD" -> exact decimal; a column without a known cost is left out.
  std::map<std::string, std::string> texts() const;

 private:
  std::map<std::string, Costs> sums_;
};

// sum + amount where both are below what the store can hold, else UserError cost-too-large.
Money bounded_sum(Money sum, Money amount);

}  // namespace tare::sources
