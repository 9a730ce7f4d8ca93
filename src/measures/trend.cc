#include "measures/trend.h"

#include <cmath>
#include <limits>

#include "base/errors.h"

namespace tare::measures {
namespace {

struct QuotientRange {
  double low = 0, high = 0;
};

double log_of(const Rational& quotient) { return std::log(quotient.convert_to<double>()); }

// Limits of now ÷ before from the two intervals, by squaring and adding on the log scale.
QuotientRange quotient_range(const UnitRange& now, const UnitRange& before) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  const double middle = log_of(now.value / before.value);
  const double now_down = now.low > 0 ? log_of(now.value / now.low) : kNoLimit;
  const double now_up = now.high ? log_of(*now.high / now.value) : kNoLimit;
  const double before_down = before.low > 0 ? log_of(before.value / before.low) : kNoLimit;
  const double before_up = before.high ? log_of(*before.high / before.value) : kNoLimit;
  return {std::exp(middle - std::hypot(now_down, before_up)),
          std::exp(middle + std::hypot(now_up, before_down))};
}

}  // namespace

Direction direction(const Rational& now, const Rational& before, const Rational& flat_ratio) {
  TARE_ASSERT(before > 0, "a trend needs a positive month before");
  const Rational quotient = now / before;
  if (quotient > 1 + flat_ratio) return Direction::kUp;
  if (quotient < 1 - flat_ratio) return Direction::kDown;
  return Direction::kFlat;
}

Direction direction(const UnitRange& now, const UnitRange& before, const Rational& flat_ratio) {
  const Direction point = direction(now.value, before.value, flat_ratio);
  const QuotientRange range = quotient_range(now, before);
  const double flat = flat_ratio.convert_to<double>();
  if (point == Direction::kUp) return range.low > 1 ? point : Direction::kUndecided;
  if (point == Direction::kDown) return range.high < 1 ? point : Direction::kUndecided;
  const bool may_be_either = range.low < 1 - flat && range.high > 1 + flat;
  return may_be_either ? Direction::kUndecided : point;
}

std::string_view trend_word(Direction bill, Direction unit_cost) {
  if (bill == Direction::kUndecided || unit_cost == Direction::kUndecided) return "undecided";
  if (unit_cost == Direction::kUp) return bill == Direction::kUp ? "wasteful" : "starved";
  if (bill == Direction::kUp) return "growing";
  if (unit_cost == Direction::kDown) return "improving";
  return bill == Direction::kDown ? "shrinking" : "steady";
}

}  // namespace tare::measures
