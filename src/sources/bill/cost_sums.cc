#include "sources/bill/cost_sums.h"

#include "base/errors.h"

namespace tare::sources {
namespace {

constexpr std::array<const char*, kCostColumns> kNames = {"billed_cost", "effective_cost",
                                                          "list_cost", "contracted_cost"};

}  // namespace

Money bounded_sum(Money sum, Money amount) {
  const Money result = Money::from_atto(sum.atto() + amount.atto());
  if (result.fits_store()) return result;
  throw UserError("cost-too-large",
                  "the costs of a bill add up to more than 9,000,000,000,000,000,000",
                  "look for a cost in another unit or with an exponent");
}

void CostSums::add(const std::string& currency, const Costs& costs) {
  Costs& sums = sums_[currency];
  for (size_t i = 0; i < kCostColumns; ++i) {
    const std::optional<Money>& cost = costs[i];
    if (cost) sums[i] = bounded_sum(sums[i].value_or(Money()), *cost);
  }
}

void CostSums::merge(const CostSums& other) {
  for (const auto& [currency, sums] : other.sums_) add(currency, sums);
}

std::map<std::string, std::string> CostSums::texts() const {
  std::map<std::string, std::string> texts;
  for (const auto& [currency, sums] : sums_) {
    for (size_t i = 0; i < kCostColumns; ++i) {
      const std::optional<Money>& sum = sums[i];
      if (sum) texts[std::string(kNames[i]) + " " + currency] = to_text(*sum);
    }
  }
  return texts;
}

}  // namespace tare::sources
