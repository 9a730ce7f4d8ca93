// Prices worked out by hand, and which of two cards counts.
#include "sources/prices/card.h"

#include <gtest/gtest.h>

#include "base/errors.h"

namespace tare::sources {
namespace {

RateCardRow row(const std::string& pattern) {
  RateCardRow row;
  row.pattern = pattern;
  return row;
}

Money units(int64_t count) { return Money::from_units(count); }
Money atto(int64_t count) { return Money::from_atto(count); }

TEST(Card, PriceByTheHour) {
  RateCardRow by_hour = row("n*");
  by_hour.per_hour = units(3);
  const Card card(by_hour, "USD");
  EXPECT_EQ(card.row().currency, "USD");
  EXPECT_EQ(card.cost_of(kNsPerHour).whole, units(3));
  EXPECT_EQ(card.cost_of(0).whole, Money());
  // 3 ÷ 3.6e12 = 0.000000000000833333...
  EXPECT_EQ(card.cost_of(1).whole, atto(833'333));
  EXPECT_TRUE(card.is_for("n1"));
  EXPECT_FALSE(card.is_for("m1"));
}

TEST(Card, RoundsHalfEven) {
  RateCardRow by_hour = row("n");
  by_hour.per_hour = atto(1);
  const Card card(by_hour, "USD");
  EXPECT_EQ(card.cost_of(kNsPerHour / 2).whole, atto(0));
  EXPECT_EQ(card.cost_of(kNsPerHour / 2 + 1).whole, atto(1));
  EXPECT_EQ(card.cost_of(kNsPerHour * 3 / 2).whole, atto(2));
  EXPECT_EQ(card.cost_of(kNsPerHour * 5 / 2).whole, atto(2));
}

TEST(Card, PartsSumToTheWhole) {
  RateCardRow parts = row("n");
  parts.capex = units(7300);
  parts.life_years = units(4);
  parts.power_watts = units(500);
  parts.per_kwh = Money::from_atto(200'000'000'000'000'000);
  parts.pue = Money::from_atto(1'500'000'000'000'000'000);
  parts.staff_per_year = units(365);
  const Card::Cost day = Card(parts, "USD").cost_of(kNsPerDay);
  ASSERT_EQ(day.parts.size(), 3U);
  EXPECT_EQ(day.parts[0], std::pair(std::string("capex"), units(5)));
  EXPECT_EQ(day.parts[1],
            std::pair(std::string("power"), Money::from_atto(3'600'000'000'000'000'000)));
  EXPECT_EQ(day.parts[2], std::pair(std::string("staff"), units(1)));
  EXPECT_EQ(day.whole, day.parts[0].second + day.parts[1].second + day.parts[2].second);
}

// A third of a day's 7 a year, in three: each part is rounded, and no card drifts by more.
TEST(Card, EachStretchIsRoundedOnItsOwn) {
  RateCardRow staff = row("n");
  staff.staff_per_year = units(7);
  const Card card(staff, "USD");
  const Money day = card.cost_of(kNsPerDay).whole;
  EXPECT_EQ(day, atto(19'178'082'191'780'822));
  EXPECT_EQ(card.cost_of(kNsPerDay / 3).whole, atto(6'392'694'063'926'941));
}

TEST(Card, TooLargeAPriceIsAnError) {
  RateCardRow by_hour = row("n");
  by_hour.per_hour = units(INT64_MAX);
  EXPECT_THROW(Card(by_hour, "USD").cost_of(kNsPerDay), UserError);
}

TEST(Card, ThePatternThatSaysMoreCountsFirst) {
  const auto card = [](const std::string& pattern, int64_t from_ns, int64_t price) {
    RateCardRow one = row(pattern);
    one.from_ns = from_ns;
    one.per_hour = units(price);
    return Card(one, "USD");
  };
  EXPECT_LT(card("n1", 0, 1), card("n*", 9, 1));
  EXPECT_LT(card("n??", 0, 1), card("*", 0, 1));
  EXPECT_LT(card("n*", 5, 9), card("m*", 4, 1));
  EXPECT_LT(card("n*", 5, 1), card("n*", 5, 2));
  EXPECT_FALSE(card("n*", 5, 1) < card("n*", 5, 1));
}

}  // namespace
}  // namespace tare::sources
