#include "ledger/summaries.h"

#include <algorithm>
#include <map>
#include <string>

namespace tare::ledger {
namespace {

uint64_t dim_and_day(int32_t dim, int64_t day_ns) {
  return (static_cast<uint64_t>(static_cast<uint32_t>(dim)) << 32) |
         static_cast<uint32_t>(day_ns / kNsPerDay);
}

struct AccountWords {
  std::string kind, model, stage, pool;
  auto operator<=>(const AccountWords&) const = default;
};

// Many things of few words: the number of each thing's words.
template <typename Words>
class Numbered {
 public:
  template <typename WordsOf>
  Numbered(size_t count, WordsOf words_of) {
    std::map<Words, int32_t> known;
    for (size_t i = 0; i < count; ++i) {
      const auto [entry, is_new] =
          known.try_emplace(words_of(i), static_cast<int32_t>(words_.size()));
      if (is_new) words_.push_back(entry->first);
      numbers_.push_back(entry->second);
    }
  }
  int32_t number(size_t thing) const { return numbers_[thing]; }
  const Words& words(int32_t number) const { return words_[static_cast<size_t>(number)]; }

 private:
  std::vector<Words> words_;
  std::vector<int32_t> numbers_;
};

class MonthCosts {
 public:
  struct Key {
    int32_t month, dim, account;
    store::State state;
    bool busy_known;
    auto operator<=>(const Key&) const = default;
  };
  struct Sums {
    store::SummedCosts costs;
    int128 billed_ns = 0;
  };
  void add(const Key& key, const store::SummedCosts& costs, int64_t billed_ns) {
    Sums& sums = sums_[key];
    sums.costs.add(costs);
    sums.billed_ns += billed_ns;
  }
  const std::map<Key, Sums>& sums() const { return sums_; }

 private:
  std::map<Key, Sums> sums_;
};

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

store::SummedCosts DayCosts::costs_of(size_t index) const {
  return {sums_[index].costs, index < missing_.size() ? missing_[index] : Missing{}};
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
    const size_t column = costs_of(index).write(&table, 7);
    table.set_i64(column, sums.postings);
    table.set_i64(column + 1, sums.held_ns);
    table.set_i64(column + 2, sums.billed_ns);
    table.end_row();
  }
  table.close();
}

void DayCosts::write_months(const AccountTable& accounts, const std::vector<DimWords>& dims,
                            store::FileWriter* file) const {
  const Numbered<AccountWords> of_accounts(accounts.size(), [&](size_t account) {
    const Target target = accounts.target(static_cast<int32_t>(account));
    return AccountWords{target.kind, target.model, target.stage, target.pool};
  });
  const Numbered<DimWords> of_dims(dims.size(), [&](size_t dim) { return dims[dim]; });
  MonthCosts months;
  Span month;
  int32_t month_index = 0;
  for (size_t index = 0; index < sums_.size(); ++index) {
    const Sums& sums = sums_[index];
    if (!month.contains(sums.day_ns)) {
      month_index = month_of(sums.day_ns).index;
      month = span_of(Month{month_index});
    }
    months.add({month_index, of_dims.number(static_cast<size_t>(sums.dim)),
                of_accounts.number(static_cast<size_t>(sums.account)), sums.state, sums.busy_known},
               costs_of(index), sums.billed_ns);
  }
  store::TableWriter table = file->table("month_cost", store::month_cost_columns());
  for (const auto& [key, sums] : months.sums()) {
    const DimWords& dim = of_dims.words(key.dim);
    const AccountWords& account = of_accounts.words(key.account);
    store::SummedCosts costs = sums.costs;
    int128 left_ns = sums.billed_ns;
    do {
      const auto billed_ns = static_cast<int64_t>(std::min<int128>(left_ns, INT64_MAX));
      table.set_i32(0, key.month);
      table.set_known_text(1, dim.currency);
      table.set_known_text(2, dim.issuer);
      table.set_known_text(3, dim.invoice_id);
      table.set_text(4, account.kind);
      table.set_known_text(5, account.model);
      table.set_known_text(6, account.stage);
      table.set_known_text(7, account.pool);
      table.set_u8(8, static_cast<uint8_t>(dim.device_class));
      table.set_u8(9, static_cast<uint8_t>(key.state));
      table.set_bool(10, key.busy_known);
      table.set_i64(costs.write(&table, 11), billed_ns);
      table.end_row();
      costs = {};  // stand in the first row
      left_ns -= billed_ns;
    } while (left_ns > 0);
  }
  table.close();
}

}  // namespace tare::ledger
