#include "base/instant.h"

#include <ctime>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/money.h"

namespace tare {
namespace {

std::string shown(std::string_view text, TimeUnit unit = TimeUnit::kIso) {
  const InstantResult result = parse_instant(text, unit);
  if (!result.ok) return "refused";
  return to_text(result.ns) + (result.zone_given ? "" : " no zone");
}

TEST(ParseInstant, Iso) {
  EXPECT_EQ(shown("1970-01-01T00:00:00Z"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(parse_instant("1970-01-01T00:00:01Z").ns, kNsPerSecond);
  EXPECT_EQ(parse_instant("2026-08-01T00:00:00Z").ns, 1'785'542'400 * kNsPerSecond);
  EXPECT_EQ(shown("2024-09-18 23:00:00"), "2024-09-18T23:00:00Z no zone");
  EXPECT_EQ(shown("2024-09-18T23:00"), "2024-09-18T23:00:00Z no zone");
  EXPECT_EQ(shown("2024-09-18"), "2024-09-18T00:00:00Z");
  EXPECT_EQ(shown("2024-09-18T23:00Z"), "2024-09-18T23:00:00Z");
  EXPECT_EQ(shown("2024-09-18 23:00:00 UTC"), "2024-09-18T23:00:00Z");
  EXPECT_EQ(shown("2024-09-18 23:00:00.25 UTC"), "2024-09-18T23:00:00.25Z");
}

TEST(ParseInstant, FractionsAreFlooredAtNanoseconds) {
  EXPECT_EQ(shown("2024-01-01T00:00:00.5Z"), "2024-01-01T00:00:00.5Z");
  EXPECT_EQ(shown("2024-01-01T00:00:00.000Z"), "2024-01-01T00:00:00Z");
  EXPECT_EQ(shown("2024-01-01T00:00:00.123456789Z"), "2024-01-01T00:00:00.123456789Z");
  EXPECT_EQ(shown("2024-01-01T00:00:00.1234567899999Z"), "2024-01-01T00:00:00.123456789Z");
  EXPECT_EQ(shown("1969-12-31T23:59:59.999999999999Z"), "1969-12-31T23:59:59.999999999Z");
}

TEST(ParseInstant, Zones) {
  EXPECT_EQ(shown("2024-01-01T00:30:00+01:00"), "2023-12-31T23:30:00Z");
  EXPECT_EQ(shown("2024-01-01T00:30:00-0530"), "2024-01-01T06:00:00Z");
  EXPECT_EQ(shown("2024-01-01T00:30:00+09"), "2023-12-31T15:30:00Z");
  EXPECT_EQ(shown("2024-01-01 00:30:00.5+00:00"), "2024-01-01T00:30:00.5Z");
  EXPECT_EQ(shown("2024-01-01T00:30:00-00:00"), "2024-01-01T00:30:00Z");
}

TEST(ParseInstant, LeapYearsAndSeconds) {
  EXPECT_EQ(shown("2024-02-29T12:00:00Z"), "2024-02-29T12:00:00Z");
  EXPECT_EQ(shown("2000-02-29"), "2000-02-29T00:00:00Z");
  EXPECT_EQ(shown("2023-02-29"), "refused");
  EXPECT_EQ(shown("1900-02-29"), "refused");
  EXPECT_EQ(shown("2024-12-31T24:00:00Z"), "2025-01-01T00:00:00Z");
  EXPECT_EQ(shown("2024-12-31T24:00"), "2025-01-01T00:00:00Z no zone");
  EXPECT_EQ(shown("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(shown("2016-12-31T23:59:60.5Z"), "2017-01-01T00:00:00.5Z");
  EXPECT_EQ(shown("2017-01-01T05:29:60+05:30"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(shown("2016-12-31T22:59:60Z"), "refused");
}

TEST(ParseInstant, Refused) {
  for (const char* text : {"",
                           " ",
                           "4/1/25",
                           "2024-9-18",
                           "2024-09-18T",
                           "2024-09-18T23",
                           "2024-09-18T2:00:00Z",
                           "2024-09-18T23:00:0Z",
                           "2024-09-18T23:60:00Z",
                           "2024-09-18T23:00:61Z",
                           "2024-09-18T24:00:01Z",
                           "2024-09-18T24:30:00Z",
                           "2024-09-18T24:00:00.1Z",
                           "2024-09-18T25:00:00Z",
                           "2024-13-01",
                           "2024-00-01",
                           "2024-01-00",
                           "2024-01-32",
                           "2024-04-31",
                           "2024-09-18T23:00:00.Z",
                           "2024-09-18T23:00:00ZZ",
                           "2024-09-18T23:00:00 ",
                           " 2024-09-18",
                           "2024-09-18T23:00:00+1:00",
                           "2024-09-18T23:00:00+24:00",
                           "2024-09-18T23:00:00+01:60",
                           "2024-09-18T23:00:00+01:0",
                           "2024-09-18T23:00:00 CET",
                           "2024-09-18Z",
                           "2024-09-18  23:00:00",
                           "20240918T230000Z",
                           "2024-W01-1",
                           "2024-260",
                           "-2024-09-18",
                           "1677-12-31",
                           "1678-01-01T00:00:00+00:01",
                           "2263-01-01",
                           "9999-12-31",
                           "0001-01-01",
                           "2262-04-12T00:00:00Z",
                           "2262-04-11T23:47:16.854775807Z",
                           "1722470400",
                           "NULL",
                           "now"}) {
    EXPECT_EQ(shown(text), "refused") << "'" << text << "'";
  }
}

TEST(ParseInstant, Epochs) {
  EXPECT_EQ(shown("0", TimeUnit::kSeconds), "1970-01-01T00:00:00Z");
  EXPECT_EQ(shown("1722470400", TimeUnit::kSeconds), "2024-08-01T00:00:00Z");
  EXPECT_EQ(shown("1722470400.5", TimeUnit::kSeconds), "2024-08-01T00:00:00.5Z");
  EXPECT_EQ(shown("1722470400123", TimeUnit::kMillis), "2024-08-01T00:00:00.123Z");
  // Digits of nanoseconds, which no double holds.
  EXPECT_EQ(shown("1722470400123456.789", TimeUnit::kMicros), "2024-08-01T00:00:00.123456789Z");
  EXPECT_EQ(shown("1722470400123456.7899", TimeUnit::kMicros), "2024-08-01T00:00:00.123456789Z");
  EXPECT_EQ(shown("1722470400123456789", TimeUnit::kNanos), "2024-08-01T00:00:00.123456789Z");
  EXPECT_EQ(shown("1722470400123456789.9", TimeUnit::kNanos), "2024-08-01T00:00:00.123456789Z");
  EXPECT_EQ(shown("1.7224704e9", TimeUnit::kSeconds), "2024-08-01T00:00:00Z");
  EXPECT_EQ(shown("1.7224704001E+12", TimeUnit::kMillis), "2024-08-01T00:00:00.1Z");
  EXPECT_EQ(shown("-1", TimeUnit::kSeconds), "1969-12-31T23:59:59Z");
  EXPECT_EQ(shown("-0.0000000001", TimeUnit::kSeconds), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(shown("-1e-1", TimeUnit::kNanos), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(shown("0.9999999999999999999", TimeUnit::kSeconds), "1970-01-01T00:00:00.999999999Z");
  EXPECT_EQ(shown(".5", TimeUnit::kSeconds), "1970-01-01T00:00:00.5Z");
  for (const char* text : {"", "-", ".", "1x", "1 ", "2024-08-01T00:00:00Z", "1e30", "1e",
                           "9999999999999", "9223372036854775807000000000", "nan", "1.2.3"}) {
    EXPECT_EQ(shown(text, TimeUnit::kSeconds), "refused") << "'" << text << "'";
  }
  EXPECT_EQ(shown("9223372036854775807", TimeUnit::kNanos), "refused");  // kNoEnd is no instant
  EXPECT_EQ(shown("-9214560000000000000", TimeUnit::kNanos), "1678-01-01T00:00:00Z");
  EXPECT_EQ(shown("-9214560000000000001", TimeUnit::kNanos), "refused");
  EXPECT_EQ(shown("-9214560001", TimeUnit::kSeconds), "refused");
  EXPECT_EQ(shown("9223372036854775806", TimeUnit::kNanos), "2262-04-11T23:47:16.854775806Z");
}

int64_t any_instant() {
  return *rc::gen::inRange<int64_t>(-9'214'560'000'000'000'000, INT64_MAX);  // from 1678 on
}

RC_GTEST_PROP(ParseInstant, TextRoundTrips, ()) {
  const int64_t ns = any_instant() / *rc::gen::element<int64_t>(1, 1'000, 1'000'000'000);
  const InstantResult result = parse_instant(to_text(ns));
  RC_ASSERT(result.ok && result.zone_given && result.ns == ns);
  RC_ASSERT(parse_instant(std::to_string(ns), TimeUnit::kNanos).ns == ns);
}

// The C library's calendar as the oracle, over whole seconds.
RC_GTEST_PROP(ParseInstant, AgreesWithTheCLibrary, ()) {
  const int64_t ns = any_instant();
  const time_t seconds = ns / kNsPerSecond - (ns % kNsPerSecond < 0 ? 1 : 0);
  tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  RC_ASSERT(to_text(int64_t{seconds} * kNsPerSecond) == text);
  RC_ASSERT(day_text(ns) == std::string(text, 10));
  RC_ASSERT(to_text(month_of(ns)) == std::string(text, 7));
  RC_ASSERT(month_of(ns).index == (parts.tm_year - 70) * 12 + parts.tm_mon);
}

RC_GTEST_PROP(ParseInstant, NeverThrowsOnBytes, (const std::string& text)) {
  for (const TimeUnit unit : {TimeUnit::kIso, TimeUnit::kSeconds, TimeUnit::kNanos}) {
    const InstantResult result = parse_instant(text, unit);
    RC_ASSERT(result.ok || result.ns == 0);
  }
}

TEST(TimeUnits, Names) {
  EXPECT_EQ(parse_time_unit("iso"), TimeUnit::kIso);
  EXPECT_EQ(parse_time_unit("s"), TimeUnit::kSeconds);
  EXPECT_EQ(parse_time_unit("ms"), TimeUnit::kMillis);
  EXPECT_EQ(parse_time_unit("us"), TimeUnit::kMicros);
  EXPECT_EQ(parse_time_unit("ns"), TimeUnit::kNanos);
  EXPECT_EQ(parse_time_unit("h"), std::nullopt);
  EXPECT_EQ(parse_time_unit(""), std::nullopt);
}

TEST(InstantText, Extremes) {
  EXPECT_EQ(to_text(INT64_MIN), "1677-09-21T00:12:43.145224192Z");
  EXPECT_EQ(to_text(INT64_MAX), "2262-04-11T23:47:16.854775807Z");
  EXPECT_EQ(day_text(-1), "1969-12-31");
}

TEST(DurationText, CutsAndNeverRoundsUp) {
  EXPECT_EQ(duration_text(2 * kNsPerHour + 5 * kNsPerMinute), "2 h 05 min");
  EXPECT_EQ(duration_text(kNsPerHour - 1), "59 min 59 s");
  EXPECT_EQ(duration_text(100 * kNsPerHour), "100 h 00 min");
  EXPECT_EQ(duration_text(41 * kNsPerSecond), "41 s");
  EXPECT_EQ(duration_text(1'990'000'000), "1.9 s");
  EXPECT_EQ(duration_text(3'500'000), "3.5 ms");
  EXPECT_EQ(duration_text(999'999), "999.9 us");
  EXPECT_EQ(duration_text(7), "7 ns");
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(-90 * kNsPerSecond), "-1 min 30 s");
  EXPECT_EQ(duration_text(INT64_MIN), duration_text(-INT64_MAX));
}

RC_GTEST_PROP(Months, SpansTileTime, ()) {
  const int64_t ns =
      *rc::gen::inRange<int64_t>(-9'214'560'000'000'000'000, 9'000'000'000'000'000'000);
  const Month month = month_of(ns);
  RC_ASSERT(span_of(month).contains(ns));
  RC_ASSERT(span_of(month).end_ns == span_of({month.index + 1}).start_ns);
  RC_ASSERT(parse_month(to_text(month)) == month);
  RC_ASSERT(floor_day(ns) <= ns && ns - floor_day(ns) < kNsPerDay);
  RC_ASSERT(floor_day(ns) % kNsPerDay == 0);
}

TEST(Months, Texts) {
  EXPECT_EQ(parse_month("1970-01"), Month{0});
  EXPECT_EQ(parse_month("2026-08"), Month{679});
  EXPECT_EQ(to_text(Month{-1}), "1969-12");
  EXPECT_EQ(span_of(parse_month("2024-02").value_or(Month{})).length_ns(), 29 * kNsPerDay);
  for (const char* text : {"", "2026", "2026-8", "2026-00", "2026-13", "2026-08-01", "26-08",
                           "2026/08", " 2026-08", "1677-12", "2262-04", "2263-01"}) {
    EXPECT_EQ(parse_month(text), std::nullopt) << text;
  }
  EXPECT_EQ(span_of(month_of(INT64_MAX)).end_ns, kNoEnd);
  EXPECT_EQ(span_of(month_of(INT64_MIN)).start_ns, INT64_MIN);
  EXPECT_EQ(floor_day(INT64_MIN), INT64_MIN);
}

TEST(Spans, Intersect) {
  EXPECT_EQ(intersect({0, 10}, {5, 20}), (Span{5, 10}));
  EXPECT_EQ(intersect({5, 20}, {0, 10}), (Span{5, 10}));
  EXPECT_EQ(intersect({0, kNoEnd}, {5, 20}), (Span{5, 20}));
  EXPECT_TRUE(intersect({0, 10}, {10, 20}).empty());
  EXPECT_EQ(intersect({0, 10}, {30, 40}).length_ns(), 0);
  EXPECT_TRUE((Span{3, 4}).contains(3));
  EXPECT_FALSE((Span{3, 4}).contains(4));
}

}  // namespace
}  // namespace tare
