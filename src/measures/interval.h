// How sure a count is. Garwood's limits for a Poisson count k at 95 %: half the chi-squared
// quantile 0.025 with 2k degrees of freedom, and half the quantile 0.975 with 2k + 2 (Garwood,
// Biometrika 28, 1936, "Fiducial limits for the Poisson distribution").
#pragma once

#include <cstdint>

#include "base/money.h"

namespace tare::measures {

struct CountInterval {
  Money low, high;  // counts, as decimals
};

// Rounded outwards to 1e-6, so that the last digits of a quantile are in no result.
CountInterval garwood(int64_t count);

}  // namespace tare::measures
