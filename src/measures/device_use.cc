#include "measures/device_use.h"

#include <algorithm>

#include "base/instant.h"

namespace tare::measures {
namespace {

Rational hours_of(int128 ns) { return Rational(integer(ns), Integer(kNsPerHour)); }

bool is_covered(const DeviceUse& use, const Rational& min_coverage) {
  if (use.unknown_ns == 0) return true;
  return Rational(integer(use.known_ns()), integer(use.billed_ns)) >= min_coverage;
}

Value money_range(Money a, Money b) {
  if (a == b) return a;
  return MoneyRange{std::min(a, b), std::max(a, b)};
}

// `part_ns` is the part that is known to be such; unknown time may be too.
Value price_per(const DeviceUse& use, int128 part_ns, const Rational& min_coverage) {
  const Rational cost = rational(use.billed_cost);
  const int128 at_most_ns = part_ns + use.unknown_ns;
  if (at_most_ns == 0) return Unknown{};
  if (part_ns == 0) return LowerBound{to_money(cost / hours_of(at_most_ns))};
  if (is_covered(use, min_coverage)) return price_value(cost / hours_of(part_ns));
  return money_range(to_money(cost / hours_of(at_most_ns)), to_money(cost / hours_of(part_ns)));
}

}  // namespace

DeviceUse& DeviceUse::operator+=(const DeviceUse& other) {
  billed_ns += other.billed_ns;
  busy_ns += other.busy_ns;
  useful_ns += other.useful_ns;
  unknown_ns += other.unknown_ns;
  billed_cost += other.billed_cost;
  busy_cost += other.busy_cost;
  unknown_cost += other.unknown_cost;
  unknown_credit += other.unknown_credit;
  return *this;
}

DeviceUse& DeviceUse::operator-=(const DeviceUse& other) {
  billed_ns -= other.billed_ns;
  busy_ns -= other.busy_ns;
  useful_ns -= other.useful_ns;
  unknown_ns -= other.unknown_ns;
  billed_cost -= other.billed_cost;
  busy_cost -= other.busy_cost;
  unknown_cost -= other.unknown_cost;
  unknown_credit -= other.unknown_credit;
  return *this;
}

Value utilisation_value(const DeviceUse& use, const Rational& min_coverage) {
  if (use.billed_ns == 0) return Unknown{};
  const Ratio low{use.busy_ns, use.billed_ns};
  if (is_covered(use, min_coverage)) return low;
  return RatioRange{low, Ratio{use.busy_ns + use.unknown_ns, use.billed_ns}};
}

Value coverage_value(const DeviceUse& use) { return ratio_value(use.known_ns(), use.billed_ns); }

Value usage_cost_value(const DeviceUse& use) {
  if (use.billed_ns == 0) return Unknown{};
  return money_range(use.busy_cost + use.unknown_credit,
                     use.busy_cost + use.unknown_cost - use.unknown_credit);
}

Value price_per_hour(const DeviceUse& use) {
  if (use.billed_ns == 0) return Unknown{};
  return price_value(rational(use.billed_cost) / hours_of(use.billed_ns));
}

Value price_per_busy_hour(const DeviceUse& use, const Rational& min_coverage) {
  return price_per(use, use.busy_ns, min_coverage);
}

Value price_per_useful_hour(const DeviceUse& use, const Rational& min_coverage) {
  return price_per(use, use.useful_ns, min_coverage);
}

}  // namespace tare::measures
