// Quotients of money, counts and time as exact rationals, and how they become values of a table.
#pragma once

#include <cstdint>
#include <optional>

#include <boost/multiprecision/cpp_int.hpp>

#include "base/table.h"

namespace tare::measures {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

Integer integer(int128 value);
int128 to_int128(const Integer& value);  // asserts that it fits

// In currency units: 0.25 is 1/4. Counts of outcomes are Money too (18 decimals), and read the
// same.
Rational rational(Money amount);
Rational rational_of_decimal(const std::string& text);  // "0.05"; asserts that it is a decimal

// Rounded half even to 1e-18.
Money to_money(const Rational& value);

// Exact where numerator and denominator fit 127 bits, else both are cut to 127 bits: a shown
// percentage never sees the difference.
Ratio to_ratio(const Rational& value);

// part ÷ whole; Unknown where the whole is zero.
Value ratio_value(const Rational& part, const Rational& whole);
Value ratio_value(Money part, Money whole);
Value ratio_value(int128 part, int128 whole);

// Device time; Unknown where a table's cell can't hold it (beyond 292 years of one device in 64
// bits).
Value time_value(int128 ns);

// An exact price; rounded to 1e-18 only where the pair does not fit the type.
Value price_value(const Rational& price);

// A count as an integer where it is one, else as a decimal.
Value count_value(Money count);

// (now - before) ÷ before; Unknown where there is no positive before.
Value change_value(const std::optional<Rational>& now, const std::optional<Rational>& before);

}  // namespace tare::measures
