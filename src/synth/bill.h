// The lines of one billing period, made from the plan one after the other, and their truth.
#pragma once

#include <functional>

#include "synth/dims.h"
#include "synth/truth.h"

namespace tare::synth {

struct BillLine {
  int32_t dim = 0;
  Span32 period = {};
  Amounts costs = {};
  uint8_t unknown = 0;  // bit c: costs[c] is not written
  bool has_quantity = true;
  int64_t quantity_micros = 0;  // consumed and priced, in millionths of the unit
};

struct PeriodTotals {
  int64_t lines = 0;
  std::array<int128, static_cast<size_t>(Seller::kCount)> billed = {};
};

// Adds the period's lines to `truth`, whose sums it leaves for the caller to write and clear. The
// restated delivery has a quarter of the machines at a tenth less.
PeriodTotals make_period(const World& world, const Dims& dims, int32_t month, bool restated,
                         Truth* truth, const std::function<void(const BillLine&)>& sink);

}  // namespace tare::synth
