// Who holds how much of a machine in a charge period: read off the plan, in which each piece of a
// lane has its holders already.
#pragma once

#include <vector>

#include "synth/truth.h"

namespace tare::synth {

struct Share {
  uint32_t holder = kNone;  // kNone: nobody
  uint32_t account = kNone;
  int64_t ns = 0;          // of device-time; the weight in a split
  StateTimes states = {};  // of it
};

struct Shares {
  int64_t base_ns = 0;        // billed in the period
  std::vector<Share> shares;  // in the order of a split's parts
  int64_t weights_ns = 0;     // sum over shares
};

// Device-time a second of the machine: its devices, a node without accelerators has one.
int64_t devices_of(const Machine& machine);

// `period` is the charge's, `base_ns` what is billed in it. Requires a machine that holds name, or
// one with a tagged run. Nobody has what is billed and not held.
void find_shares(const World& world, size_t machine, Span32 period, int64_t base_ns, Shares* out);

}  // namespace tare::synth
