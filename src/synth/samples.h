// What monitored devices report: one row an hour, with gaps, repeated rows and lies.
#pragma once

#include "synth/world.h"

namespace tare::synth {

enum class SampleKind : uint8_t {
  kGap,  // no row
  kGood,
  kRepeated,  // the same row twice
  kOverOne,   // more than all of the time
  kBlank,     // the sentinels of a driver that knows nothing
  kDisagree   // two rows that differ
};

struct Sample {
  SampleKind kind = SampleKind::kGap;
  int64_t busy_ppm = 0;        // of the hour
  int64_t sm_active_ppm = -1;  // -1: not reported
  bool trusted() const { return kind == SampleKind::kGood || kind == SampleKind::kRepeated; }
  // Half of the busy time with work on the multiprocessors is efficient
  // (policy.efficient_sm_active).
  bool efficient() const { return sm_active_ppm * 2 >= busy_ppm; }
};

// Requires a monitored machine and an hour of its life.
Sample sample_of(const World& world, size_t machine, int32_t device, int32_t hour);

}  // namespace tare::synth
