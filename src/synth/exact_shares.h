// The exact split, coded from its definition and for this room alone, so that the truth does not
// lean on what it is compared with.
#pragma once

#include <span>
#include <vector>

#include "base/int128.h"

namespace tare::synth {

// parts[i] = floor(|total| × weights[i] ÷ sum of weights), then one more for those with the largest
// remainders, ties to the lower index, until the parts sum to |total|; then total's sign. Requires
// some weight > 0 and a sum of weights below 2^127.
void share_exactly(int128 total, std::span<const uint128> weights, std::vector<int128>* parts);

}  // namespace tare::synth
