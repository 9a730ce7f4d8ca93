// Integer arithmetic wider than the language has: 128 ÷ 64, and 256 ÷ 128 and 256 ÷ 256 bits.
#pragma once

#include <compare>
#include <cstdint>

#include "base/int128.h"

namespace tare {

// 10^exponent, 0 <= exponent <= 38.
constexpr uint128 power_of_ten(int exponent) {
  uint128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// DECIMAL(38,18), which money fits, holds magnitudes below the limit, in units of 1e-18.
inline constexpr int kDecimalDigits = 38;
inline constexpr uint128 kDecimalLimit = power_of_ten(kDecimalDigits);

struct Uint256 {
  uint128 hi = 0;
  uint128 lo = 0;
  constexpr auto operator<=>(const Uint256&) const = default;
};

constexpr Uint256 add(Uint256 a, uint128 b) {
  Uint256 sum{a.hi, a.lo + b};
  if (sum.lo < b) ++sum.hi;
  return sum;
}

constexpr Uint256 subtract(Uint256 a, Uint256 b) {  // requires a >= b
  return {a.hi - b.hi - (a.lo < b.lo ? 1 : 0), a.lo - b.lo};
}

constexpr Uint256 multiply(uint128 a, uint128 b) {
  const auto a_lo = static_cast<uint64_t>(a), a_hi = static_cast<uint64_t>(a >> 64);
  const auto b_lo = static_cast<uint64_t>(b), b_hi = static_cast<uint64_t>(b >> 64);
  const uint128 low = uint128{a_lo} * b_lo;
  const uint128 middle = uint128{a_lo} * b_hi + (low >> 64);
  const uint128 cross = uint128{a_hi} * b_lo + static_cast<uint64_t>(middle);
  return {uint128{a_hi} * b_hi + (middle >> 64) + (cross >> 64),
          (cross << 64) | static_cast<uint64_t>(low)};
}

struct Division64 {
  uint64_t quotient = 0;
  uint64_t remainder = 0;
};

// Requires a quotient below 2^64, that is the upper half of `dividend` below `divisor`.
inline Division64 divide_128_by_64(uint128 dividend, uint64_t divisor) {
#if defined(__x86_64__)
  Division64 result;
  __asm__("divq %4"
          : "=a"(result.quotient), "=d"(result.remainder)
          : "a"(static_cast<uint64_t>(dividend)), "d"(static_cast<uint64_t>(dividend >> 64)),
            "r"(divisor)
          : "cc");
  return result;
#else
  return {static_cast<uint64_t>(dividend / divisor), static_cast<uint64_t>(dividend % divisor)};
#endif
}

struct Division256 {
  uint128 quotient = 0;
  Uint256 remainder;
};

// Requires divisor > 0 and a quotient below 2^128, that is dividend < divisor × 2^128.
Division256 divide_256(Uint256 dividend, Uint256 divisor);

}  // namespace tare
