// Decimal text to exact numbers. No locale, no double, no guess.
//
// Grammar: [-] digits [. digits] [(e|E) [+|-] digits], also ".5" and "5."; a leading '+' is taken
// in the exponent only. Surrounding spaces are not part of a number: the caller trims or refuses.
// "1,234.5", "1_000", "NaN", "inf", "$3", "0x1", "" are not numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/money.h"

namespace tare {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

enum class DecimalFault : uint8_t { kNone, kEmpty, kNotDecimal, kTooLarge };

struct DecimalResult {
  Money value;           // 0 where fault is not kNone
  bool rounded = false;  // digits beyond 18 decimals were rounded half even
  DecimalFault fault = DecimalFault::kNone;
  bool ok() const { return fault == DecimalFault::kNone; }
};

// Exact up to 18 decimals and ±1e20 (DECIMAL(38,18)); beyond that kTooLarge.
DecimalResult parse_decimal(std::string_view text);

// The shortest text that reads back as the same double, in the grammar above; "nan" and "inf",
// which are not in it, for what is no number.
std::string shortest_text(double value);

std::string integer_text(int128 value);  // "-12"

// An integer in [min, max]; nothing else, not even spaces.
std::optional<int64_t> parse_integer(std::string_view text);

// A fraction of a device: a decimal with at most 9 digits after the point (zeros at its end don't
// count) or "n/d", d <= 1,000,000 (R31). Reduced, den > 0, num >= 0. Empty where the text is
// neither.
struct Fraction {
  int64_t num = 0;
  int64_t den = 1;
  bool operator==(const Fraction&) const = default;
};
std::optional<Fraction> parse_fraction(std::string_view text);
std::string to_text(Fraction fraction);

}  // namespace tare
