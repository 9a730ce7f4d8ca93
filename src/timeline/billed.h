// Billed device-time of each resource and charge period (R20-R23): collected line by line in any
// order, then summed.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "timeline/timeline.h"

namespace tare::timeline {

// Consumed units of `unit_ns` each, rounded half even to ns; empty beyond 292 years.
std::optional<int64_t> quantity_ns(Money quantity, int64_t unit_ns);

class BilledTimes {
 public:
  void add(int32_t resource, Span period, int64_t node_ns, TimeKind kind);
  // A line that would carry device-time but gives no quantity (R23).
  void add_unknown(int32_t resource, Span period, Hash128 line);
  // Whether some period has a negative quantity. Then its lines are added once more, each with its
  // id: the positive ones share what all add up to (R22).
  bool has_netted() const { return !netted_.empty(); }
  void add_netted(int32_t resource, Span period, Hash128 line, int64_t node_ns, TimeKind kind);
  // Newest end per resource, for all that was added; INT64_MIN where nothing was.
  std::vector<int64_t> newest_ends(size_t resources) const;
  // `resources` tells devices and class; core time is divided by the node's CPUs, where known.
  void finish(const std::vector<Resource>& resources, Findings* findings);

  const BilledTime* find(int32_t resource, Span period) const;
  int64_t within(int32_t resource, Span period) const;
  int64_t assumed_ns(int32_t resource, Span period, Hash128 line) const;
  int64_t netted_ns(int32_t resource, Span period, Hash128 line) const;
  std::span<const BilledTime> of(int32_t resource) const;

 private:
  struct Entry {
    Span period;
    int64_t ns = 0;
    TimeKind kind = TimeKind::kNone;  // kNone: no quantity
  };
  struct Unknown {
    int64_t lines = 0;
    Hash128 least_id{UINT64_MAX, UINT64_MAX};
  };
  struct OwnTime {
    Hash128 line;
    int64_t ns = 0;
    TimeKind kind = TimeKind::kNone;
  };
  struct Sum {
    std::optional<BilledTime> time;  // empty where no line carries time on this resource after all
    int64_t too_large = 0;           // lines
  };
  void add_entry(int32_t resource, Entry entry);
  void share_netted(const Resource& resource, const BilledTime& time, std::vector<OwnTime>* lines);
  static Sum sum_period(const Resource& resource, std::span<const Entry> of);

  std::vector<std::vector<Entry>> entries_;  // of each resource
  std::map<std::pair<int32_t, Span>, Unknown> unknown_;
  std::map<std::pair<int32_t, Span>, std::vector<OwnTime>> netted_;  // by line once finished
  std::vector<BilledTime> times_;                                    // by (resource, period)
  std::vector<size_t> first_;     // of each resource, and one past the last
  std::vector<int64_t> longest_;  // period of each resource
};

// Device-time of one kind of line on this resource; empty where it carries none there, or more than
// can be counted (73 years).
std::optional<int64_t> device_ns(const Resource& resource, TimeKind kind, int64_t ns);

}  // namespace tare::timeline
