// What a summary keeps of the costs of many lines or postings.
#pragma once

#include "store/files.h"
#include "store/rows.h"

namespace tare::store {

struct SummedCosts {
  std::array<int128, kCostColumns> costs{};  // in atto; unknown ones left out
  // Billed cost of what has no effective, list or contracted cost.
  std::array<int128, kCostColumns - 1> missing{};

  void add(const Costs& more);
  void add(const SummedCosts& more);
  // From `column` on, as the columns of schema.h; the column behind them.
  size_t write(TableWriter* table, size_t column) const;
};

}  // namespace tare::store
