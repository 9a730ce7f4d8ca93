#include "base/decimal_text.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <ostream>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tare {
namespace {

using boost::multiprecision::cpp_int;

std::string shown(const DecimalResult& result) {
  switch (result.fault) {
    case DecimalFault::kNone:
      return to_text(result.value) + (result.rounded ? " rounded" : "");
    case DecimalFault::kEmpty:
      return "empty";
    case DecimalFault::kNotDecimal:
      return "not decimal";
    case DecimalFault::kTooLarge:
      break;
  }
  return "too large";
}

struct Case {
  const char* text;
  const char* expected;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << "'" << c.text << "'"; }

class DecimalTable : public testing::TestWithParam<Case> {};

TEST_P(DecimalTable, ReadsAs) {
  EXPECT_EQ(shown(parse_decimal(GetParam().text)), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Accepted, DecimalTable,
    testing::Values(
        Case{"0", "0"}, Case{"-0", "0"}, Case{"-0.00", "0"}, Case{"7", "7"}, Case{"-7.25", "-7.25"},
        Case{".5", "0.5"}, Case{"-.5", "-0.5"}, Case{"5.", "5"}, Case{"007.10", "7.1"},
        Case{"1.81E-8", "0.0000000181"}, Case{"35.2E-7", "0.00000352"}, Case{"1e3", "1000"},
        Case{"1e+3", "1000"}, Case{"-1.5E+02", "-150"}, Case{"5.e1", "50"}, Case{".5e1", "5"},
        Case{"0.000000000000000001", "0.000000000000000001"}, Case{"1e-18", "0.000000000000000001"},
        Case{"0.123456789012345678", "0.123456789012345678"},
        Case{"123456789012.345678901234567890", "123456789012.34567890123456789"},
        Case{"9999999999999999999", "9999999999999999999"},
        Case{"99999999999999999999.999999999999999999", "99999999999999999999.999999999999999999"},
        Case{"0.0000000000000000000000000000000001e30", "0.0001"},
        Case{"100000000000000000000000000000000000000000e-40", "10"},
        Case{"0e999999999999999999999999", "0"}, Case{"0.000e-99999999999", "0"},
        Case{"00000000000000000000000000000000000000000000001", "1"},
        Case{"1.000000000000000000000000000000000000000000", "1"}));

INSTANTIATE_TEST_SUITE_P(
    Rounded, DecimalTable,
    testing::Values(Case{"1e-400", "0 rounded"}, Case{"-1e-400", "0 rounded"},
                    Case{"0.0000000000000000005", "0 rounded"},
                    Case{"0.0000000000000000015", "0.000000000000000002 rounded"},
                    Case{"0.0000000000000000025", "0.000000000000000002 rounded"},
                    Case{"-0.0000000000000000025", "-0.000000000000000002 rounded"},
                    Case{"0.00000000000000000250000000000001", "0.000000000000000003 rounded"},
                    Case{"0.00000000000000000049999999999999", "0 rounded"},
                    Case{"5e-19", "0 rounded"}, Case{"6e-19", "0.000000000000000001 rounded"},
                    Case{"9e-20", "0 rounded"}, Case{"0.9999999999999999995", "1 rounded"},
                    Case{"123456789012.3456789012345678901",
                         "123456789012.34567890123456789 rounded"}));

INSTANTIATE_TEST_SUITE_P(
    Refused, DecimalTable,
    testing::Values(
        Case{"", "empty"}, Case{" ", "not decimal"}, Case{" 1", "not decimal"},
        Case{"1 ", "not decimal"}, Case{"+1", "not decimal"}, Case{"--1", "not decimal"},
        Case{"-", "not decimal"}, Case{".", "not decimal"}, Case{"-.", "not decimal"},
        Case{"1.2.3", "not decimal"}, Case{"e5", "not decimal"}, Case{"1e", "not decimal"},
        Case{"1e+", "not decimal"}, Case{"1e1.5", "not decimal"}, Case{"1e1e1", "not decimal"},
        Case{".e1", "not decimal"}, Case{"1,234.5", "not decimal"}, Case{"1.234,50", "not decimal"},
        Case{"1_000", "not decimal"}, Case{"NaN", "not decimal"}, Case{"inf", "not decimal"},
        Case{"$3", "not decimal"}, Case{"3 USD", "not decimal"}, Case{"0x1", "not decimal"},
        Case{"(5)", "not decimal"}, Case{"1-", "not decimal"}, Case{"\xd9\xa1", "not decimal"},
        Case{"12345678901234567890123x", "not decimal"}));

INSTANTIATE_TEST_SUITE_P(
    TooLarge, DecimalTable,
    testing::Values(Case{"1e20", "too large"}, Case{"-1e20", "too large"},
                    Case{"1e400", "too large"}, Case{"100000000000000000000", "too large"},
                    Case{"1e999999999999999999999", "too large"},
                    Case{"99999999999999999999.9999999999999999995", "too large"}));

// The value as an integer ratio, then rounded: any text of the grammar, however slow.
cpp_int slow_atto(const std::string& digits, int64_t exponent, bool& rounded) {
  cpp_int numerator(digits);
  cpp_int denominator = 1;
  for (int64_t i = 0; i < exponent + 18; ++i) numerator *= 10;
  for (int64_t i = exponent + 18; i < 0; ++i) denominator *= 10;
  cpp_int quotient = numerator / denominator;
  const cpp_int twice = numerator % denominator * 2;
  rounded = twice != 0;
  if (twice > denominator || (twice == denominator && quotient % 2 != 0)) quotient += 1;
  return quotient;
}

RC_GTEST_PROP(DecimalText, MatchesTheOracle, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 45);
  std::string digits(count, '0');
  for (char& c : digits) c = static_cast<char>('0' + *rc::gen::element(0, 0, 5, 9, 1, 4));
  const auto point = *rc::gen::inRange<size_t>(0, count + 1);
  const auto exponent = *rc::gen::element(0, 0, 1, -1, 7, -9, -20, 19, -44);
  const auto negative = *rc::gen::arbitrary<bool>();
  std::string text = digits.substr(0, point) + "." + digits.substr(point);
  if (point == count && *rc::gen::arbitrary<bool>()) text.pop_back();
  if (exponent != 0) text += "e" + std::to_string(exponent);
  if (negative) text.insert(0, 1, '-');

  bool rounded = false;
  const std::string significant = digits.substr(std::min(digits.find_first_not_of('0'), count - 1));
  cpp_int atto = slow_atto(significant, exponent - static_cast<int64_t>(count - point), rounded);
  const DecimalResult result = parse_decimal(text);
  if (atto >= boost::multiprecision::pow(cpp_int(10), 38)) {
    RC_ASSERT(result.fault == DecimalFault::kTooLarge);
    return;
  }
  RC_ASSERT(result.ok());
  RC_ASSERT(result.rounded == rounded);
  if (negative) atto = -atto;
  const int128 value = result.value.atto();
  const auto magnitude = static_cast<uint128>(value < 0 ? -value : value);
  const cpp_int wide =
      (cpp_int(static_cast<uint64_t>(magnitude >> 64)) << 64) + static_cast<uint64_t>(magnitude);
  RC_ASSERT((value < 0 ? cpp_int(-wide) : wide) == atto);
}

RC_GTEST_PROP(DecimalText, MoneyTextRoundTrips, (int64_t high, int64_t low)) {
  const Money amount = Money::from_atto(int128{high} * 1'000'000'000 + low);
  const DecimalResult result = parse_decimal(to_text(amount));
  RC_ASSERT(result.ok() && !result.rounded && result.value == amount);
}

RC_GTEST_PROP(ShortestText, ReadsBackAsTheSameDouble, (uint64_t bits)) {
  double value = 0;
  memcpy(&value, &bits, sizeof(value));
  RC_PRE(std::isfinite(value));
  const std::string text = shortest_text(value);
  RC_ASSERT(std::strtod(text.c_str(), nullptr) == value);
  RC_ASSERT(parse_decimal(text).fault != DecimalFault::kNotDecimal);
}

TEST(ShortestText, Known) {
  EXPECT_EQ(shortest_text(0.1), "0.1");
  EXPECT_EQ(shortest_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(shortest_text(1e-7), "1e-07");
  EXPECT_EQ(shown(parse_decimal(shortest_text(1e-7))), "0.0000001");
  EXPECT_EQ(shown(parse_decimal(shortest_text(std::numeric_limits<double>::quiet_NaN()))),
            "not decimal");
  EXPECT_EQ(shown(parse_decimal(shortest_text(-std::numeric_limits<double>::infinity()))),
            "not decimal");
}

TEST(ParseInteger, OnlyIntegers) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-42"), -42);
  EXPECT_EQ(parse_integer("007"), 7);
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "1_000",
                           "9223372036854775808", "-9223372036854775809"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(IntegerText, AllSizes) {
  EXPECT_EQ(integer_text(0), "0");
  EXPECT_EQ(integer_text(-12), "-12");
  constexpr auto kMost = static_cast<int128>(~uint128{0} >> 1);
  EXPECT_EQ(integer_text(kMost), "170141183460469231731687303715884105727");
  EXPECT_EQ(integer_text(-kMost - 1), "-170141183460469231731687303715884105728");
}

TEST(ParseFraction, DecimalsAndRatios) {
  const auto shown_fraction = [](const char* text) {
    const auto fraction = parse_fraction(text);
    return fraction ? to_text(*fraction) : "refused";
  };
  EXPECT_EQ(shown_fraction("1/7"), "1/7");
  EXPECT_EQ(shown_fraction("2/14"), "1/7");
  EXPECT_EQ(shown_fraction("0/5"), "0");
  EXPECT_EQ(shown_fraction("7/7"), "1");
  EXPECT_EQ(shown_fraction("3/2"), "3/2");
  EXPECT_EQ(shown_fraction("0.5"), "1/2");
  EXPECT_EQ(shown_fraction("1"), "1");
  EXPECT_EQ(shown_fraction("0"), "0");
  EXPECT_EQ(shown_fraction("0.142857"), "142857/1000000");
  EXPECT_EQ(shown_fraction("0.142857142"), "0.142857142");
  EXPECT_EQ(shown_fraction("0.2500000000"), "1/4");
  EXPECT_EQ(shown_fraction("1e-1"), "1/10");
  EXPECT_EQ(shown_fraction("1/1000000"), "1/1000000");
  for (const char* text : {"", "/", "1/", "/7", "1/0", "1/1000001", "1/-2", "-1/2", "-0.5", "1/2/3",
                           "1 / 2", "half", "0.1428571428", "1e19", "1e-10", "0.1/2", "NaN",
                           "9223372036854775808", "9223372036854775807.5"}) {
    EXPECT_EQ(shown_fraction(text), "refused") << text;
  }
}

TEST(FractionText, ReadsBackWhateverItsDenominator) {
  for (const char* text :
       {"1/7", "0.142857143", "0.000000001", "0.5", "3", "999999/1000000", "2.123456789",
        "9223372036854775807", "9223372036854775807/1", "9223372036854775807/1000000"}) {
    const auto fraction = parse_fraction(text);
    ASSERT_TRUE(fraction.has_value()) << text;
    EXPECT_EQ(parse_fraction(to_text(*fraction)), fraction) << text << " as " << to_text(*fraction);
  }
}

}  // namespace
}  // namespace tare
