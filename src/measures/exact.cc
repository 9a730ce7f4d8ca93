#include "measures/exact.h"

#include "base/decimal_text.h"
#include "base/errors.h"

namespace tare::measures {
namespace {

const Integer kAtto = Money::kAttoPerUnit;
const Integer kInt128Max = (Integer(1) << 127) - 1;
const Integer kMoneyLimit = boost::multiprecision::pow(Integer(10), 38);  // as base/money asserts

}  // namespace

Integer integer(int128 value) { return Integer(value); }

int128 to_int128(const Integer& value) {
  TARE_ASSERT(abs(value) <= kInt128Max, "an integer passes 127 bits");
  return static_cast<int128>(value);
}

Rational rational(Money amount) { return Rational(integer(amount.atto()), kAtto); }

Rational rational_of_decimal(const std::string& text) {
  const DecimalResult decimal = parse_decimal(text);
  TARE_ASSERT(decimal.ok(), "a policy's number was not checked when it was read");
  return rational(decimal.value);
}

Money to_money(const Rational& value) {
  const Rational scaled = value * kAtto;
  const Integer bottom = denominator(scaled);
  const Integer top = abs(numerator(scaled));
  Integer quotient = top / bottom;
  const Integer twice_rest = (top - quotient * bottom) * 2;
  if (twice_rest > bottom || (twice_rest == bottom && (quotient & 1) != 0)) ++quotient;
  TARE_ASSERT(quotient < kMoneyLimit, "money passes DECIMAL(38,18)");
  const int128 atto = to_int128(quotient);
  return Money::from_atto(value < 0 ? -atto : atto);
}

Ratio to_ratio(const Rational& value) {
  Integer top = numerator(value);
  Integer bottom = denominator(value);
  while (abs(top) > kInt128Max || bottom > kInt128Max) {
    top /= 2;
    bottom /= 2;
  }
  TARE_ASSERT(bottom > 0, "a ratio beyond what can be shown");
  return {to_int128(top), to_int128(bottom)};
}

Value ratio_value(const Rational& part, const Rational& whole) {
  if (whole == 0) return Unknown{};
  return to_ratio(part / whole);
}

Value ratio_value(Money part, Money whole) { return ratio_value(rational(part), rational(whole)); }

Value ratio_value(int128 part, int128 whole) {
  if (whole == 0) return Unknown{};
  return Ratio{part, whole};
}

Value time_value(int128 ns) { return DeviceTime{ns}; }

Value price_value(const Rational& price) {
  const Integer top = numerator(price) * kAtto;
  const Integer bottom = denominator(price);
  const Integer common = gcd(top, bottom);
  const Integer amount = top / common;
  const Integer count = bottom / common;
  if (abs(amount) >= kMoneyLimit || count > kInt128Max) return Price{to_money(price), 1};
  return Price{Money::from_atto(to_int128(amount)), to_int128(count)};
}

Value count_value(Money count) {
  constexpr int128 kLargest = static_cast<int128>(INT64_MAX) * Money::kAttoPerUnit;
  const bool whole = count.atto() % Money::kAttoPerUnit == 0;
  if (whole && count.atto() <= kLargest && count.atto() >= -kLargest) {
    return static_cast<int64_t>(count.atto() / Money::kAttoPerUnit);
  }
  return count;
}

Value change_value(const std::optional<Rational>& now, const std::optional<Rational>& before) {
  if (!now || !before || *before <= 0) return Unknown{};
  return to_ratio((*now - *before) / *before);
}

}  // namespace tare::measures
