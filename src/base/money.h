// Money and exact splits: the only arithmetic that touches cents.
//
// Money is a signed 128-bit count of 1e-18 currency units ("atto"), the same as DECIMAL(38,18). It
// carries no currency: sums are kept per currency by whoever adds. Overflow past DECIMAL(38,18) is
// a bug of the caller's bounds and asserts.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/int128.h"

namespace tare {

class Money {
 public:
  static constexpr int64_t kAttoPerUnit = 1'000'000'000'000'000'000;
  static constexpr int kScale = 18;

  // Units are the floor, atto lies in [0, 1e18): how the store keeps an amount in two BIGINTs, so
  // that a sum of each column and one combination at the end is the sum of the money.
  struct Stored {
    int64_t units = 0;
    int64_t atto = 0;
  };

  constexpr Money() = default;
  template <std::floating_point F>
  Money(F) = delete;

  static constexpr Money from_atto(int128 atto) { return Money(atto); }
  static constexpr Money from_units(int64_t units) {
    return Money(static_cast<int128>(units) * kAttoPerUnit);
  }
  // Accepts sums of stored columns too: `atto` may be any value.
  static constexpr Money from_stored(int128 units, int128 atto) {
    return Money(units * kAttoPerUnit + atto);
  }

  constexpr int128 atto() const { return atto_; }
  // Whether units fit 64 bits (about ±9.2e18): DECIMAL(38,18) itself reaches further.
  constexpr bool fits_store() const {
    return atto_ >= static_cast<int128>(INT64_MIN) * kAttoPerUnit &&
           atto_ < (static_cast<int128>(INT64_MAX) + 1) * kAttoPerUnit;
  }
  Stored stored() const;  // requires fits_store()
  constexpr bool is_zero() const { return atto_ == 0; }
  constexpr bool is_negative() const { return atto_ < 0; }

  Money operator+(Money other) const;  // asserts on overflow
  Money operator-(Money other) const;
  Money operator-() const;
  Money& operator+=(Money other) { return *this = *this + other; }
  Money& operator-=(Money other) { return *this = *this - other; }
  constexpr auto operator<=>(const Money&) const = default;

 private:
  explicit constexpr Money(int128 atto) : atto_(atto) {}
  int128 atto_ = 0;
};

static_assert(!std::is_constructible_v<Money, double>);

// Exact and shortest: "-0.25", "3", "0.000000000000000001".
std::string to_text(Money amount);

// `decimals` digits after the point (0..18), rounded half even, no thousands separator.
std::string to_text_rounded(Money amount, int decimals);

// Rounds half even to `decimals` digits after the point.
Money round_half_even(Money amount, int decimals);

// numerator / denominator rounded half even to 1e-18. Requires denominator > 0.
Money divide(Money numerator, int128 denominator);

// amount × numerator ÷ denominator rounded half even to 1e-18, 256 bits wide inside; empty where
// the store could not hold it. Requires numerator > 0 and denominator > 0.
std::optional<Money> scaled(Money amount, int128 numerator, int128 denominator);

// Splits `total` over `weights` into parts that sum to it exactly: each part is floored at 1e-18,
// then the units that are left go to the largest remainders, ties to the lower index. A negative
// total splits its magnitude. Requires some weight > 0, no weight < 0, parts.size() ==
// weights.size(). The sum of weights may pass 64 bits; total × weight is 256 bits wide inside.
void split(Money total, std::span<const int64_t> weights, std::span<Money> parts);
std::vector<Money> split(Money total, std::span<const int64_t> weights);

// The same with weights up to 2^127 (weights that are money themselves).
std::vector<Money> split_by_money(Money total, std::span<const Money> weights);

// The same for an integer count (nanoseconds) and weights up to 2^127.
void split_count(int64_t total, std::span<const uint128> weights, std::span<int64_t> parts);
void split_count(int64_t total, std::span<const int64_t> weights, std::span<int64_t> parts);

// a × b / c rounded half even, 256 bits wide inside. Requires c > 0 and a result within int64.
int64_t mul_div_half_even(int64_t a, int64_t b, int64_t c);

}  // namespace tare
