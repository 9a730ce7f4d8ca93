#include "ledger/posting_table.h"

#include <algorithm>

namespace tare::ledger {

PostingTable::PostingTable(store::FileWriter* file, const AccountTable& accounts,
                           const std::vector<std::string>& currencies, size_t dims)
    : accounts_(accounts),
      writer_(file->table("posting", store::posting_columns())),
      line_sums_(currencies.size()),
      posting_sums_(currencies.size()),
      day_costs_(dims) {
  for (const std::string& currency : currencies) {
    auto known = std::find(currencies_.begin(), currencies_.end(), currency);
    currency_of_key_.push_back(static_cast<size_t>(known - currencies_.begin()));
    if (known == currencies_.end()) currencies_.push_back(currency);
  }
  model_costs_.resize(currencies_.size());
}

void PostingTable::count_line(const Line& line) {
  Sums& sums = line_sums_[static_cast<size_t>(line.conserved_key)];
  for (size_t c = 0; c < kCostColumns; ++c) {
    if (line.costs[c]) sums[c] += line.costs[c]->atto();
  }
  span_.start_ns = std::min(span_.start_ns, line.period.start_ns);
  span_.end_ns = std::max(span_.end_ns, line.period.end_ns);
}

void PostingTable::write(const Line& line, const Posting& posting) {
  Sums& sums = posting_sums_[static_cast<size_t>(line.conserved_key)];
  writer_.set_i32(0, line.row);
  writer_.set_i32(1, line.posted_dim);
  writer_.set_i32(2, posting.account);
  writer_.set_u8(3, static_cast<uint8_t>(posting.rule));
  for (size_t c = 0; c < kCostColumns; ++c) {
    writer_.set_money(4 + 2 * c, posting.costs[c]);
    if (posting.costs[c]) sums[c] += posting.costs[c]->atto();
  }
  writer_.set_i64(12, posting.held_ns);
  writer_.set_i64(13, posting.billed_ns);
  writer_.end_row();
}

void PostingTable::add(const Line& line, const Posting& posting, store::State state,
                       bool busy_known) {
  write(line, posting);
  day_costs_.add({line.posted_dim, posting.account, posting.rule, state, busy_known,
                  floor_day(line.period.start_ns)},
                 {posting.costs, 1, posting.held_ns, posting.billed_ns});
}

void PostingTable::add_split(const Line& line, const Posting& posting,
                             const std::vector<const timeline::StateTime*>& states) {
  write(line, posting);
  std::vector<int64_t> weights, times(states.size());
  for (const timeline::StateTime* state : states) weights.push_back(state->weight_ns);
  split_count(posting.billed_ns, std::span<const int64_t>(weights), std::span<int64_t>(times));
  std::vector<DayCosts::Part> parts(states.size());
  for (size_t c = 0; c < kCostColumns; ++c) {
    if (!posting.costs[c]) continue;
    std::vector<Money> money = split(*posting.costs[c], std::span<const int64_t>(weights));
    for (size_t i = 0; i < states.size(); ++i) parts[i].costs[c] = money[i];
  }
  parts.front().postings = 1;
  parts.front().held_ns = posting.held_ns;
  for (size_t i = 0; i < states.size(); ++i) {
    parts[i].billed_ns = times[i];
    day_costs_.add({line.posted_dim, posting.account, posting.rule, states[i]->state,
                    states[i]->busy_known, floor_day(line.period.start_ns)},
                   parts[i]);
  }
}

void PostingTable::finish(const std::vector<DayCosts::DimWords>& dims, store::FileWriter* file) {
  writer_.close();
  day_costs_.write(file);
  day_costs_.write_months(accounts_, dims, file);
}

void PostingTable::count_for_model(const Line& line, const Posting& posting) {
  if (!accounts_.is_model(posting.account)) return;
  std::vector<int128>& costs =
      model_costs_[currency_of_key_[static_cast<size_t>(line.conserved_key)]];
  auto account = static_cast<size_t>(posting.account);
  if (costs.size() <= account) costs.resize(std::max(account + 1, costs.size() * 2));
  const auto& effective = posting.costs[static_cast<size_t>(CostColumn::kEffective)];
  costs[account] += (effective ? *effective : posting.costs[0].value_or(Money())).atto();
}

void PostingTable::add_model_costs_to(ModelCosts* model_costs) const {
  for (size_t currency = 0; currency < model_costs_.size(); ++currency) {
    const std::vector<int128>& costs = model_costs_[currency];
    for (size_t account = 0; account < std::min(costs.size(), accounts_.size()); ++account) {
      if (costs[account] == 0) continue;
      std::string model(accounts_.model(static_cast<int32_t>(account)));
      (*model_costs)[currencies_[currency]][model] += Money::from_atto(costs[account]);
    }
  }
}

}  // namespace tare::ledger
