// What a resource's devices did while they were held: telemetry laid over holders (model.md,
// "Utilisation and waste"; precedence R40).
#pragma once

#include <vector>

#include "base/findings.h"
#include "timeline/devices.h"
#include "timeline/timeline.h"

namespace tare::timeline {

// A stretch of time in which one attempt's part of one device was in one state for state_ns in all.
struct StateSpan {
  Span span;
  int32_t attempt = 0;
  int32_t device = 0;
  store::State state = store::State::kUnknown;
  bool busy_known = false;  // a sign says that this was busy
  store::SignSource source = store::SignSource::kNone;
  int64_t state_ns = 0;
};

struct StatePolicy {
  int64_t idle_after_ns = 0;
  Fraction efficient_sm_active;
};

// One device's interval averages that can be trusted; not overlapping, ascending.
struct Sample {
  Span span;            // the part of the source's interval that counts
  Span interval;        // the source's own, over which the average holds
  int64_t busy_ns = 0;  // in the whole interval
  bool efficiency_known = false, efficient = false;
};

class ResourceStates {
 public:
  // `usage`: this resource's rows by device index, each sorted by (start, end).
  ResourceStates(const std::string& resource_id, const StatePolicy& policy,
                 const std::vector<Attempt>& attempts,
                 std::vector<std::vector<DeviceUsageRow>> usage, Findings* findings);
  // Pieces in ascending time.
  void add(Span span, const std::vector<DeviceShares>& devices);
  // Sorted by (start, device, attempt, state).
  std::vector<StateSpan> finish();

 private:
  struct Entry {
    Span span;
    int32_t attempt;
    int64_t held_ns, busy_ns;
    bool device_busy;  // in its interval, whoever held the device
    bool known, efficiency_known, efficient;
  };
  struct Device {
    std::vector<Sample> samples;
    std::vector<int64_t> visited_busy_ns;  // per sample, by holders
    size_t next = 0;
    std::vector<Entry> entries;
  };
  void add_device(Device* device, Span span, const DeviceShares& shares);
  void add_part(Device* device, Span part, const DeviceShares& shares, const Sample* sample);
  static size_t quiet_end(const std::vector<const Entry*>& entries, size_t first);
  void name_entry(const Entry& entry, store::State rest, int32_t device,
                  std::vector<StateSpan>* out) const;
  void name_states(int32_t index, const Device& device, std::vector<StateSpan>* out) const;

  const std::string& resource_id_;
  StatePolicy policy_;
  const std::vector<Attempt>& attempts_;
  Findings* findings_;
  std::vector<Device> devices_;
};

// The part of `total` that falls before `instant` when it is spread evenly over the span (floored):
// differences of it cut a total at any instants into parts that sum to it.
int64_t spread_before(int64_t total, Span span, int64_t instant_ns);

}  // namespace tare::timeline
