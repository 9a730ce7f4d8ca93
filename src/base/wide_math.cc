#include "base/wide_math.h"

#include <bit>

namespace tare {
namespace {

constexpr uint128 kLow64 = UINT64_MAX;

int leading_zeros(uint128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<uint64_t>(value));
}

// One 64-bit digit of the quotient (high : next_digit) / divisor, and what is left of the dividend.
// Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, step D3, with base 2^64: the guess
// from the divisor's upper half is at most two too large. Requires high < divisor, its top bit set.
struct Digit {
  uint128 quotient = 0;
  uint128 rest = 0;
};
Digit next_digit(uint128 high, uint64_t low, uint128 divisor) {
  const uint128 upper = divisor >> 64;
  const uint128 lower = divisor & kLow64;
  uint128 guess = high / upper;
  uint128 rest = high - guess * upper;
  while (guess > kLow64 || guess * lower > ((rest << 64) | low)) {
    --guess;
    rest += upper;
    if (rest > kLow64) break;
  }
  return {guess, ((high << 64) | low) - guess * divisor};  // modulo 2^128, the true value is below
}

Division256 divide_by_128(Uint256 dividend, uint128 divisor) {
  const int shift = leading_zeros(divisor);
  if (shift > 0) {
    divisor <<= shift;
    dividend.hi = (dividend.hi << shift) | (dividend.lo >> (128 - shift));
    dividend.lo <<= shift;
  }
  const Digit first = next_digit(dividend.hi, static_cast<uint64_t>(dividend.lo >> 64), divisor);
  const Digit second = next_digit(first.rest, static_cast<uint64_t>(dividend.lo), divisor);
  return {(first.quotient << 64) | second.quotient, {0, second.rest >> shift}};
}

// Bit by bit: only weights whose sum passes 2^128 come here.
Division256 divide_by_256(Uint256 dividend, Uint256 divisor) {
  Division256 result;
  for (int bit = 255; bit >= 0; --bit) {
    const uint128 next = (bit >= 128 ? dividend.hi >> (bit - 128) : dividend.lo >> bit) & 1;
    Uint256& rest = result.remainder;
    rest = {(rest.hi << 1) | (rest.lo >> 127), (rest.lo << 1) | next};
    result.quotient <<= 1;
    if (rest >= divisor) {
      rest = subtract(rest, divisor);
      result.quotient |= 1;
    }
  }
  return result;
}

}  // namespace

Division256 divide_256(Uint256 dividend, Uint256 divisor) {
  return divisor.hi == 0 ? divide_by_128(dividend, divisor.lo) : divide_by_256(dividend, divisor);
}

}  // namespace tare
