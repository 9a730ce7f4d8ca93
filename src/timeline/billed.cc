#include "timeline/billed.h"

#include <algorithm>

namespace tare::timeline {
namespace {

constexpr int128 kLargestDeviceNs = int128{1} << 61;

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
  if (ns > INT64_MAX || ns < -INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(ns);
}

std::optional<int64_t> device_ns(const Resource& resource, TimeKind kind, int64_t ns) {
  int128 device = ns;
  if (kind == TimeKind::kNodeTime) device *= resource.devices;
  if (kind == TimeKind::kCoreTime) {
    if (resource.device_class != store::DeviceClass::kNode || !resource.cpus ||
        resource.cpus->num == 0) {
      return std::nullopt;
    }
    device = device * resource.cpus->den / resource.cpus->num;
  }
  bool counted = device <= kLargestDeviceNs && device >= -kLargestDeviceNs;
  if (kind == TimeKind::kNone || !counted) return std::nullopt;
  return static_cast<int64_t>(device);
}

void BilledTimes::add_entry(int32_t resource, Entry entry) {
  auto r = static_cast<size_t>(resource);
  if (entries_.size() <= r) entries_.resize(r + 1);
  entries_[r].push_back(entry);
}

void BilledTimes::add(int32_t resource, Span period, int64_t node_ns, TimeKind kind) {
  if (period.empty()) return;  // a charge of no length adds no device-time
  add_entry(resource, {period, node_ns, kind});
  if (node_ns < 0) netted_.try_emplace({resource, period});
}

void BilledTimes::add_unknown(int32_t resource, Span period, Hash128 line) {
  if (period.empty()) return;
  add_entry(resource, {period, 0, TimeKind::kNone});
  Unknown& unknown = unknown_[{resource, period}];
  ++unknown.lines;
  unknown.least_id = std::min(unknown.least_id, line);
}

std::vector<int64_t> BilledTimes::newest_ends(size_t resources) const {
  std::vector<int64_t> ends(resources, INT64_MIN);
  for (size_t r = 0; r < entries_.size(); ++r) {
    for (const Entry& entry : entries_[r]) ends[r] = std::max(ends[r], entry.period.end_ns);
  }
  return ends;
}

void BilledTimes::add_netted(int32_t resource, Span period, Hash128 line, int64_t node_ns,
                             TimeKind kind) {
  auto lines = netted_.find({resource, period});
  if (lines != netted_.end() && node_ns > 0) lines->second.push_back({line, node_ns, kind});
}

// The entries of one resource and period.
BilledTimes::Sum BilledTimes::sum_period(const Resource& resource, std::span<const Entry> of) {
  Sum sum;
  int128 billed = 0;
  bool known = false, candidate = false;
  for (const Entry& entry : of) {
    candidate = candidate || entry.kind == TimeKind::kNone;
    auto ns = device_ns(resource, entry.kind, entry.ns);
    if (!ns) {
      bool time = entry.kind == TimeKind::kNodeTime || entry.kind == TimeKind::kDeviceTime;
      sum.too_large += time ? 1 : 0;
      continue;
    }
    known = true;
    billed += *ns;
  }
  if (!known && !candidate) return sum;
  BilledTime time{of.front().period, 0, false, false};
  if (!known) {
    time.assumed = true;
    billed = static_cast<int128>(time.period.length_ns()) * resource.devices;
  }
  time.billed_ns = static_cast<int64_t>(std::clamp<int128>(billed, 0, kLargestDeviceNs));
  sum.time = time;
  return sum;
}

// The lines above zero share the period's sum, in the order of their ids.
void BilledTimes::share_netted(const Resource& resource, const BilledTime& time,
                               std::vector<OwnTime>* lines) {
  for (OwnTime& line : *lines) line.ns = device_ns(resource, line.kind, line.ns).value_or(0);
  std::erase_if(*lines, [](const OwnTime& line) { return line.ns == 0; });
  std::sort(lines->begin(), lines->end(),
            [](const OwnTime& a, const OwnTime& b) { return a.line < b.line; });
  if (lines->empty()) return;
  std::vector<int64_t> weights, parts(lines->size());
  for (const OwnTime& line : *lines) weights.push_back(line.ns);
  split_count(time.billed_ns, std::span<const int64_t>(weights), std::span<int64_t>(parts));
  for (size_t i = 0; i < parts.size(); ++i) (*lines)[i].ns = parts[i];
}

void BilledTimes::finish(const std::vector<Resource>& resources, Findings* findings) {
  entries_.resize(resources.size());
  size_t lines = 0;
  for (const std::vector<Entry>& entries : entries_) lines += entries.size();
  times_.reserve(lines);
  first_.assign(resources.size() + 1, 0);
  longest_.assign(resources.size(), 0);
  for (size_t r = 0; r < resources.size(); ++r) {
    first_[r] = times_.size();
    std::vector<Entry> entries = std::move(entries_[r]);
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.period < b.period; });
    for (size_t at = 0, end = 0; at < entries.size(); at = end) {
      while (end < entries.size() && entries[end].period == entries[at].period) ++end;
      Sum sum = sum_period(resources[r], std::span(entries).subspan(at, end - at));
      auto note = [&](std::string_view code, int64_t rows) {
        findings->add({.code = code,
                       .source = "",
                       .subject = resources[r].id,
                       .cost = {},
                       .currency = "",
                       .place = resources[r].id,
                       .text = to_text(entries[at].period.start_ns),
                       .rows = rows});
      };
      if (sum.too_large > 0) note("device-time-too-large", sum.too_large);
      if (!sum.time) {
        if (sum.too_large == 0) note("unit-not-time", static_cast<int64_t>(end - at));
        continue;
      }
      std::pair<int32_t, Span> key{static_cast<int32_t>(r), sum.time->period};
      if (auto netted = netted_.find(key); netted != netted_.end()) {
        share_netted(resources[r], *sum.time, &netted->second);
        sum.time->netted = true;
      }
      longest_[r] = std::max(longest_[r], sum.time->period.length_ns());
      times_.push_back(*sum.time);
      if (sum.time->assumed) note("device-time-assumed", unknown_.at(key).lines);
    }
  }
  first_.back() = times_.size();
  entries_ = std::vector<std::vector<Entry>>();
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

int64_t BilledTimes::netted_ns(int32_t resource, Span period, Hash128 line) const {
  auto lines = netted_.find({resource, period});
  if (lines == netted_.end()) return 0;
  auto own = std::lower_bound(lines->second.begin(), lines->second.end(), line,
                              [](const OwnTime& time, Hash128 id) { return time.line < id; });
  return own != lines->second.end() && own->line == line ? own->ns : 0;
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
