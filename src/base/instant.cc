#include "base/instant.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/decimal_text.h"

namespace tare {
namespace {

constexpr int kMinYear = 1678;  // the whole years that int64 nanoseconds hold, and 2262 in part
constexpr int kMaxYear = 2262;
constexpr int64_t kSecondsPerDay = 86'400;
constexpr int32_t kMonthsPerYear = 12;

struct Date {
  int year = 0;
  int month = 0;
  int day = 0;
};

// Days since 1970-01-01 in the proleptic Gregorian calendar, counting years from March
// (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
constexpr int64_t days_of(Date date) {
  const int64_t year = date.month <= 2 ? date.year - 1 : date.year;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t month = date.month + (date.month > 2 ? -3 : 9);
  const int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719'468;
}

constexpr Date date_of(int64_t days) {
  days += 719'468;
  const int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const int64_t day_of_era = days - era * 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const auto month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return {static_cast<int>(year), month,
          static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1)};
}

constexpr int64_t floor_divide(int64_t value, int64_t step) {
  return value / step - (value % step < 0 ? 1 : 0);
}

constexpr int64_t clamp_to_int64(int128 value) {
  return static_cast<int64_t>(std::clamp<int128>(value, std::numeric_limits<int64_t>::min(),
                                                 std::numeric_limits<int64_t>::max()));
}

constexpr bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

constexpr int days_in_month(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[static_cast<size_t>(month - 1)];
}

// Eats a text from its front; every step says whether the text was as expected.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}
  bool done() const { return at_ == text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  bool eat(char c) {
    if (peek() != c || done()) return false;
    ++at_;
    return true;
  }
  bool eat(std::string_view word) {
    if (text_.substr(at_) != word) return false;
    at_ = text_.size();
    return true;
  }
  bool number(size_t width, int& value) {
    if (text_.size() - at_ < width) return false;
    value = 0;
    for (const size_t end = at_ + width; at_ < end; ++at_) {
      if (!is_digit(text_[at_])) return false;
      value = value * 10 + (text_[at_] - '0');
    }
    return true;
  }
  // Nanoseconds of the digits after a point; those beyond the ninth are floored.
  bool fraction(int64_t& ns) {
    int64_t scale = kNsPerSecond;
    const size_t first = at_;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      scale /= 10;
      ns += (text_[at_] - '0') * scale;
    }
    return at_ > first;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

bool parse_date(Cursor& cursor, Date& date) {
  return cursor.number(4, date.year) && cursor.eat('-') && cursor.number(2, date.month) &&
         cursor.eat('-') && cursor.number(2, date.day) && date.year >= kMinYear &&
         date.year <= kMaxYear && date.month >= 1 && date.month <= 12 && date.day >= 1 &&
         date.day <= days_in_month(date.year, date.month);
}

struct TimeOfDay {
  int64_t seconds = 0;
  int64_t fraction_ns = 0;
  bool leap_second = false;
};

bool parse_time_of_day(Cursor& cursor, TimeOfDay& time) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!cursor.number(2, hour) || !cursor.eat(':') || !cursor.number(2, minute)) return false;
  if (cursor.eat(':')) {
    if (!cursor.number(2, second)) return false;
    if (cursor.eat('.') && !cursor.fraction(time.fraction_ns)) return false;
  }
  time.seconds = (hour * 60 + minute) * 60 + second;
  time.leap_second = second == 60;
  if (hour == 24) return time.seconds == kSecondsPerDay && time.fraction_ns == 0;
  return hour < 24 && minute < 60 && second <= 60;
}

