#include "sources/prices/card.h"

#include <algorithm>
#include <tuple>

#include "base/errors.h"
#include "base/glob.h"

namespace tare::sources {
namespace {

using Integer = boost::multiprecision::cpp_int;

Integer big(Money amount) {
  const auto atto = static_cast<uint128>(amount.atto());  // no price is negative
  return (Integer(static_cast<uint64_t>(atto >> 64)) << 64) + static_cast<uint64_t>(atto);
}

const Integer& scale() {
  static const Integer value = Money::kAttoPerUnit;
  return value;
}

Money half_even(const Integer& numerator, const Integer& denominator) {
  Integer quotient = numerator / denominator;
  const Integer twice = (numerator - quotient * denominator) * 2;
  if (twice > denominator || (twice == denominator && quotient % 2 != 0)) ++quotient;
  if (quotient < Integer(INT64_MAX) * scale()) {
    const auto high = static_cast<uint64_t>(quotient >> 64);
    const auto low = static_cast<uint64_t>(quotient & UINT64_MAX);
    return Money::from_atto(static_cast<int128>((static_cast<uint128>(high) << 64) | low));
  }
  throw UserError("cost-too-large",
                  "a day of a rate card costs more than 9,000,000,000,000,000,000",
                  "look for a price in another unit or with an exponent");
}

}  // namespace

Card::Card(RateCardRow row, const std::string& currency) : row_(std::move(row)) {
  if (row_.currency.empty()) row_.currency = currency;
  literals_ = static_cast<size_t>(std::count_if(row_.pattern.begin(), row_.pattern.end(),
                                                [](char c) { return c != '*' && c != '?'; }));
  if (row_.per_hour) parts_.push_back({"hour", big(*row_.per_hour), kNsPerHour});
  if (row_.capex) {  // capex ÷ life_years, over a year
    parts_.push_back(
        {"capex", big(*row_.capex) * scale(), big(*row_.life_years) * Integer(kCardYearNs)});
  }
  if (row_.power_watts) {  // watts ÷ 1000 × pue × price of a kWh, over an hour
    const Integer pue = big(row_.pue.value_or(Money::from_units(1)));
    parts_.push_back({"power", big(*row_.power_watts) * pue * big(*row_.per_kwh),
                      scale() * scale() * 1000 * Integer(kNsPerHour)});
  }
  if (row_.staff_per_year)
    parts_.push_back({"staff", big(*row_.staff_per_year), Integer(kCardYearNs)});
}

bool Card::is_for(const std::string& machine) const { return glob_matches(row_.pattern, machine); }

Card::Cost Card::cost_of(int64_t ns) const {
  Cost cost;
  for (const Part& part : parts_) {
    cost.parts.emplace_back(part.name, half_even(part.atto_per * ns, part.ns));
    cost.whole += cost.parts.back().second;
  }
  if (cost.whole.fits_store()) return cost;
  throw UserError("cost-too-large",
                  "a day of a rate card costs more than 9,000,000,000,000,000,000",
                  "look for a price in another unit or with an exponent");
}

bool Card::operator<(const Card& other) const {
  if (literals_ != other.literals_) return literals_ > other.literals_;
  const auto key = [](const RateCardRow& row) {
    return std::tie(row.pattern, row.to_ns, row.per_hour, row.capex, row.life_years,
                    row.power_watts, row.per_kwh, row.pue, row.staff_per_year, row.pool, row.team,
                    row.currency, row.source);
  };
  if (row_.from_ns != other.row_.from_ns) return row_.from_ns > other.row_.from_ns;
  return key(row_) < key(other.row_);
}

}  // namespace tare::sources
