#include "synth/exact_shares.h"

#include "base/errors.h"
#include "base/wide_math.h"

namespace tare::synth {

void share_exactly(int128 total, std::span<const uint128> weights, std::vector<int128>* parts) {
  uint128 whole = 0, largest = 0;
  for (const uint128 weight : weights) {
    whole += weight;
    largest = weight > largest ? weight : largest;
  }
  TARE_ASSERT(whole > 0, "a share needs a weight above zero");
  const uint128 magnitude = total < 0 ? -static_cast<uint128>(total) : static_cast<uint128>(total);
  const bool narrow = magnitude <= ~uint128{0} / largest;
  parts->assign(weights.size(), 0);
  thread_local std::vector<uint128> remainders;
  remainders.assign(weights.size(), 0);
  uint128 left = magnitude;
  for (size_t i = 0; i < weights.size(); ++i) {
    uint128 floor = 0;
    if (narrow) {
      const uint128 product = magnitude * weights[i];
      floor = product / whole;
      remainders[i] = product - floor * whole;
    } else {
      const Division256 division = divide_256(multiply(magnitude, weights[i]), {0, whole});
      floor = division.quotient;
      remainders[i] = division.remainder.lo;
    }
    (*parts)[i] = static_cast<int128>(floor);
    left -= floor;
  }
  for (; left > 0; --left) {
    size_t best = 0;
    for (size_t i = 1; i < remainders.size(); ++i) {
      if (remainders[i] > remainders[best]) best = i;
    }
    remainders[best] = 0;
    ++(*parts)[best];
  }
  if (total < 0) {
    for (int128& part : *parts) part = -part;
  }
}

}  // namespace tare::synth
