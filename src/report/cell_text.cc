#include "report/cell_text.h"

#include <algorithm>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "base/wide_math.h"
#include "report/shown_numbers.h"

namespace tare {
namespace {

constexpr std::string_view kUnknown = "-";

uint128 magnitude_of(int128 value) {
  return value < 0 ? uint128{0} - static_cast<uint128>(value) : static_cast<uint128>(value);
}

// |numerator| / denominator: whole part and fraction apart, so that no size of either overflows.
std::string quotient_digits(uint128 numerator, Uint256 denominator, int decimals) {
  const auto [whole, rest] = divide_256({0, numerator}, denominator);
  const uint128 scale = power_of_ten(decimals);
  auto [fraction, below] = divide_256(multiply(rest.lo, scale), denominator);
  const Uint256 complement = subtract(denominator, below);
  const bool odd = ((decimals > 0 ? fraction : whole + fraction) & 1) != 0;
  if (below > complement || (below == complement && odd)) fraction += 1;
  const uint128 carry = fraction / scale;
  std::string text = integer_text(static_cast<int128>(whole + carry));
  if (decimals == 0) return text;
  const std::string digits = integer_text(static_cast<int128>(fraction - carry * scale));
  return text + "." + std::string(static_cast<size_t>(decimals) - digits.size(), '0') + digits;
}

std::string with_sign(const std::string& digits, bool negative) {
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return negative && !zero ? "-" + digits : digits;
}

std::string without_end_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string price_digits(const Price& price, int decimals) {
  TARE_ASSERT(price.count > 0, "a price is by a positive count");
  const uint128 unit = power_of_ten(Money::kScale);
  const Uint256 denominator = multiply(static_cast<uint128>(price.count), unit);
  return with_sign(quotient_digits(magnitude_of(price.amount.atto()), denominator, decimals),
                   price.amount.is_negative());
}

// The digits of a percentage: the ratio's, with the point two places further right.
std::string percent_digits(const Ratio& ratio, int decimals) {
  std::string text = quotient_text(ratio.numerator, ratio.denominator, decimals + 2);
  const size_t point = text.find('.');
  text.erase(point, 1);
  if (decimals > 0) text.insert(point + 2, 1, '.');
  const size_t sign = text.front() == '-' ? 1 : 0;
  const size_t end = text.find('.');
  const size_t last = (end == std::string::npos ? text.size() : end) - 1;
  const size_t first = std::min(text.find_first_not_of('0', sign), last);
  return text.erase(sign, first - sign);
}

std::string range_text(const std::string& low, const std::string& high) {
  if (low == high) return low;
  return low + (low.front() == '-' || high.front() == '-' ? " to " : "-") + high;
}

// Cut towards minus infinity: "> 12.34" must hold of 12.349 too.
Money floor_money(Money amount, int decimals) {
  const auto step = static_cast<int128>(power_of_ten(Money::kScale - decimals));
  int128 rest = amount.atto() % step;
  if (rest < 0) rest += step;
  return Money::from_atto(amount.atto() - rest);
}

struct PeopleText {
  const Column& column;
  std::optional<int128> units, high_units;

  std::string money(Money amount) const {
    return group_thousands(to_text_rounded(amount, column.decimals));
  }
  std::string shown(const Value& value) const {
    const int decimals = shown_decimals(value, column);
    const auto step = static_cast<int128>(power_of_ten(Money::kScale - decimals));
    return group_thousands(to_text_rounded(Money::from_atto(units.value_or(0) * step), decimals));
  }
  std::string end_of_range(Money amount, std::optional<int128> end) const {
    if (!end) return money(amount);
    const auto step = static_cast<int128>(power_of_ten(Money::kScale - column.decimals));
    return group_thousands(to_text_rounded(Money::from_atto(*end * step), column.decimals));
  }
  std::string percent(const Ratio& ratio) const {
    return group_thousands(percent_digits(ratio, column.decimals));
  }
  std::string shown_percent(const Ratio& ratio) const {
    return units ? shown(ratio) : percent(ratio);
  }
  std::string percent_sign() const {
    return column.heading.find('%') == std::string::npos ? " %" : "";
  }

  std::string operator()(const Unknown&) const { return std::string(kUnknown); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(int64_t count) const { return group_thousands(std::to_string(count)); }
  std::string operator()(const Money& amount) const { return shown(amount); }
  std::string operator()(const DeviceTime& time) const { return shown(time); }
  std::string operator()(const MoneyRange& range) const {
    return range_text(end_of_range(range.low, units), end_of_range(range.high, high_units));
  }
  std::string operator()(const Ratio& ratio) const {
    return is_known(ratio) ? shown_percent(ratio) + percent_sign() : std::string(kUnknown);
  }
  std::string operator()(const RatioRange& range) const {
    if (!is_known(range.low) || !is_known(range.high)) return std::string(kUnknown);
    return range_text(percent(range.low), percent(range.high)) + percent_sign();
  }
  std::string operator()(const Price& price) const {
    return group_thousands(price_digits(price, column.decimals));
  }
  std::string operator()(const LowerBound& bound) const {
    return "> " + money(floor_money(bound.amount, column.decimals));
  }
  std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
};

}  // namespace

std::string quotient_text(int128 numerator, int128 denominator, int decimals) {
  TARE_ASSERT(denominator != 0, "a quotient has a denominator");
  const std::string digits =
      quotient_digits(magnitude_of(numerator), {0, magnitude_of(denominator)}, decimals);
  return with_sign(digits, (numerator < 0) != (denominator < 0));
}

std::string ratio_text(const Ratio& ratio) {
  constexpr int kDecimals = 9;
  return without_end_zeros(quotient_text(ratio.numerator, ratio.denominator, kDecimals));
}

std::string price_text(const Price& price) {
  return without_end_zeros(price_digits(price, Money::kScale));
}

std::string people_text(const Value& value, const Column& column, std::optional<int128> units,
                        std::optional<int128> high_units) {
  return std::visit(PeopleText{column, units, high_units}, value);
}

std::string group_thousands(std::string_view number) {
  std::string text(number);
  const size_t first = !text.empty() && text.front() == '-' ? 1 : 0;
  const size_t point = std::min(text.find('.'), text.size());
  for (size_t at = point; at > first + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

bool is_figure(const Value& value) {
  return !std::holds_alternative<std::string>(value) && !std::holds_alternative<bool>(value);
}

}  // namespace tare
