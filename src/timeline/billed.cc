#include "timeline/billed.h"

#include <algorithm>

namespace tare::timeline {
namespace {

constexpr int64_t kLargestNs = INT64_MAX / 4096;  // leaves room for the devices of a node

}  // namespace

std::optional<int64_t> quantity_ns(Money quantity, int64_t unit_ns) {
  Money::Stored stored = quantity.stored();
  int128 whole = static_cast<int128>(stored.units) * unit_ns;
  int128 product = static_cast<int128>(stored.atto) * unit_ns;
  int128 part = product / Money::kAttoPerUnit, rest = product % Money::kAttoPerUnit;
  if (rest * 2 > Money::kAttoPerUnit ||
      (rest * 2 == Money::kAttoPerUnit && ((whole + part) & 1) != 0))
    ++part;
  int128 ns = whole + part;
  if (ns > kLargestNs || ns < -kLargestNs) return std::nullopt;
  return static_cast<int64_t>(ns);
}

std::optional<int64_t> device_ns(const Resource& resource, TimeKind kind, int64_t ns) {
  switch (kind) {
    case TimeKind::kNodeTime:
      return ns * resource.devices;
    case TimeKind::kDeviceTime:
      return ns;
    case TimeKind::kCoreTime:
      if (resource.device_class != store::DeviceClass::kNode || !resource.cpus ||
          resource.cpus->num == 0) {
        return std::nullopt;
      }
      return static_cast<int64_t>(static_cast<int128>(ns) * resource.cpus->den /
                                  resource.cpus->num);
    case TimeKind::kNone:
      return std::nullopt;
  }
  return std::nullopt;
}

void BilledTimes::add(int32_t resource, Span period, int64_t node_ns, TimeKind kind) {
  if (period.empty()) return;  // a charge of no length adds no device-time
  entries_.push_back({period, node_ns, resource, kind});
}

void BilledTimes::add_unknown(int32_t resource, Span period, Hash128 line) {
  if (period.empty()) return;
  entries_.push_back({period, 0, resource, TimeKind::kNone});
  Unknown& unknown = unknown_[{resource, period}];
  ++unknown.lines;
  unknown.least_id = std::min(unknown.least_id, line);
}

std::vector<int64_t> BilledTimes::newest_ends(size_t resources) const {
  std::vector<int64_t> ends(resources, INT64_MIN);
  for (const Entry& entry : entries_) {
    int64_t& end = ends[static_cast<size_t>(entry.resource)];
    end = std::max(end, entry.period.end_ns);
  }
  return ends;
}

// Sums the entries of one resource and period, which begin at `at`; moves `at` past them. Empty
// where none of them carries time on this resource after all.
std::optional<BilledTime> BilledTimes::sum_period(const Resource& resource, size_t* at) const {
  const Entry& first = entries_[*at];
  BilledTime time{first.period, 0, false};
  bool known = false, candidate = false;
  for (; *at < entries_.size() && entries_[*at].resource == first.resource &&
         entries_[*at].period == first.period;
       ++*at) {
    const Entry& entry = entries_[*at];
    candidate = candidate || entry.kind == TimeKind::kNone;
    auto ns = device_ns(resource, entry.kind, entry.ns);
    if (!ns) continue;
    known = true;
    time.billed_ns += *ns;
  }
  if (!known && !candidate) return std::nullopt;
  if (!known) {
    time.assumed = true;
    time.billed_ns = time.period.length_ns() * resource.devices;
  }
  time.billed_ns = std::max<int64_t>(time.billed_ns, 0);
  return time;
}

void BilledTimes::finish(const std::vector<Resource>& resources, Findings* findings) {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.resource, a.period) < std::tie(b.resource, b.period);
  });
  first_.assign(resources.size() + 1, 0);
  longest_.assign(resources.size(), 0);
  size_t at = 0;
  for (size_t r = 0; r < resources.size(); ++r) {
    first_[r] = times_.size();
    while (at < entries_.size() && entries_[at].resource == static_cast<int32_t>(r)) {
      auto time = sum_period(resources[r], &at);
      if (!time) continue;
      longest_[r] = std::max(longest_[r], time->period.length_ns());
      times_.push_back(*time);
      if (!time->assumed) continue;
      findings->add({.code = "device-time-assumed",
                     .source = "",
                     .subject = resources[r].id,
                     .cost = {},
                     .currency = "",
                     .place = resources[r].id,
                     .text = to_text(time->period.start_ns),
                     .rows = unknown_.at({static_cast<int32_t>(r), time->period}).lines});
    }
  }
  first_.back() = times_.size();
  entries_ = {};
}

std::span<const BilledTime> BilledTimes::of(int32_t resource) const {
  auto r = static_cast<size_t>(resource);
  return {times_.data() + first_[r], first_[r + 1] - first_[r]};
}

const BilledTime* BilledTimes::find(int32_t resource, Span period) const {
  auto times = of(resource);
  auto found =
      std::lower_bound(times.begin(), times.end(), period,
                       [](const BilledTime& time, Span wanted) { return time.period < wanted; });
  return found != times.end() && found->period == period ? &*found : nullptr;
}

int64_t BilledTimes::assumed_ns(int32_t resource, Span period, Hash128 line) const {
  const BilledTime* time = find(resource, period);
  auto unknown = unknown_.find({resource, period});
  if (time == nullptr || !time->assumed || unknown == unknown_.end()) return 0;
  int64_t lines = unknown->second.lines;
  int64_t each = time->billed_ns / lines;
  return line == unknown->second.least_id ? time->billed_ns - each * (lines - 1) : each;
}

int64_t BilledTimes::within(int32_t resource, Span period) const {
  auto times = of(resource);
  int64_t longest = longest_[static_cast<size_t>(resource)];
  auto at = std::lower_bound(
      times.begin(), times.end(), period.start_ns - longest,
      [](const BilledTime& time, int64_t start) { return time.period.start_ns < start; });
  int128 sum = 0;
  for (; at != times.end() && at->period.start_ns < period.end_ns; ++at) {
    Span shared = intersect(at->period, period);
    if (shared.empty()) continue;
    sum += static_cast<int128>(at->billed_ns) * shared.length_ns() / at->period.length_ns();
  }
  TARE_ASSERT(sum <= INT64_MAX, "billed device-time of one charge period fits 64 bits");
  return static_cast<int64_t>(sum);
}

}  // namespace tare::timeline
