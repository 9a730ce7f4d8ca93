// Who gets which part of a line that the timeline or a run-id tag governs: integer weights of
// device-time, in the order of a split's parts (R30, R50).
#pragma once

#include <vector>

#include "ledger/account_table.h"

namespace tare::ledger {

struct Part {
  int32_t account = 0;
  int32_t attempt = -1;  // -1: idle
  int64_t weight_ns = 0;
  int64_t held_ns = 0;  // before scaling down to what was billed; 0 for idle
};

struct LineTime {
  Span period;
  int32_t place = -1;   // of the machine, in the account table
  int64_t base_ns = 0;  // what was billed in the period, or period × devices where nothing was
};

// Parts of `held` (by ascending attempt) and, where the base leaves some, idle. Sorted by (account,
// run, attempt); never empty, some weight > 0. Clears `parts`.
void make_parts(AccountTable& accounts, const LineTime& line,
                const std::vector<timeline::HeldTime>& held, std::vector<Part>* parts);

// Whether a run's cost is divided over the models that it serves.
bool serves_several(const timeline::Attempt& attempt);
// Parts of a line that is one attempt's as a whole: its models' shares. `line.base_ns` is the
// line's own device-time.
void make_run_parts(AccountTable& accounts, const LineTime& line, int32_t attempt,
                    std::vector<Part>* parts);

// What the attempts of one run hold of `devices` devices by their own times within the period; of
// two at once the later attempt holds. By ascending attempt.
std::vector<timeline::HeldTime> held_by_run(const timeline::Timeline& timeline,
                                            const std::string& run_id, Span period,
                                            int64_t devices);

}  // namespace tare::ledger
