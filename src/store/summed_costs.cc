#include "store/summed_costs.h"

namespace tare::store {

void SummedCosts::add(const Costs& more) {
  for (size_t i = 0; i < kCostColumns; ++i) {
    if (more[i]) {
      costs[i] += more[i]->atto();
    } else if (i > 0 && more[0]) {
      missing[i - 1] += more[0]->atto();
    }
  }
}

void SummedCosts::add(const SummedCosts& more) {
  for (size_t i = 0; i < costs.size(); ++i) costs[i] += more.costs[i];
  for (size_t i = 0; i < missing.size(); ++i) missing[i] += more.missing[i];
}

size_t SummedCosts::write(TableWriter* table, size_t column) const {
  const auto set = [&](int128 sum) {
    table->set_money(column, Money::from_atto(sum));
    column += 2;
  };
  for (const int128 sum : costs) set(sum);
  for (const int128 sum : missing) set(sum);
  return column;
}

}  // namespace tare::store
