// Which digits are shown, so that what a reader adds up by hand is what stands below.
//
// A total is rounded half even. The rows of depth 0 are rounded so that they sum to the shown
// total, and a row's children so that they sum to their shown parent: each part is floored, then
// the units that are left go to the largest remainders, ties to the earlier row. So no part is off
// by a whole shown unit. Where the exact parts don't sum to the exact parent, each is rounded half
// even alone. A column with `shown_sum_of` is the sum of the shown cells beside it, if the exact
// cells of all rows that add up sum so.
#pragma once

#include <optional>
#include <vector>

#include "base/table.h"

namespace tare {

// By row and column, in units of the last shown digit: 12.34 at 2 decimals is 1234. Cells of money,
// device time (in hours), ratios (in percent) and the lower ends of ranges of money have one, no
// others.
using ShownUnits = std::vector<std::vector<std::optional<int128>>>;
ShownUnits shown_units(const Table& table);
// The same of the upper ends of ranges, whose lower ends `units` has; cells that are no ranges are
// as in `units`. Empty where no rounding lets the parts add up: such a cell is rounded alone.
ShownUnits shown_high_units(const Table& table, const ShownUnits& units);

// Decimals of a cell: the column's, but for device time at most 11, where an hour's digits divide a
// whole number of nanoseconds.
int shown_decimals(const Value& value, const Column& column);

}  // namespace tare
