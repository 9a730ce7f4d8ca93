// Sums that the reports read: the file's postings by (dim, account, rule, state, day).
#pragma once

#include <array>
#include <deque>
#include <unordered_map>
#include <vector>

#include "ledger/account_table.h"
#include "store/store.h"

namespace tare::ledger {

// Lines come by the hour or by the resource, so that few (dim, day) are open at once: each keeps a
// short list of its sums. Memory grows with the rows of the summary.
class DayCosts {
 public:
  struct Key {
    int32_t dim, account;
    store::Rule rule;
    store::State state;
    bool busy_known;
    int64_t day_ns;
  };
  struct Part {
    Costs costs;
    int64_t postings = 0, held_ns = 0, billed_ns = 0;
  };
  explicit DayCosts(size_t dims) : open_(dims) {}

  void add(const Key& key, const Part& part);
  void write(store::FileWriter* file) const;  // "day_cost"
  // "month_cost": the same by month and by what the report's tables are made of. `dims`: of each
  // dim, its words; a ledger file has few of them.
  struct DimWords {
    std::string currency, issuer, invoice_id;
    store::DeviceClass device_class = store::DeviceClass::kNone;
    auto operator<=>(const DimWords&) const = default;
  };
  void write_months(const AccountTable& accounts, const std::vector<DimWords>& dims,
                    store::FileWriter* file) const;

 private:
  struct Sums {
    int32_t dim, account;
    store::Rule rule;
    store::State state;
    bool busy_known;
    int32_t next = -1;  // of the same dim and day
    int64_t day_ns;
    std::array<int128, kCostColumns> costs{};  // nulls left out
    int64_t postings = 0, held_ns = 0, billed_ns = 0;
  };
  struct Day {
    int64_t day_ns = INT64_MIN;
    int32_t first = -1;
  };
  using Missing = std::array<int128, kCostColumns - 1>;
  size_t find(const Key& key);
  void add_missing(size_t index, const Part& part);
  store::SummedCosts costs_of(size_t index) const;

  std::vector<Day> open_;  // of each dim, the day that came last
  // First sums of the other days, by dim and day number.
  std::unordered_map<uint64_t, int32_t> other_days_;
  std::deque<Sums> sums_;  // a vector would need twice its room to grow
  // Billed cost of what had no effective, list or contracted cost; as long as its last entry.
  std::vector<Missing> missing_;
};

}  // namespace tare::ledger
