#include "measures/tolerance.h"

#include <algorithm>

#include "measures/currency_digits.h"
#include "measures/exact.h"

namespace tare::measures {
namespace {

constexpr int kLeastSubUnits = 100;

Integer square(const Integer& value) { return value * value; }

}  // namespace

Tolerance tolerance_of(int64_t rows, std::string_view currency) {
  return {.rows = rows, .sub_unit = measures::sub_unit(currency)};
}

bool Tolerance::allows(Money difference) const {
  const Integer distance = abs(integer(difference.atto()));
  const Integer unit = integer(sub_unit.atto());
  return distance <= kLeastSubUnits * unit || 4 * square(distance) <= rows * square(unit);
}

Money Tolerance::shown() const {
  const Integer unit = integer(sub_unit.atto());
  const Integer root = sqrt(Integer(rows * square(unit) / 4));
  return Money::from_atto(to_int128(std::max(Integer(kLeastSubUnits * unit), root)));
}

}  // namespace tare::measures