// The zone's seconds east of UTC.
bool parse_zone(Cursor& cursor, int64_t& offset_seconds, bool& given) {
  given = !cursor.done();
  if (!given || cursor.eat('Z') || cursor.eat(" UTC")) return cursor.done();
  const bool west = cursor.peek() == '-';
  if (!cursor.eat('-') && !cursor.eat('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (!cursor.number(2, hours)) return false;
  if (!cursor.done()) {
    cursor.eat(':');
    if (!cursor.number(2, minutes)) return false;
  }
  const int64_t offset_minutes = int64_t{hours} * 60 + minutes;
  offset_seconds = offset_minutes * (west ? -60 : 60);
  return cursor.done() && hours < 24 && minutes < 60;
}

// Whichever way it is written: an instant of before that year could not be read back from its text.
constexpr int64_t kFirstInstant = days_of({kMinYear, 1, 1}) * kNsPerDay;

InstantResult instant_of(int128 ns, bool zone_given) {
  if (ns < kFirstInstant || ns >= kNoEnd) return {};
  return {static_cast<int64_t>(ns), true, zone_given};
}

InstantResult parse_iso(std::string_view text) {
  Cursor cursor(text);
  Date date;
  if (!parse_date(cursor, date)) return {};
  int64_t seconds = days_of(date) * kSecondsPerDay;
  if (cursor.done()) return instant_of(int128{seconds} * kNsPerSecond, true);
  TimeOfDay time;
  int64_t offset_seconds = 0;
  bool zone_given = false;
  if ((!cursor.eat('T') && !cursor.eat(' ')) || !parse_time_of_day(cursor, time) ||
      !parse_zone(cursor, offset_seconds, zone_given)) {
    return {};
  }
  seconds += time.seconds - offset_seconds;
  // A leap second is inserted at the end of a UTC day, whatever the zone it is written in.
  if (time.leap_second && seconds % kSecondsPerDay != 0) return {};
  return instant_of(int128{seconds} * kNsPerSecond + time.fraction_ns, zone_given);
}

constexpr int64_t ns_per(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kMillis:
      return 1'000'000;
    case TimeUnit::kMicros:
      return 1'000;
    case TimeUnit::kNanos:
      return 1;
    case TimeUnit::kIso:
    case TimeUnit::kSeconds:
      break;
  }
  return kNsPerSecond;
}

// "1722470400123456.789" by digits, floored to a nanosecond however many digits there are.
InstantResult parse_plain_epoch(std::string_view text, int64_t unit_ns) {
  constexpr int128 kBeyond = int128{1} << 80;  // of every instant, in any unit
  const bool negative = text.front() == '-';
  size_t at = negative ? 1 : 0;
  const size_t first = at;
  int64_t leading = 0;  // eighteen digits fit 64 bits, whose products are far cheaper
  for (; at < text.size() && at < first + 18 && is_digit(text[at]); ++at) {
    leading = leading * 10 + (text[at] - '0');
  }
  int128 whole = leading;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (whole < kBeyond) whole = whole * 10 + (text[at] - '0');
  }
  size_t digits = at - first;
  int64_t fraction_ns = 0;
  bool more = false;  // something below a nanosecond
  if (at < text.size() && text[at] == '.') {
    int64_t scale = unit_ns;
    for (++at; at < text.size() && is_digit(text[at]); ++at, ++digits) {
      scale /= 10;
      fraction_ns += (text[at] - '0') * scale;
      more = more || (scale == 0 && text[at] != '0');
    }
  }
  if (at != text.size() || digits == 0) return {};
  const int128 magnitude = whole * unit_ns + fraction_ns;
  return instant_of(negative ? -magnitude - (more ? 1 : 0) : magnitude, true);
}

InstantResult parse_epoch(std::string_view text, int64_t unit_ns) {
  if (text.find_first_of("eE") == std::string_view::npos) return parse_plain_epoch(text, unit_ns);
  const DecimalResult decimal = parse_decimal(text);
  // A rounded decimal could have reached the next nanosecond; nobody writes such a time.
  if (!decimal.ok() || decimal.rounded) return {};
  constexpr int128 kAtto = Money::kAttoPerUnit;
  const int128 whole = decimal.value.atto() / kAtto;
  if (whole > kNoEnd / unit_ns || whole < -(kNoEnd / unit_ns)) return {};
  const int128 scaled = decimal.value.atto() * unit_ns;
  return instant_of(scaled / kAtto - (scaled % kAtto < 0 ? 1 : 0), true);
}

void append_padded(std::string& text, int64_t value, size_t width) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) text.append(width - digits.size(), '0');
  text += digits;
}

int32_t months_of(Date date) { return (date.year - 1970) * kMonthsPerYear + date.month - 1; }

Date first_day_of(int32_t month_index) {
  const int64_t year = floor_divide(month_index, kMonthsPerYear);
  return {static_cast<int>(1970 + year), static_cast<int>(month_index - year * kMonthsPerYear) + 1,
          1};
}

// "3.5 ms": one decimal, cut and not rounded so that 0.99 s never reads as 1000 ms.
std::string short_duration(int64_t ns, int64_t unit_ns, const char* unit) {
  std::string text = std::to_string(ns / unit_ns);
  const int64_t tenths = ns % unit_ns * 10 / unit_ns;
  if (tenths != 0) text += "." + std::to_string(tenths);
  return text + " " + unit;
}

}  // namespace

