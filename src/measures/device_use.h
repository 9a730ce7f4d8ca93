// What some billed device time was, what it cost, and the figures that follow from both.
#pragma once

#include "base/table.h"
#include "measures/exact.h"

namespace tare::measures {

struct DeviceUse {
  int128 billed_ns = 0, busy_ns = 0, useful_ns = 0, unknown_ns = 0;
  Money billed_cost, busy_cost, unknown_cost;  // of device time: other charges are in none of them
  // Of unknown_cost, what is negative: a credit and a charge of unknown use do not make a known 0.
  Money unknown_credit;

  int128 known_ns() const { return billed_ns - unknown_ns; }
  DeviceUse& operator+=(const DeviceUse& other);
  DeviceUse& operator-=(const DeviceUse& other);
};

// Busy ÷ billed where coverage is at least min_coverage, else a range up to (busy + unknown) ÷
// billed; Unknown without device time.
Value utilisation_value(const DeviceUse& use, const Rational& min_coverage);

// 1 - unknown ÷ billed.
Value coverage_value(const DeviceUse& use);

// The money of busy time: a range up to that of unknown time too.
Value usage_cost_value(const DeviceUse& use);

Value price_per_hour(const DeviceUse& use);

// Cost of the device time ÷ busy hours, or ÷ useful hours; a range where coverage is too low, a
// lower bound where nothing is known to be so.
Value price_per_busy_hour(const DeviceUse& use, const Rational& min_coverage);
Value price_per_useful_hour(const DeviceUse& use, const Rational& min_coverage);

}  // namespace tare::measures
