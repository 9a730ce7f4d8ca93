// A fast 128-bit hash over the cells of a row, for tables in memory only: it is never stored, so it
// may change. Two lanes of 64×64→128-bit multiplications over sixteen bytes at a time.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/hash128.h"
#include "base/int128.h"

namespace tare::sources {

class CellHash {
 public:
  void add(std::string_view cell) {
    const char* at = cell.data();
    size_t left = cell.size();
    uint64_t first = left;
    for (; left > 16; at += 16, left -= 16) mix(word(at), word(at + 8));
    uint64_t second = 0;
    if (left >= 8) {
      first ^= word(at) * kThird;
      second = word(at + left - 8);
    } else if (left > 0) {
      std::memcpy(&second, at, left);
    }
    mix(first, second);
  }
  void add(uint64_t value) { mix(value, kFourth); }
  Hash128 finish() const {
    return {fold(first_ ^ kThird, kFirst), fold(second_ ^ kThird, kSecond)};
  }

 private:
  static constexpr uint64_t kFirst = 0xa0761d6478bd642f;
  static constexpr uint64_t kSecond = 0xe7037ed1a0b428db;
  static constexpr uint64_t kThird = 0x8ebc6af09c88c6e3;
  static constexpr uint64_t kFourth = 0x589965cc75374cc3;

  static uint64_t word(const char* at) {
    uint64_t value = 0;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  static uint64_t fold(uint64_t a, uint64_t b) {
    const uint128 product = uint128{a} * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  void mix(uint64_t a, uint64_t b) {
    first_ = fold(a ^ first_, b ^ kFirst) + a;
    second_ = fold(b ^ second_, a ^ kSecond) + b;
  }

  uint64_t first_ = 0x2d358dccaa6c78a5;
  uint64_t second_ = 0x8bb84b93962eacc9;
};

}  // namespace tare::sources
