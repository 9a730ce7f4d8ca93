// Random numbers that are the same on every system: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014)
// and integer arithmetic. The standard library's distributions differ from one library to the next.
#pragma once

#include <cstdint>

#include "base/int128.h"

namespace tare::synth {

constexpr uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15ULL;

// A number that depends on all three and on nothing else: for what is looked up in any order.
constexpr uint64_t draw(uint64_t seed, uint64_t what, uint64_t which) {
  return mixed(mixed(seed + kGolden * what) + kGolden * which);
}

constexpr int64_t scaled_below(uint64_t drawn, int64_t bound) {  // in [0, bound)
  return static_cast<int64_t>((static_cast<uint128>(drawn) * static_cast<uint64_t>(bound)) >> 64);
}

class Dice {
 public:
  Dice(uint64_t seed, uint64_t stream) : state_(mixed(seed + kGolden * stream)) {}

  uint64_t next() { return mixed(state_ += kGolden); }
  int64_t below(int64_t bound) { return scaled_below(next(), bound); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }  // inclusive
  bool one_in(int64_t count) { return below(count) == 0; }

 private:
  uint64_t state_;
};

}  // namespace tare::synth
