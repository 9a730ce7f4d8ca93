#include "sources/bill/line_sums.h"

namespace tare::sources {

uint32_t LineSums::key_of(const Words& words) {
  const auto [entry, is_new] = keys_.try_emplace(words, static_cast<uint32_t>(keys_.size()));
  if (is_new) {
    sums_.emplace_back();
    last_.emplace_back();
  }
  return entry->second;
}

void LineSums::add(uint32_t key, int64_t charge_start_ns, const Costs& costs) {
  Last& last = last_[key];
  if (last.sums == nullptr || !last.month.contains(charge_start_ns)) {
    const Month month = month_of(charge_start_ns);
    last = {span_of(month), &sums_[key][month]};
  }
  last.sums->costs.add(costs);
  ++last.sums->lines;
  for (size_t i = 1; i < kCostColumns; ++i) last.sums->unknown[i - 1] += costs[i] ? 0 : 1;
}

void LineSums::write(store::FileWriter* file) const {
  store::TableWriter table = file->table("line_sum", store::line_sum_columns());
  for (const auto& [words, key] : keys_) {
    for (const auto& [month, sums] : sums_[key]) {
      size_t column = 0;
      table.set_i32(column++, month.index);
      for (const std::string& word : words) table.set_known_text(column++, word);
      column = sums.costs.write(&table, column);
      table.set_i64(column++, sums.lines);
      for (const int64_t unknown : sums.unknown) table.set_i64(column++, unknown);
      table.end_row();
    }
  }
  table.close();
}

}  // namespace tare::sources
