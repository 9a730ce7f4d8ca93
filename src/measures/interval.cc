#include "measures/interval.h"

#include <cmath>

#include <boost/math/distributions/chi_squared.hpp>

#include "base/errors.h"

namespace tare::measures {
namespace {

constexpr double kTail = 0.025;
constexpr double kMicro = 1e6;
constexpr int128 kAttoPerMicro = Money::kAttoPerUnit / 1'000'000;

double half_quantile(double degrees, double probability) {
  return boost::math::quantile(boost::math::chi_squared(degrees), probability) / 2;
}

Money from_micro(double micro) {
  return Money::from_atto(static_cast<int128>(micro) * kAttoPerMicro);
}

}  // namespace

CountInterval garwood(int64_t count) {
  TARE_ASSERT(count >= 0, "a count below zero has no interval");
  const double twice = 2 * static_cast<double>(count);
  CountInterval interval;
  if (count > 0) interval.low = from_micro(std::floor(half_quantile(twice, kTail) * kMicro));
  interval.high = from_micro(std::ceil(half_quantile(twice + 2, 1 - kTail) * kMicro));
  return interval;
}

}  // namespace tare::measures
