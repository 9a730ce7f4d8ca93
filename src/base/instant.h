// Instants, spans and months. Instants are int64 nanoseconds since 1970-01-01T00:00:00Z; intervals
// are half-open [start, end). There is no clock here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tare {

inline constexpr int64_t kNsPerSecond = 1'000'000'000;
inline constexpr int64_t kNsPerMinute = 60 * kNsPerSecond;
inline constexpr int64_t kNsPerHour = 60 * kNsPerMinute;
inline constexpr int64_t kNsPerDay = 24 * kNsPerHour;
inline constexpr int64_t kNoEnd = INT64_MAX;  // a span without a known end

struct Span {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t length_ns() const { return end_ns - start_ns; }
  bool contains(int64_t instant_ns) const { return start_ns <= instant_ns && instant_ns < end_ns; }
  bool empty() const { return end_ns <= start_ns; }
  auto operator<=>(const Span&) const = default;
};
Span intersect(Span a, Span b);  // empty (start == end) where they do not meet

// What an epoch number in a column counts; kIso means ISO 8601 text.
enum class TimeUnit : uint8_t { kIso, kSeconds, kMillis, kMicros, kNanos };
std::optional<TimeUnit> parse_time_unit(std::string_view text);  // "iso", "s", "ms", "us", "ns"

struct InstantResult {
  int64_t ns = 0;
  bool ok = false;
  bool zone_given = false;  // false: the text had no zone and was read as UTC
};
// ISO 8601 extended: date, or date 'T' or ' ' time (hh:mm or hh:mm:ss with an optional fraction, of
// which more than 9 digits are floored) and zone ("Z", "+hh:mm", "-hhmm", "+hh", or " UTC", which
// BigQuery writes). A date alone is its midnight UTC, zone_given true (a day has no zone to give).
// Hours 00..23 and "24:00:00"; a leap second is the next second.
// With an epoch unit: decimal text, never through double, floored to a nanosecond.
// Range: 1678 to 2262-04-11, where int64 nanoseconds end.
InstantResult parse_instant(std::string_view text, TimeUnit unit = TimeUnit::kIso);

std::string to_text(int64_t instant_ns);         // "2026-08-01T00:00:00Z", with its fraction if any
std::string day_text(int64_t instant_ns);        // "2026-08-01"
std::string duration_text(int64_t duration_ns);  // "2 h 05 min", "41 s", "3.5 ms": cut, unrounded

// A UTC month, counted from 1970-01.
struct Month {
  int32_t index = 0;
  auto operator<=>(const Month&) const = default;
};
Month month_of(int64_t instant_ns);
Span span_of(Month month);         // clamped at the ends of int64 nanoseconds
std::string to_text(Month month);  // "2026-08"
std::optional<Month> parse_month(std::string_view text);  // "2026-08"
int64_t floor_day(int64_t instant_ns);                    // midnight UTC at or before

}  // namespace tare
