// Sums of a period's lines, by the few words that the checks against the bill go by: the table
// "line_sum", so that none of them has to read the lines again.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "store/store.h"

namespace tare::sources {

class LineSums {
 public:
  static constexpr std::array<DimColumn, 6> kWords = {DimColumn::kBillingCurrency,
                                                      DimColumn::kInvoiceIssuerName,
                                                      DimColumn::kInvoiceId,
                                                      DimColumn::kChargeCategory,
                                                      DimColumn::kCommitmentDiscountId,
                                                      DimColumn::kCommitmentDiscountStatus};
  using Words = std::array<std::string, kWords.size()>;  // "" where unknown

  // The number of these words, to be given to add().
  uint32_t key_of(const Words& words);
  void add(uint32_t key, int64_t charge_start_ns, const Costs& costs);
  void write(store::FileWriter* file) const;

 private:
  struct Sums {
    store::SummedCosts costs;
    int64_t lines = 0;
    std::array<int64_t, kCostColumns - 1> unknown{};
  };
  std::map<Words, uint32_t> keys_;
  std::vector<std::map<Month, Sums>> sums_;  // by key
  struct Last {
    Span month;
    Sums* sums = nullptr;
  };
  std::vector<Last> last_;  // by key: lines of a month mostly come together
};

}  // namespace tare::sources