Span intersect(Span a, Span b) {
  const int64_t start = std::max(a.start_ns, b.start_ns);
  return {start, std::max(start, std::min(a.end_ns, b.end_ns))};
}

std::optional<TimeUnit> parse_time_unit(std::string_view text) {
  if (text == "iso") return TimeUnit::kIso;
  if (text == "s") return TimeUnit::kSeconds;
  if (text == "ms") return TimeUnit::kMillis;
  if (text == "us") return TimeUnit::kMicros;
  if (text == "ns") return TimeUnit::kNanos;
  return std::nullopt;
}

InstantResult parse_instant(std::string_view text, TimeUnit unit) {
  if (text.empty()) return {};
  return unit == TimeUnit::kIso ? parse_iso(text) : parse_epoch(text, ns_per(unit));
}

std::string day_text(int64_t instant_ns) {
  const Date date = date_of(floor_divide(instant_ns, kNsPerDay));
  std::string text;
  append_padded(text, date.year, 4);
  text += '-';
  append_padded(text, date.month, 2);
  text += '-';
  append_padded(text, date.day, 2);
  return text;
}

std::string to_text(int64_t instant_ns) {
  const int64_t days = floor_divide(instant_ns, kNsPerDay);
  const auto in_day = static_cast<int64_t>(int128{instant_ns} - int128{days} * kNsPerDay);
  std::string text = day_text(instant_ns) + 'T';
  append_padded(text, in_day / kNsPerHour, 2);
  text += ':';
  append_padded(text, in_day / kNsPerMinute % 60, 2);
  text += ':';
  append_padded(text, in_day / kNsPerSecond % 60, 2);
  if (const int64_t fraction_ns = in_day % kNsPerSecond; fraction_ns != 0) {
    text += '.';
    append_padded(text, fraction_ns, 9);
    text.resize(text.find_last_not_of('0') + 1);
  }
  return text + 'Z';
}

std::string duration_text(int64_t duration_ns) {
  if (duration_ns < 0) {
    // The one duration without a positive counterpart reads as its neighbour.
    return "-" + duration_text(duration_ns == INT64_MIN ? INT64_MAX : -duration_ns);
  }
  const auto pair = [&](int64_t large_ns, const char* large, int64_t small_ns, const char* small) {
    std::string text = std::to_string(duration_ns / large_ns) + " " + large + " ";
    append_padded(text, duration_ns % large_ns / small_ns, 2);
    return text + " " + small;
  };
  if (duration_ns >= kNsPerHour) return pair(kNsPerHour, "h", kNsPerMinute, "min");
  if (duration_ns >= kNsPerMinute) return pair(kNsPerMinute, "min", kNsPerSecond, "s");
  if (duration_ns >= kNsPerSecond) return short_duration(duration_ns, kNsPerSecond, "s");
  if (duration_ns >= 1'000'000) return short_duration(duration_ns, 1'000'000, "ms");
  if (duration_ns >= 1'000) return short_duration(duration_ns, 1'000, "us");
  return std::to_string(duration_ns) + (duration_ns == 0 ? " s" : " ns");
}

Month month_of(int64_t instant_ns) {
  return {months_of(date_of(floor_divide(instant_ns, kNsPerDay)))};
}

Span span_of(Month month) {
  const int64_t first = days_of(first_day_of(month.index));
  const int64_t next = days_of(first_day_of(month.index + 1));
  return {clamp_to_int64(int128{first} * kNsPerDay), clamp_to_int64(int128{next} * kNsPerDay)};
}

std::string to_text(Month month) {
  const Date date = first_day_of(month.index);
  std::string text;
  append_padded(text, date.year, 4);
  text += '-';
  append_padded(text, date.month, 2);
  return text;
}

std::optional<Month> parse_month(std::string_view text) {
  Cursor cursor(text);
  Date date{0, 0, 1};
  if (!cursor.number(4, date.year) || !cursor.eat('-') || !cursor.number(2, date.month) ||
      !cursor.done() || date.year < kMinYear || date.year > kMaxYear || date.month < 1 ||
      date.month > 12) {
    return std::nullopt;
  }
  const Month month{months_of(date)};
  if (span_of(month).end_ns == kNoEnd) return std::nullopt;
  return month;
}

int64_t floor_day(int64_t instant_ns) {
  return clamp_to_int64(int128{floor_divide(instant_ns, kNsPerDay)} * kNsPerDay);
}

}  // namespace tare
