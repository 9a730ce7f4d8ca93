#include "base/money.h"

#include <algorithm>
#include <numeric>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/wide_math.h"

namespace tare {
namespace {

using boost::multiprecision::cpp_int;

cpp_int big(uint128 value) {
  return (cpp_int(static_cast<uint64_t>(value >> 64)) << 64) + static_cast<uint64_t>(value);
}
cpp_int big(int128 value) {
  return value < 0 ? -big(uint128{0} - static_cast<uint128>(value))
                   : big(static_cast<uint128>(value));
}
cpp_int big(int64_t value) { return value; }
cpp_int big(Money value) { return big(value.atto()); }

// The split as the header words it, in rationals over integers of any size.
template <typename Weight>
std::vector<cpp_int> slow_split(const cpp_int& total, const std::vector<Weight>& weights) {
  cpp_int sum = 0;
  for (const Weight& weight : weights) sum += big(weight);
  const cpp_int magnitude = abs(total);
  std::vector<cpp_int> parts, remainders;
  cpp_int left = magnitude;
  for (const Weight& weight : weights) {
    const cpp_int product = magnitude * big(weight);
    parts.emplace_back(product / sum);
    remainders.emplace_back(product % sum);
    left -= parts.back();
  }
  std::vector<size_t> order(weights.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return remainders[a] != remainders[b] ? remainders[a] > remainders[b] : a < b;
  });
  for (size_t i = 0; left > 0; ++i, --left) parts[order[i]] += 1;
  if (total < 0) {
    for (cpp_int& part : parts) part = -part;
  }
  return parts;
}

template <typename Part>
std::vector<cpp_int> big_parts(const std::vector<Part>& parts) {
  std::vector<cpp_int> all;
  all.reserve(parts.size());
  for (const Part& part : parts) all.push_back(big(part));
  return all;
}

// Numbers of every size up to `bits` bits, not only large ones.
uint128 any_bits(int bits) {
  const auto hi = *rc::gen::arbitrary<uint64_t>();
  const auto lo = *rc::gen::arbitrary<uint64_t>();
  const int shift = *rc::gen::inRange(128 - bits, 129);
  return shift == 128 ? 0 : ((uint128{hi} << 64) | lo) >> shift;
}

Money any_money() {
  const auto magnitude = static_cast<int128>(any_bits(126));
  return Money::from_atto(*rc::gen::arbitrary<bool>() ? -magnitude : magnitude);
}

std::vector<int64_t> any_weights(int bits) {
  const auto count = *rc::gen::inRange<size_t>(1, 40);
  std::vector<int64_t> weights(count);
  for (int64_t& weight : weights) weight = static_cast<int64_t>(any_bits(bits));
  if (std::ranges::all_of(weights, [](int64_t w) { return w == 0; })) weights.back() = 1;
  return weights;
}

RC_GTEST_PROP(MoneySplit, MatchesTheOracle, ()) {
  const Money total = any_money();
  const std::vector<int64_t> weights = any_weights(*rc::gen::element(4, 20, 52, 63));
  RC_ASSERT(big_parts(split(total, weights)) == slow_split(big(total), weights));
}

RC_GTEST_PROP(MoneySplit, PartsSumToTheTotal, ()) {
  const Money total = any_money();
  const std::vector<int64_t> weights = any_weights(63);
  Money sum;
  for (const Money part : split(total, weights)) sum += part;
  RC_ASSERT(sum == total);
}

RC_GTEST_PROP(MoneySplit, ManyEqualWeightsTieToTheLowerIndex, ()) {
  const Money total = Money::from_atto(*rc::gen::inRange<int64_t>(-1000, 1000));
  const std::vector<int64_t> weights(*rc::gen::inRange<size_t>(1, 60), 7);
  const std::vector<Money> parts = split(total, weights);
  RC_ASSERT(big_parts(parts) == slow_split(big(total), weights));
  for (size_t i = 1; i < parts.size(); ++i) {
    RC_ASSERT((total.is_negative() ? parts[i - 1] <= parts[i] : parts[i - 1] >= parts[i]));
  }
}

RC_GTEST_PROP(MoneySplit, MoneyAsWeightsMatchesTheOracle, ()) {
  const Money total = any_money();
  std::vector<Money> weights(*rc::gen::inRange<size_t>(1, 12));
  for (Money& weight : weights) {
    weight = Money::from_atto(static_cast<int128>(any_bits(*rc::gen::element(30, 80, 126))));
  }
  if (std::ranges::all_of(weights, &Money::is_zero)) weights.front() = Money::from_atto(1);
  RC_ASSERT(big_parts(split_by_money(total, weights)) == slow_split(big(total), weights));
}

RC_GTEST_PROP(MoneySplit, CountsMatchTheOracle, ()) {
  const auto total = *rc::gen::arbitrary<int64_t>();
  std::vector<uint128> weights(*rc::gen::inRange<size_t>(1, 12));
  for (uint128& weight : weights) weight = any_bits(*rc::gen::element(20, 64, 100, 127));
  if (std::ranges::all_of(weights, [](uint128 w) { return w == 0; })) weights.front() = 1;
  std::vector<int64_t> parts(weights.size());
  split_count(total, std::span<const uint128>(weights), parts);
  RC_ASSERT(big_parts(parts) == slow_split(cpp_int(total), weights));
}

TEST(MoneySplit, Limits) {
  constexpr int128 kMaxAtto = static_cast<int128>(power_of_ten(38) - 1);
  for (const int128 atto : {kMaxAtto, -kMaxAtto, int128{1}, int128{-1}, int128{0}}) {
    const Money total = Money::from_atto(atto);
    for (const std::vector<int64_t>& weights :
         {std::vector<int64_t>{INT64_MAX, INT64_MAX, INT64_MAX},
          {INT64_MAX, 1},
          {1, INT64_MAX, 0},
          {INT64_MAX, INT64_MAX - 1, 2},
          {1, 1, 1},
          std::vector<int64_t>(17, INT64_MAX)}) {
      EXPECT_EQ(big_parts(split(total, weights)), slow_split(big(total), weights));
    }
  }
  // Weights of 2^127, whose sum passes 128 bits.
  constexpr uint128 kTop = uint128{1} << 127;
  for (const int64_t total : {INT64_MAX, INT64_MIN, int64_t{-1}, int64_t{5}}) {
    for (const std::vector<uint128>& weights :
         {std::vector<uint128>{kTop, kTop}, {kTop, kTop, kTop, 1}, {kTop, 1, 0}, {1, kTop}}) {
      std::vector<int64_t> parts(weights.size());
      split_count(total, std::span<const uint128>(weights), parts);
      EXPECT_EQ(big_parts(parts), slow_split(cpp_int(total), weights));
    }
  }
}

TEST(MoneySplit, ByHand) {
  const Money cent = Money::from_atto(10'000'000'000'000'000);
  const std::vector<int64_t> thirds = {1, 1, 1};
  const std::vector<Money> parts = split(cent, thirds);
  EXPECT_EQ(to_text(parts[0]), "0.003333333333333334");
  EXPECT_EQ(to_text(parts[1]), "0.003333333333333333");
  EXPECT_EQ(to_text(parts[2]), "0.003333333333333333");
  EXPECT_EQ(to_text(split(-cent, thirds)[0]), "-0.003333333333333334");
  // 10 over 3 : 3 : 5 is 2.72 2.72 4.54: one unit is left, for the last two digits' larger rest.
  const std::vector<int64_t> weights = {3, 3, 5};
  std::vector<int64_t> counts(3);
  split_count(10, std::span<const int64_t>(weights), counts);
  EXPECT_EQ(counts, (std::vector<int64_t>{3, 3, 4}));
  const std::vector<int64_t> lone = {0, 9, 0};
  EXPECT_EQ(split(cent, lone), (std::vector<Money>{Money(), cent, Money()}));
}

TEST(MoneySplitDeath, AsksForAWeight) {
  const std::vector<int64_t> none = {0, 0};
  const std::vector<int64_t> negative = {2, -1};
  EXPECT_EXIT(split(Money::from_units(1), none), testing::ExitedWithCode(3), "weight above zero");
  EXPECT_EXIT(split(Money::from_units(1), negative), testing::ExitedWithCode(3), "weight lies in");
  std::vector<Money> parts(1);
  EXPECT_EXIT(split(Money::from_units(1), negative, parts), testing::ExitedWithCode(3),
              "one part a weight");
}

RC_GTEST_PROP(WideMath, DivisionMatchesTheOracle, ()) {
  const uint128 a = any_bits(128);
  const uint128 b = any_bits(128);
  const Uint256 product = multiply(a, b);
  const cpp_int whole = big(a) * big(b);
  RC_ASSERT((big(product.hi) << 128) + big(product.lo) == whole);
  Uint256 divisor{any_bits(*rc::gen::element(0, 60)), any_bits(128)};
  if (divisor.hi == 0 && divisor.lo <= product.hi) divisor.lo = product.hi + 1;
  RC_PRE(divisor.hi != 0 || divisor.lo != 0);
  const auto [quotient, rest] = divide_256(product, divisor);
  const cpp_int big_divisor = (big(divisor.hi) << 128) + big(divisor.lo);
  RC_ASSERT(big(quotient) == whole / big_divisor);
  RC_ASSERT((big(rest.hi) << 128) + big(rest.lo) == whole % big_divisor);
}

// Dividends for which the guess of a quotient's digit is one and two too large.
TEST(WideMath, GuessesThatAreTooLarge) {
  constexpr uint128 kOnes = ~uint128{0};
  for (const uint128 divisor : {(uint128{1} << 127) | UINT64_MAX, (uint128{1} << 127) + 1, kOnes,
                                kOnes << 64, (uint128{UINT64_MAX} << 64) | 1}) {
    for (const uint128 below : {uint128{1}, uint128{2}, uint128{UINT64_MAX}, divisor}) {
      for (const uint128 lo : {uint128{0}, kOnes, uint128{UINT64_MAX}, kOnes << 64}) {
        const Uint256 dividend{divisor - below, lo};
        const auto [quotient, rest] = divide_256(dividend, {0, divisor});
        const cpp_int whole = (big(dividend.hi) << 128) + big(lo);
        EXPECT_EQ(big(quotient), whole / big(divisor));
        EXPECT_EQ(big(rest.lo), whole % big(divisor));
      }
    }
  }
}

cpp_int slow_half_even(const cpp_int& numerator, const cpp_int& denominator) {
  const cpp_int magnitude = abs(numerator);
  cpp_int quotient = magnitude / denominator;
  const cpp_int twice = magnitude % denominator * 2;
  if (twice > denominator || (twice == denominator && quotient % 2 != 0)) quotient += 1;
  return numerator < 0 ? -quotient : quotient;
}

RC_GTEST_PROP(MoneyRounding, MatchesTheOracle, ()) {
  const Money amount = any_money();
  const int decimals = *rc::gen::inRange(0, 19);
  const cpp_int step = big(power_of_ten(18 - decimals));
  RC_ASSERT(big(round_half_even(amount, decimals)) == slow_half_even(big(amount), step) * step);
  const uint128 denominator = std::max<uint128>(any_bits(*rc::gen::element(8, 64, 126)), 1);
  RC_ASSERT(big(divide(amount, static_cast<int128>(denominator))) ==
            slow_half_even(big(amount), big(denominator)));
}

RC_GTEST_PROP(MoneyRounding, MulDivMatchesTheOracle, ()) {
  const auto a = *rc::gen::arbitrary<int64_t>();
  const auto c = static_cast<int64_t>(any_bits(62)) + 1;
  const auto b = *rc::gen::inRange<int64_t>(-c, c);
  RC_ASSERT(cpp_int(mul_div_half_even(a, b, c)) == slow_half_even(cpp_int(a) * b, cpp_int(c)));
}

TEST(MoneyRounding, TiesGoToTheEvenDigit) {
  const auto cents = [](int64_t thousandths) {
    return to_text_rounded(Money::from_atto(int128{thousandths} * 1'000'000'000'000'000), 2);
  };
  EXPECT_EQ(cents(5), "0.00");
  EXPECT_EQ(cents(15), "0.02");
  EXPECT_EQ(cents(25), "0.02");
  EXPECT_EQ(cents(-25), "-0.02");
  EXPECT_EQ(cents(-35), "-0.04");
  EXPECT_EQ(cents(-5), "0.00");
  EXPECT_EQ(cents(999'996), "1000.00");
  EXPECT_EQ(mul_div_half_even(1, 1, 2), 0);
  EXPECT_EQ(mul_div_half_even(3, 1, 2), 2);
  EXPECT_EQ(mul_div_half_even(-3, 1, 2), -2);
  EXPECT_EQ(mul_div_half_even(INT64_MIN, INT64_MAX, INT64_MAX), INT64_MIN);
}

TEST(MoneyText, ExactAndShortest) {
  EXPECT_EQ(to_text(Money()), "0");
  EXPECT_EQ(to_text(Money::from_units(3)), "3");
  EXPECT_EQ(to_text(Money::from_units(-1200)), "-1200");
  EXPECT_EQ(to_text(Money::from_atto(1)), "0.000000000000000001");
  EXPECT_EQ(to_text(Money::from_atto(-Money::kAttoPerUnit / 4)), "-0.25");
  EXPECT_EQ(to_text(Money::from_atto(static_cast<int128>(power_of_ten(38) - 1))),
            "99999999999999999999.999999999999999999");
  EXPECT_EQ(to_text(Money::from_atto(static_cast<int128>(power_of_ten(37)))),
            "10000000000000000000");
  EXPECT_EQ(to_text_rounded(Money::from_units(7), 0), "7");
  EXPECT_EQ(to_text_rounded(Money::from_units(7), 18), "7.000000000000000000");
}

RC_GTEST_PROP(MoneyStored, ColumnsSumToTheMoney, ()) {
  int128 units = 0;
  int128 atto = 0;
  Money sum;
  for (int i = 0; i < 20; ++i) {
    const Money amount = Money::from_atto(any_money().atto() / 100);
    const Money::Stored stored = amount.stored();
    RC_ASSERT(stored.atto >= 0 && stored.atto < Money::kAttoPerUnit);
    RC_ASSERT(Money::from_stored(stored.units, stored.atto) == amount);
    units += stored.units;
    atto += stored.atto;
    sum += amount;
  }
  RC_ASSERT(Money::from_stored(units, atto) == sum);
}

TEST(MoneyStored, Edges) {
  const auto least = Money::from_units(INT64_MIN);
  EXPECT_TRUE(least.fits_store());
  EXPECT_EQ(least.stored().units, INT64_MIN);
  EXPECT_FALSE((least - Money::from_atto(1)).fits_store());
  const auto most = Money::from_atto((int128{INT64_MAX} + 1) * Money::kAttoPerUnit - 1);
  EXPECT_EQ(most.stored().units, INT64_MAX);
  EXPECT_EQ(most.stored().atto, Money::kAttoPerUnit - 1);
  EXPECT_FALSE((most + Money::from_atto(1)).fits_store());
  EXPECT_EQ(Money::from_atto(-1).stored().units, -1);
}

TEST(MoneyDeath, OverflowAsserts) {
  const Money most = Money::from_atto(static_cast<int128>(power_of_ten(38) - 1));
  EXPECT_EQ(most - most, Money());
  EXPECT_EXIT(most + Money::from_atto(1), testing::ExitedWithCode(3), "passes DECIMAL");
  EXPECT_EXIT(most + most, testing::ExitedWithCode(3), "money passes");
  EXPECT_EXIT(-most - most, testing::ExitedWithCode(3), "money passes");
  EXPECT_EXIT(divide(most, 0), testing::ExitedWithCode(3), "positive number");
}

// Worked out by hand: ties go to the even atto, signs are kept, and what the store can't hold is
// empty.
TEST(MoneyScaled, RoundsHalfEven) {
  const auto atto = [](int64_t value) { return Money::from_atto(value); };
  EXPECT_EQ(scaled(atto(5), 1, 2), atto(2));
  EXPECT_EQ(scaled(atto(7), 1, 2), atto(4));
  EXPECT_EQ(scaled(atto(-5), 1, 2), atto(-2));
  EXPECT_EQ(scaled(atto(2), 1, 3), atto(1));
  EXPECT_EQ(scaled(atto(0), 1, 3), atto(0));
  EXPECT_EQ(scaled(Money::from_units(2), 4, 3), Money::from_atto(2'666'666'666'666'666'667));
  const Money largest = Money::from_units(INT64_MAX);
  EXPECT_EQ(scaled(largest, 1, 1), largest);
  EXPECT_EQ(scaled(largest, Money::kAttoPerUnit, Money::kAttoPerUnit), largest);
  EXPECT_EQ(scaled(largest, 2, 1), std::nullopt);
  EXPECT_EQ(scaled(largest, largest.atto(), 1), std::nullopt);
  EXPECT_EQ(scaled(-largest, 2, 1), std::nullopt);
}

RC_GTEST_PROP(MoneyScaled, MatchesTheOracle, ()) {
  const Money amount = any_money();
  const auto numerator = static_cast<int128>(any_bits(120)) + 1;
  const auto denominator = static_cast<int128>(any_bits(120)) + 1;
  const cpp_int product = big(amount) * big(numerator);
  const cpp_int divisor = big(denominator);
  const cpp_int size = product < 0 ? cpp_int(-product) : product;
  cpp_int quotient = size / divisor;
  const cpp_int twice = (size - quotient * divisor) * 2;
  if (twice > divisor || (twice == divisor && quotient % 2 != 0)) ++quotient;
  const std::optional<Money> result = scaled(amount, numerator, denominator);
  const cpp_int limit = cpp_int(INT64_MAX) * Money::kAttoPerUnit;
  if (!result) {
    RC_ASSERT(quotient > limit);
  } else {
    RC_ASSERT(big(*result) == (product < 0 ? cpp_int(-quotient) : quotient));
  }
}

}  // namespace
}  // namespace tare
