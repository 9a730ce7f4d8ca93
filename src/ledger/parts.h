// Who gets which part of a line that the timeline or a run-id tag governs: integer weights of
// device-time, in the order of a split's parts (R30, R50).
#pragma once

#include <vector>

#include "ledger/rules.h"

namespace tare::ledger {

struct Part {
  Target target;
  int64_t weight_ns = 0;
  int64_t held_ns = 0;  // before scaling down to what was billed; 0 for idle
};

struct LineTime {
  Span period;
  int32_t resource = -1;
  int64_t base_ns = 0;  // what was billed in the period, or period × devices where nothing was
};

// Parts of `held` and, where the base leaves some, idle. Sorted by (account, run, attempt); never
// empty, some weight > 0.
std::vector<Part> make_parts(const Rules& rules, const timeline::Timeline& timeline,
                             const DimRule& rule, const LineTime& line,
                             const std::vector<timeline::HeldTime>& held);

// What the attempts of one run hold of `devices` devices by their own times within the period; of
// two at once the later attempt holds.
std::vector<timeline::HeldTime> held_by_run(const timeline::Timeline& timeline,
                                            const std::string& run_id, Span period,
                                            int64_t devices);

}  // namespace tare::ledger
