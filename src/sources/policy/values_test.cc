#include "sources/policy/values.h"

#include <gtest/gtest.h>

#include "base/instant.h"

namespace tare::sources {
namespace {

TEST(PolicyValues, Durations) {
  EXPECT_EQ(parse_duration("6h"), 6 * kNsPerHour);
  EXPECT_EQ(parse_duration("15m"), 15 * kNsPerMinute);
  EXPECT_EQ(parse_duration("2d"), 2 * kNsPerDay);
  EXPECT_EQ(parse_duration("1w"), 7 * kNsPerDay);
  EXPECT_EQ(parse_duration("1d12h"), 36 * kNsPerHour);
  EXPECT_EQ(parse_duration("0s"), 0);
  for (const char* text : {"", "6", "h", "6 h", "-6h", "1.5h", "6h6h", "1m1h", "6H", "99999999w"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(PolicyValues, RatiosAreExactText) {
  EXPECT_EQ(parse_ratio("5e-2"), "0.05");
  EXPECT_EQ(parse_ratio("0.050"), "0.05");
  EXPECT_EQ(parse_ratio("1"), "1");
  for (const char* text : {"", "1.01", "-0.1", "5 %", "NaN", "1e-19"}) {
    EXPECT_EQ(parse_ratio(text), std::nullopt) << text;
  }
}

TEST(PolicyValues, ZoneOffsets) {
  EXPECT_EQ(parse_zone_offset("UTC"), "UTC");
  EXPECT_EQ(parse_zone_offset("Z"), "UTC");
  EXPECT_EQ(parse_zone_offset("+02:00"), "+02:00");
  EXPECT_EQ(parse_zone_offset("-0530"), "-05:30");
  EXPECT_EQ(parse_zone_offset("+05"), "+05:00");
  for (const char* text : {"", "02:00", "+2", "+25:00", "Europe/Berlin", "+02:0"}) {
    EXPECT_EQ(parse_zone_offset(text), std::nullopt) << text;
  }
}

TEST(PolicyValues, FractionsThatAreOne) {
  EXPECT_TRUE(fractions_sum_to_one({{"a", "1/3"}, {"b", "2/3"}}));
  EXPECT_TRUE(fractions_sum_to_one({{"a", "0.3"}, {"b", "7/10"}}));
  EXPECT_TRUE(fractions_sum_to_one({{"a", "1"}}));
  EXPECT_TRUE(fractions_sum_to_one({{"a", "1"}, {"b", "0"}}));
  EXPECT_FALSE(fractions_sum_to_one({}));
  EXPECT_FALSE(fractions_sum_to_one({{"a", "0.333"}, {"b", "0.666"}}));
  EXPECT_FALSE(fractions_sum_to_one({{"a", "1/2"}, {"b", "2/3"}}));
  EXPECT_FALSE(fractions_sum_to_one({{"a", "9000000000000000000"}}));
  // Three large denominators without a common divisor.
  EXPECT_FALSE(fractions_sum_to_one({{"a", "1/999983"},
                                     {"b", "1/999979"},
                                     {"c", "1/999961"},
                                     {"d", "1/999959"},
                                     {"e", "1/999953"}}));
}

}  // namespace
}  // namespace tare::sources
