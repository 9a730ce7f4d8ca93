// The parts of what a bill line has beside its four costs: its quantities, and its effective cost
// in the currency of its prices. Costs were split while posting; this splits the rest alike.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "store/store.h"

namespace tare::measures {

struct PostedPart {
  Costs costs;            // null in all parts where it is null in the line
  int64_t billed_ns = 0;  // device-time
};

// What the parts of a quantity are proportional to, one weight a part, some weight > 0: the list
// cost, which is a price times the quantity; else, where it is null or adds up to nothing, the
// contracted, effective or billed cost, the device-time, and at last equal parts.
// `effective_first`: of a cost that mirrors the effective one, that and the billed cost come first.
std::vector<Money> share_weights(std::span<const PostedPart> parts, bool effective_first);

// Writes the table focus_share (file, row, consumed, pricing, commitment,
// pricing_currency_effective) of each posting of a line that has several; the parts of a line sum
// to what it has. `sql` is focus_split_lines.sql with its period.
void write_focus_shares(store::Connection& connection, std::string_view sql,
                        store::FileWriter& file);

}  // namespace tare::measures
