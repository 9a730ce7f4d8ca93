#include "timeline/states.h"

#include <algorithm>
#include <map>

namespace tare::timeline {
namespace {

using store::SignSource;
using store::State;

constexpr int64_t kPpb = 1'000'000'000;

bool same_signs(const DeviceUsageRow& a, const DeviceUsageRow& b) {
  return a.busy_ppb == b.busy_ppb && a.sm_active_ppb == b.sm_active_ppb &&
         a.tensor_active_ppb == b.tensor_active_ppb;
}

std::optional<int64_t> busy_of(const DeviceUsageRow& row) {
  return row.busy_ppb ? row.busy_ppb : row.sm_active_ppb;
}

Sample make_sample(const DeviceUsageRow& row, Span span, const StatePolicy& policy) {
  Sample sample;
  sample.span = span;
  sample.interval = {row.start_ns, row.end_ns};
  int64_t busy_ppb = *busy_of(row);
  sample.busy_ns = mul_div_half_even(busy_ppb, sample.interval.length_ns(), kPpb);
  auto activity = row.sm_active_ppb ? row.sm_active_ppb : row.tensor_active_ppb;
  if (row.busy_ppb && activity && busy_ppb > 0) {
    // Activity while busy: an average over the interval is diluted by its idle part.
    sample.efficiency_known = true;
    sample.efficient = static_cast<int128>(*activity) * policy.efficient_sm_active.den >=
                       static_cast<int128>(busy_ppb) * policy.efficient_sm_active.num;
  }
  return sample;
}

// Rows of one device to samples that do not overlap: equal rows count once, rows that disagree
// leave their common time unknown.
std::vector<Sample> make_samples(const std::string& resource_id,
                                 const std::vector<DeviceUsageRow>& rows, const StatePolicy& policy,
                                 Findings* findings) {
  std::vector<Sample> samples;
  std::vector<int64_t> edges;
  for (const DeviceUsageRow& row : rows) {
    edges.push_back(row.start_ns);
    edges.push_back(row.end_ns);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<size_t> active;
  std::vector<uint8_t> repeated(rows.size(), 0), disagrees(rows.size(), 0);
  size_t next = 0;
  for (size_t e = 0; e + 1 < edges.size(); ++e) {
    Span span{edges[e], edges[e + 1]};
    std::erase_if(active, [&](size_t i) { return rows[i].end_ns <= span.start_ns; });
    for (; next < rows.size() && rows[next].start_ns <= span.start_ns; ++next) {
      if (rows[next].end_ns > span.start_ns && busy_of(rows[next])) active.push_back(next);
    }
    if (active.empty()) continue;
    bool agree = true;
    for (size_t i = 1; i < active.size(); ++i) {
      bool same = same_signs(rows[active[0]], rows[active[i]]);
      agree = agree && same;
      (same ? repeated : disagrees)[active[i]] = 1;
    }
    if (agree) samples.push_back(make_sample(rows[active[0]], span, policy));
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const char* code = disagrees[i] != 0  ? "telemetry-disagrees"
                       : repeated[i] != 0 ? "telemetry-duplicate"
                                          : nullptr;
    if (code == nullptr) continue;
    findings->add({.code = code,
                   .source = rows[i].source,
                   .subject = resource_id,
                   .cost = {},
                   .currency = "",
                   .place = resource_id + " " + rows[i].device.text(),
                   .text = to_text(rows[i].start_ns)});
  }
  return samples;
}

bool continues(const StateSpan& last, const StateSpan& next) {
  return last.attempt == next.attempt && last.device == next.device && last.state == next.state &&
         last.busy_known == next.busy_known && last.source == next.source &&
         last.span.end_ns == next.span.start_ns &&
         static_cast<int128>(last.state_ns) * next.span.length_ns() ==
             static_cast<int128>(next.state_ns) * last.span.length_ns();
}

}  // namespace

int64_t spread_before(int64_t total, Span span, int64_t instant_ns) {
  if (instant_ns <= span.start_ns) return 0;
  if (instant_ns >= span.end_ns) return total;
  return static_cast<int64_t>(static_cast<int128>(total) * (instant_ns - span.start_ns) /
                              span.length_ns());
}

ResourceStates::ResourceStates(const std::string& resource_id, const StatePolicy& policy,
                               const std::vector<Attempt>& attempts,
                               std::vector<std::vector<DeviceUsageRow>> usage, Findings* findings)
    : resource_id_(resource_id), policy_(policy), attempts_(attempts), findings_(findings) {
  devices_.resize(usage.size());
  for (size_t i = 0; i < usage.size(); ++i) {
    devices_[i].samples = make_samples(resource_id, usage[i], policy, findings);
    devices_[i].visited_busy_ns.assign(devices_[i].samples.size(), 0);
  }
}

void ResourceStates::add(Span span, const std::vector<DeviceShares>& devices) {
  for (size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].empty()) add_device(&devices_[i], span, devices[i]);
  }
}

