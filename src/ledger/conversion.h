// Lines of one bill file in another currency than the project's: each is converted at the rate of
// its day before anything is split, and what was converted is kept for the proof and the report.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ledger/posting_table.h"
#include "ledger/rates.h"

namespace tare::ledger {

// A dim as postings name it: of the bill file, in the currency of the postings.
struct PostedDim {
  int32_t bill_dim = 0;
  std::string currency;
};

class Conversion {
 public:
  Conversion(const std::string& currency, const Rates& rates, const timeline::BillFile& bill,
             store::FileWriter* file);

  // By id. The first are the bill file's own dims; those whose lines may be converted stand once
  // more behind them.
  const std::vector<PostedDim>& dims() const { return dims_; }
  // Which currency the line is posted in: converts its costs where there is a rate, else notes that
  // there is none. Throws UserError cost-too-large.
  void apply(Line* line);
  // Once for each line that was converted.
  void write(const Line& line);
  void finish();  // closes and writes tables, where anything was converted

 private:
  struct Key {
    int32_t month = 0, rate = 0;
    std::string issuer, invoice_id;
    auto operator<=>(const Key&) const = default;
  };
  struct Sums {
    int64_t lines = 0;
    std::array<int64_t, kCostColumns - 1> unknown{};
    store::SummedCosts own, converted;
  };
  struct Used {
    std::string from;
    Rate rate;
    auto operator<=>(const Used&) const = default;
  };
  // A foreign dim, and the rate of the day that came last: lines of a day mostly come together.
  struct Foreign {
    int32_t posted_dim = -1;  // -1: no rate connects its currency
    int64_t day_ns = INT64_MIN;
    std::optional<Rate> rate;
    int32_t rate_id = -1;
  };
  const Foreign& rate_for(const Line& line);
  void bound(const Line& line);
  void write_used_rates();
  void write_sums();

  const std::string& currency_;
  const Rates& rates_;
  const timeline::BillFile& bill_;
  store::FileWriter* file_;
  std::vector<PostedDim> dims_;
  std::map<int32_t, Foreign> foreign_;  // by dim of the bill file
  std::map<Used, int32_t> used_;
  std::vector<Used> used_by_id_;
  std::optional<store::TableWriter> converted_;
  std::map<Key, Sums> sums_;
  std::array<int128, kCostColumns> magnitudes_{};
};

}  // namespace tare::ledger
