// One cell as text: for people with grouped thousands and rounded digits, for programs exact.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/table.h"

namespace tare {

// numerator / denominator with `decimals` digits after the point, rounded half even.
// Requires denominator != 0 and 0 <= decimals <= 38.
std::string quotient_text(int128 numerator, int128 denominator, int decimals);

// A ratio rounded half even at 9 decimals, without zeros at its end: "0.312".
std::string ratio_text(const Ratio& ratio);
// A price rounded half even at 18 decimals, without zeros at its end.
std::string price_text(const Price& price);
// A ratio without a denominator is unknown: no maker of tables needs to think of it.
inline bool is_known(const Ratio& ratio) { return ratio.denominator != 0; }

// For people: "1,234.50", "31.2-45.0 %", "> 12.30", "-" where unknown. `units` is the cell's entry
// in shown_units(). Text from data is returned as it is, not yet made safe for any format. The sign
// "%" is left out where the column's heading has it.
std::string people_text(const Value& value, const Column& column, std::optional<int128> units,
                        std::optional<int128> high_units = std::nullopt);

// "1234567.5" to "1,234,567.5".
std::string group_thousands(std::string_view number);

// Whether the cell is a figure, which has an id: all but texts and yes or no.
bool is_figure(const Value& value);

}  // namespace tare
