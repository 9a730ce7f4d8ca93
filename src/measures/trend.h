// What a month says about a model beside the month before: its bill and its cost per outcome, each
// up, flat or down (model.md, "Outcomes and unit costs").
#pragma once

#include <optional>
#include <string_view>

#include "measures/exact.h"

namespace tare::measures {

// A cost per outcome with its limits; no high limit where the count's low limit is zero or below.
struct UnitRange {
  Rational value, low;
  std::optional<Rational> high;
};

enum class Direction : uint8_t { kUp, kFlat, kDown, kUndecided };

// Flat within `flat_ratio` either way. Requires before > 0.
Direction direction(const Rational& now, const Rational& before, const Rational& flat_ratio);

// Up or down only where the interval of the quotient leaves out 1; flat unless that interval
// reaches beyond flat on both sides. The interval of the quotient comes from the two by squaring
// and adding on the log scale (Zou and Donner, Statistics in Medicine 27, 2008, "MOVER"). Requires
// values > 0.
Direction direction(const UnitRange& now, const UnitRange& before, const Rational& flat_ratio);

// "growing", "wasteful", "starved", "steady", "improving", "shrinking", "undecided".
std::string_view trend_word(Direction bill, Direction unit_cost);

}  // namespace tare::measures
