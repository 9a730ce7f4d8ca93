// Sums that the reports read, kept while posting: billed device-time and money by state.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash128.h"
#include "store/store.h"

namespace tare::ledger {

// Four costs, nulls left out, then the billed cost of what had no effective, list or contracted
// cost.
struct CostSums {
  std::array<int128, kCostColumns> sums{};
  std::array<int128, kCostColumns - 1> missing{};
  void add(const Costs& costs);
};

class StateCosts {
 public:
  struct Key {
    int32_t dim, account, month;
    uint8_t state;
    bool busy_known;
    bool operator==(const Key&) const = default;
  };
  void add(const Key& key, int64_t billed_ns, const Costs& costs);
  void write(store::FileWriter* file) const;  // sorted by key

 private:
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct Sums {
    int64_t billed_ns = 0;
    CostSums costs;
  };
  std::unordered_map<Key, Sums, KeyHash> sums_;
};

// Sums the file's postings by (dim, account, evidence, rule, day of charge start) into day_cost.
void write_day_costs(store::FileWriter* file);

}  // namespace tare::ledger
