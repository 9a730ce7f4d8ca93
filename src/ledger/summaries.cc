#include "ledger/summaries.h"

#include <algorithm>

#include "embedded/ledger.h"

namespace tare::ledger {

void CostSums::add(const Costs& costs) {
  for (size_t i = 0; i < kCostColumns; ++i) {
    if (costs[i]) {
      sums[i] += costs[i]->atto();
    } else if (i > 0 && costs[0]) {
      missing[i - 1] += costs[0]->atto();
    }
  }
}

size_t StateCosts::KeyHash::operator()(const Key& key) const {
  uint64_t mixed = (static_cast<uint64_t>(static_cast<uint32_t>(key.dim)) << 32) ^
                   static_cast<uint32_t>(key.account);
  mixed ^= (static_cast<uint64_t>(static_cast<uint32_t>(key.month)) << 20) ^
           (static_cast<uint64_t>(key.state) << 50) ^ (static_cast<uint64_t>(key.busy_known) << 60);
  mixed *= 0x9E3779B97F4A7C15ULL;
  return static_cast<size_t>(mixed ^ (mixed >> 29));
}

void StateCosts::add(const Key& key, int64_t billed_ns, const Costs& costs) {
  Sums& sums = sums_[key];
  sums.billed_ns += billed_ns;
  sums.costs.add(costs);
}

void StateCosts::write(store::FileWriter* file) const {
  std::vector<const std::pair<const Key, Sums>*> rows;
  rows.reserve(sums_.size());
  for (const auto& entry : sums_) rows.push_back(&entry);
  std::sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    auto tuple = [](const Key& k) {
      return std::tuple(k.dim, k.account, k.month, k.state, k.busy_known);
    };
    return tuple(a->first) < tuple(b->first);
  });
  store::TableWriter table = file->table("state_cost", store::state_cost_columns());
  for (const auto* row : rows) {
    const Key& key = row->first;
    table.set_i32(0, key.dim);
    table.set_i32(1, key.account);
    table.set_i32(2, key.month);
    table.set_u8(3, key.state);
    table.set_bool(4, key.busy_known);
    table.set_i64(5, row->second.billed_ns);
    size_t column = 6;
    for (int128 sum : row->second.costs.sums) {
      table.set_money(column, Money::from_atto(sum));
      column += 2;
    }
    for (int128 sum : row->second.costs.missing) {
      table.set_money(column, Money::from_atto(sum));
      column += 2;
    }
    table.end_row();
  }
  table.close();
}

void write_day_costs(store::FileWriter* file) {
  file->table("day_cost", store::day_cost_columns()).close();
  file->query(embedded::day_cost_sql());
}

}  // namespace tare::ledger
