#include "ledger/summaries.h"

namespace tare::ledger {
namespace {

uint64_t dim_and_day(int32_t dim, int64_t day_ns) {
  return (static_cast<uint64_t>(static_cast<uint32_t>(dim)) << 32) |
         static_cast<uint32_t>(day_ns / kNsPerDay);
}

}  // namespace

// The place of the key's sums, which are made where there are none.
size_t DayCosts::find(const Key& key) {
  Day& open = open_[static_cast<size_t>(key.dim)];
  if (open.day_ns != key.day_ns) {
    if (open.first >= 0) other_days_[dim_and_day(key.dim, open.day_ns)] = open.first;
    auto other = other_days_.find(dim_and_day(key.dim, key.day_ns));
    open = {key.day_ns, other == other_days_.end() ? -1 : other->second};
  }
  int32_t* link = &open.first;
  while (*link >= 0) {
    Sums& sums = sums_[static_cast<size_t>(*link)];
    if (sums.account == key.account && sums.rule == key.rule && sums.state == key.state &&
        sums.busy_known == key.busy_known)
      return static_cast<size_t>(*link);
    link = &sums.next;
  }
  *link = static_cast<int32_t>(sums_.size());
  sums_.push_back({key.dim, key.account, key.rule, key.state, key.busy_known, -1, key.day_ns});
  return sums_.size() - 1;
}

void DayCosts::add(const Key& key, const Part& part) {
  size_t index = find(key);
  Sums& sums = sums_[index];
  bool missing = false;
  for (size_t i = 0; i < kCostColumns; ++i) {
    if (part.costs[i]) {
      sums.costs[i] += part.costs[i]->atto();
    } else {
      missing = true;
    }
  }
  sums.postings += part.postings;
  sums.held_ns += part.held_ns;
  sums.billed_ns += part.billed_ns;
  if (missing) add_missing(index, part);
}

void DayCosts::add_missing(size_t index, const Part& part) {
  if (!part.costs[0]) return;
  if (missing_.size() <= index) missing_.resize(index + 1);
  for (size_t i = 1; i < kCostColumns; ++i) {
    if (!part.costs[i]) missing_[index][i - 1] += part.costs[0]->atto();
  }
}

void DayCosts::write(store::FileWriter* file) const {
  store::TableWriter table = file->table("day_cost", store::day_cost_columns());
  for (size_t index = 0; index < sums_.size(); ++index) {
    const Sums& sums = sums_[index];
    table.set_i32(0, sums.dim);
    table.set_i32(1, sums.account);
    table.set_u8(2, static_cast<uint8_t>(sums.rule));
    table.set_u8(3, static_cast<uint8_t>(sums.state));
    table.set_bool(4, sums.busy_known);
    table.set_i32(5, month_of(sums.day_ns).index);
    table.set_i64(6, sums.day_ns);
    size_t column = 7;
    for (int128 sum : sums.costs) {
      table.set_money(column, Money::from_atto(sum));
      column += 2;
    }
    for (int128 sum : index < missing_.size() ? missing_[index] : Missing{}) {
      table.set_money(column, Money::from_atto(sum));
      column += 2;
    }
    table.set_i64(column, sums.postings);
    table.set_i64(column + 1, sums.held_ns);
    table.set_i64(column + 2, sums.billed_ns);
    table.end_row();
  }
  table.close();
}

}  // namespace tare::ledger
