#include "base/decimal_text.h"

#include <array>
#include <charconv>
#include <limits>
#include <numeric>

#include "base/wide_math.h"

namespace tare {
namespace {

constexpr int kMaxDigits = kDecimalDigits;
constexpr int64_t kMaxExponent = int64_t{1} << 50;  // beyond any text's length; saturates

constexpr auto kSmallPowers = [] {
  std::array<uint64_t, 19> powers{};
  for (size_t i = 0; i < powers.size(); ++i) {
    powers[i] = static_cast<uint64_t>(power_of_ten(static_cast<int>(i)));
  }
  return powers;
}();

// A number's text taken apart; `digits` still holds the point.
struct Parts {
  bool negative = false;
  std::string_view digits;
  int64_t fraction_digits = 0;
  int64_t exponent = 0;
};

bool scan_exponent(std::string_view text, int64_t& exponent) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return false;
  for (const char c : text) {
    if (!is_digit(c)) return false;
    if (exponent < kMaxExponent) exponent = exponent * 10 + (c - '0');
  }
  if (negative) exponent = -exponent;
  return true;
}

bool scan(std::string_view text, Parts& parts) {
  if (text.front() == '-') {
    parts.negative = true;
    text.remove_prefix(1);
  }
  size_t at = 0;
  size_t point = std::string_view::npos;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && point == std::string_view::npos) {
      point = at;
    } else if (!is_digit(text[at])) {
      break;
    }
  }
  parts.digits = text.substr(0, at);
  const bool has_point = point != std::string_view::npos;
  if (at == (has_point ? 1U : 0U)) return false;
  if (has_point) parts.fraction_digits = static_cast<int64_t>(at - point - 1);
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  return scan_exponent(text.substr(at + 1), parts.exponent);
}

Money signed_money(uint128 magnitude, bool negative) {
  const auto atto = static_cast<int128>(magnitude);
  return Money::from_atto(negative ? -atto : atto);
}

// Any number of digits and any exponent: the digits above 1e-18 are kept, those below are rounded.
DecimalResult assemble(const Parts& parts) {
  std::string_view digits = parts.digits;
  while (!digits.empty() && (digits.front() == '0' || digits.front() == '.')) {
    // A point before the first significant digit needs no thought: fraction_digits counts all.
    digits.remove_prefix(1);
  }
  DecimalResult result;
  if (digits.empty()) return result;
  const bool has_point = digits.find('.') != std::string_view::npos;
  const auto significant = static_cast<int64_t>(digits.size() - (has_point ? 1 : 0));
  const int64_t shift = parts.exponent - parts.fraction_digits + Money::kScale;
  int64_t kept = significant + shift;  // digits of the result, before rounding
  if (kept > kMaxDigits) {
    result.fault = DecimalFault::kTooLarge;
    return result;
  }
  uint128 magnitude = 0;
  int first_dropped = kept < 0 ? 0 : -1;  // below a tenth of an atto nothing is left but "some"
  bool more_dropped = false;
  for (const char c : digits) {
    if (c == '.') continue;
    const int digit = c - '0';
    if (kept > 0) {
      magnitude = magnitude * 10 + static_cast<uint128>(digit);
      --kept;
    } else if (first_dropped < 0) {
      first_dropped = digit;
    } else if (digit != 0) {
      more_dropped = true;
    }
  }
  for (; kept > 0; --kept) magnitude *= 10;
  result.rounded = first_dropped > 0 || more_dropped;
  if (first_dropped > 5 || (first_dropped == 5 && (more_dropped || (magnitude & 1) != 0))) {
    ++magnitude;
  }
  if (magnitude >= kDecimalLimit)
    return {.value = {}, .rounded = false, .fault = DecimalFault::kTooLarge};
  result.value = signed_money(magnitude, parts.negative);
  return result;
}

// "-12.345" of at most 19 digits, 18 of them after the point, which nearly every cost is.
bool parse_short(std::string_view text, Money& value) {
  size_t at = text.front() == '-' ? 1 : 0;
  const bool negative = at == 1;
  if (text.size() - at > 20) return false;  // 19 digits and a point
  uint64_t digits = 0;
  const size_t first = at;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    digits = digits * 10 + static_cast<uint64_t>(text[at] - '0');
  }
  size_t count = at - first;
  size_t fraction_digits = 0;
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = ++at;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      digits = digits * 10 + static_cast<uint64_t>(text[at] - '0');
    }
    fraction_digits = at - fraction;
    count += fraction_digits;
  }
  if (at != text.size() || count == 0 || count > 19) return false;
  if (fraction_digits > Money::kScale) return false;
  value = signed_money(uint128{digits} * kSmallPowers[Money::kScale - fraction_digits], negative);
  return true;
}

}  // namespace

DecimalResult parse_decimal(std::string_view text) {
  DecimalResult result;
  if (text.empty()) {
    result.fault = DecimalFault::kEmpty;
    return result;
  }
  if (parse_short(text, result.value)) return result;
  Parts parts;
  if (!scan(text, parts)) {
    result.fault = DecimalFault::kNotDecimal;
    return result;
  }
  return assemble(parts);
}

std::string shortest_text(double value) {
  std::array<char, 32> buffer{};
  const auto [end, fault] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), fault == std::errc{} ? end : buffer.data());
}

std::string integer_text(int128 value) {
  auto magnitude = static_cast<uint128>(value);
  if (value < 0) magnitude = uint128{0} - magnitude;
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(magnitude % 10)));
    magnitude /= 10;
  } while (magnitude != 0);
  return value < 0 ? "-" + text : text;
}

std::optional<int64_t> parse_integer(std::string_view text) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<Fraction> parse_fraction(std::string_view text) {
  constexpr int64_t kMaxDenominator = 1'000'000;
  constexpr int128 kDecimalDenominator = 1'000'000'000;
  int128 num = 0, den = 0;
  if (const size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto over = parse_integer(text.substr(0, slash));
    const auto under = parse_integer(text.substr(slash + 1));
    if (!over || !under || *under > kMaxDenominator) return std::nullopt;
    num = *over;
    den = *under;
  } else {
    const DecimalResult decimal = parse_decimal(text);
    constexpr int128 kStep = Money::kAttoPerUnit / kDecimalDenominator;
    if (!decimal.ok() || decimal.rounded || decimal.value.atto() % kStep != 0) return std::nullopt;
    num = decimal.value.atto() / kStep;
    den = kDecimalDenominator;
  }
  if (num < 0 || den <= 0) return std::nullopt;
  const int128 common = std::gcd(num, den);
  if (num / common > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return Fraction{static_cast<int64_t>(num / common), static_cast<int64_t>(den / common)};
}

std::string to_text(Fraction fraction) {
  // A denominator that parse_fraction takes only from a decimal is written as one.
  constexpr int64_t kLargestWritten = 1'000'000, kDecimals = 1'000'000'000;
  if (fraction.den > kLargestWritten && kDecimals % fraction.den == 0) {
    const int128 billionths = static_cast<int128>(fraction.num) * (kDecimals / fraction.den);
    return to_text(Money::from_atto(billionths * kDecimals));
  }
  std::string text = std::to_string(fraction.num);
  if (fraction.den != 1) text += "/" + std::to_string(fraction.den);
  return text;
}

}  // namespace tare
