#include "sources/policy/values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "base/decimal_text.h"
#include "base/instant.h"
#include "base/money.h"

namespace tare::sources {
namespace {

struct DurationUnit {
  char name;
  int64_t ns;
};
constexpr auto kDurationUnits = std::to_array<DurationUnit>({{'w', 7 * kNsPerDay},
                                                             {'d', kNsPerDay},
                                                             {'h', kNsPerHour},
                                                             {'m', kNsPerMinute},
                                                             {'s', kNsPerSecond}});
constexpr int64_t kLongestNs = 36'525 * kNsPerDay;

}  // namespace

std::optional<int64_t> parse_duration(std::string_view text) {
  int64_t total_ns = 0;
  size_t next_unit = 0;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    int64_t count = 0;
    size_t digits = 0;
    for (; digits < text.size() && is_digit(text[digits]); ++digits) {
      if (digits == 10) return std::nullopt;
      count = count * 10 + (text[digits] - '0');
    }
    if (digits == 0 || digits == text.size()) return std::nullopt;
    while (next_unit < kDurationUnits.size() && kDurationUnits[next_unit].name != text[digits]) {
      ++next_unit;
    }
    if (next_unit == kDurationUnits.size()) return std::nullopt;
    const int64_t unit_ns = kDurationUnits[next_unit++].ns;
    if (count > (kLongestNs - total_ns) / unit_ns) return std::nullopt;
    total_ns += count * unit_ns;
    text.remove_prefix(digits + 1);
  }
  return total_ns;
}

std::optional<std::string> parse_ratio(std::string_view text) {
  const DecimalResult decimal = parse_decimal(text);
  if (!decimal.ok() || decimal.rounded || decimal.value.is_negative() ||
      decimal.value > Money::from_units(1)) {
    return std::nullopt;
  }
  return to_text(decimal.value);
}

std::optional<std::string> parse_zone_offset(std::string_view text) {
  if (text == "UTC" || text == "Z") return "UTC";
  if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  // Read by the same rules as the zone of a time.
  if (!parse_instant("2000-01-01T00:00" + std::string(text)).ok) return std::nullopt;
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), is_digit);
  digits.resize(4, '0');
  return text[0] + digits.substr(0, 2) + ":" + digits.substr(2);
}

bool fractions_sum_to_one(const std::map<std::string, std::string>& fractions) {
  constexpr int128 kLargest = int128{1'000'000'000'000} * 1'000'000'000'000;
  int128 num = 0, den = 1;
  for (const auto& [name, text] : fractions) {
    const std::optional<Fraction> part = parse_fraction(text);
    if (!part || part->num > part->den) return false;
    const int128 common = std::gcd(den, int128{part->den});
    if (den / common > kLargest / part->den) return false;
    const int128 next = den / common * part->den;
    num = num * (next / den) + int128{part->num} * (next / part->den);
    den = next;
    if (num > den) return false;
  }
  return num == den;
}

}  // namespace tare::sources