void ResourceStates::add_device(Device* device, Span span, const DeviceShares& shares) {
  while (device->next < device->samples.size() &&
         device->samples[device->next].span.end_ns <= span.start_ns) {
    ++device->next;
  }
  int64_t at = span.start_ns;
  for (size_t i = device->next;
       i < device->samples.size() && device->samples[i].span.start_ns < span.end_ns; ++i) {
    Span part = intersect(device->samples[i].span, {at, span.end_ns});
    if (part.start_ns > at) add_part(device, {at, part.start_ns}, shares, nullptr);
    add_part(device, part, shares, &device->samples[i]);
    at = part.end_ns;
  }
  if (at < span.end_ns) add_part(device, {at, span.end_ns}, shares, nullptr);
}

void ResourceStates::add_part(Device* device, Span part, const DeviceShares& shares,
                              const Sample* sample) {
  std::vector<uint128> weights;
  for (const Share& share : shares) weights.push_back(share.weight);
  std::vector<int64_t> held(weights.size()), busy(weights.size());
  split_count(part.length_ns(), std::span<const uint128>(weights), std::span<int64_t>(held));
  if (sample != nullptr) {
    int64_t total = spread_before(sample->busy_ns, sample->interval, part.end_ns) -
                    spread_before(sample->busy_ns, sample->interval, part.start_ns);
    split_count(total, std::span<const uint128>(weights), std::span<int64_t>(busy));
  }
  for (size_t i = 0; i < shares.size(); ++i) {
    // The part of a shared device that nobody holds has the device's own average, and is no
    // surprise.
    if (sample != nullptr) {
      device->visited_busy_ns[static_cast<size_t>(sample - device->samples.data())] += busy[i];
    }
    if (shares[i].attempt < 0) continue;
    device->entries.push_back({part, shares[i].attempt, held[i], std::min(busy[i], held[i]),
                               sample != nullptr && sample->busy_ns > 0, sample != nullptr,
                               sample != nullptr && sample->efficiency_known,
                               sample != nullptr && sample->efficient});
  }
}

// The end (exclusive) of the stretch of known busy 0 without a gap that begins at `first`.
size_t ResourceStates::quiet_end(const std::vector<const Entry*>& entries, size_t first) {
  size_t end = first;
  while (end < entries.size() && entries[end]->known && !entries[end]->device_busy &&
         (end == first || entries[end - 1]->span.end_ns == entries[end]->span.start_ns)) {
    ++end;
  }
  return end;
}

// One holder's stretch with one sign: before and after the instant from which its work is thrown
// away.
void ResourceStates::name_entry(const Entry& entry, State rest, int32_t device,
                                std::vector<StateSpan>* out) const {
  int64_t lost_from = attempts_[static_cast<size_t>(entry.attempt)].lost_from_ns;
  State busy = !entry.efficiency_known ? State::kBusy
               : entry.efficient       ? State::kUseful
                                       : State::kInefficient;
  SignSource source = entry.known ? SignSource::kDeviceUsage : SignSource::kNone;
  auto emit = [&](Span span, State state, bool busy_known, int64_t ns) {
    if (ns > 0) out->push_back({span, entry.attempt, device, state, busy_known, source, ns});
  };
  int64_t cut = std::clamp(lost_from, entry.span.start_ns, entry.span.end_ns);
  for (Span span : {Span{entry.span.start_ns, cut}, Span{cut, entry.span.end_ns}}) {
    if (span.empty()) continue;
    bool lost = span.start_ns >= lost_from;
    int64_t held = spread_before(entry.held_ns, entry.span, span.end_ns) -
                   spread_before(entry.held_ns, entry.span, span.start_ns);
    int64_t busy_ns = spread_before(entry.busy_ns, entry.span, span.end_ns) -
                      spread_before(entry.busy_ns, entry.span, span.start_ns);
    busy_ns = std::min(busy_ns, held);
    if (entry.known) {
      emit(span, lost ? State::kLost : busy, true, busy_ns);
      emit(span, rest, false, held - busy_ns);
    } else {
      emit(span, lost ? State::kLost : State::kUnknown, false, held);
    }
  }
}

void ResourceStates::name_states(int32_t index, const Device& device,
                                 std::vector<StateSpan>* out) const {
  std::map<int32_t, std::vector<const Entry*>> by_attempt;
  for (const Entry& entry : device.entries) by_attempt[entry.attempt].push_back(&entry);
  for (const auto& [attempt, entries] : by_attempt) {
    auto used = std::find_if(entries.begin(), entries.end(),
                             [](const Entry* entry) { return entry->device_busy; });
    auto first_use = static_cast<size_t>(used - entries.begin());
    size_t looked_at = 0;  // entries before it belong to a stretch that was measured
    bool idle_held = false;
    for (size_t i = 0; i < entries.size(); ++i) {
      if (i >= looked_at) {
        size_t end = quiet_end(entries, i);
        idle_held = end > i && entries[end - 1]->span.end_ns - entries[i]->span.start_ns >=
                                   policy_.idle_after_ns;
        looked_at = std::max(end, i + 1);
      }
      bool quiet = entries[i]->known && !entries[i]->device_busy;
      bool starting = used != entries.end() && i < first_use;
      State rest = quiet && starting    ? State::kStartup
                   : quiet && idle_held ? State::kIdleHeld
                                        : State::kNotBusy;
      name_entry(*entries[i], rest, index, out);
    }
  }
}

std::vector<StateSpan> ResourceStates::finish() {
  std::vector<StateSpan> spans;
  for (size_t i = 0; i < devices_.size(); ++i) {
    Device& device = devices_[i];
    std::vector<StateSpan> named;
    name_states(static_cast<int32_t>(i), device, &named);
    for (const StateSpan& span : named) {
      // A stretch has at most two states (busy and the rest): the last but one may continue too.
      size_t back = spans.size();
      bool merged = false;
      for (size_t look = 0; look < 2 && look < back && !merged; ++look) {
        StateSpan& last = spans[back - 1 - look];
        if (!continues(last, span)) continue;
        last.span.end_ns = span.span.end_ns;
        last.state_ns += span.state_ns;
        merged = true;
      }
      if (!merged) spans.push_back(span);
    }
    for (size_t s = 0; s < device.samples.size(); ++s) {
      const Sample& sample = device.samples[s];
      int64_t busy = spread_before(sample.busy_ns, sample.interval, sample.span.end_ns) -
                     spread_before(sample.busy_ns, sample.interval, sample.span.start_ns);
      if (busy <= device.visited_busy_ns[s]) continue;
      findings_->add({.code = "busy-without-holder",
                      .source = "",
                      .subject = resource_id_,
                      .cost = {},
                      .currency = "",
                      .place = resource_id_,
                      .text = to_text(sample.span.start_ns)});
    }
  }
  std::sort(spans.begin(), spans.end(), [](const StateSpan& a, const StateSpan& b) {
    return std::tie(a.span, a.device, a.attempt, a.state, a.state_ns) <
           std::tie(b.span, b.device, b.attempt, b.state, b.state_ns);
  });
  return spans;
}

}  // namespace tare::timeline
