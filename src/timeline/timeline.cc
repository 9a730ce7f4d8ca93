// Brings facts together in the order in which each needs the one before: dims -> billed periods ->
// ends of machines -> holds and attempts -> device sets -> pieces and states.
#include "timeline/timeline.h"

#include <algorithm>

#include "timeline/impl.h"

namespace tare::timeline {
namespace {

using store::State;

// Less than this beyond what was billed is the rounding of a bill's quantities, not a fault.
constexpr int64_t kRoundingNs = kNsPerSecond;

void note_repeated_outcomes(const std::vector<RepeatedOutcome>& outcomes, Findings* findings) {
  for (const RepeatedOutcome& repeated : outcomes) {
    findings->add({.code = "outcome-repeated",
                   .source = repeated.source,
                   .subject = repeated.model,
                   .cost = {},
                   .currency = "",
                   .place = repeated.outcome,
                   .text = to_text(repeated.day_ns),
                   .rows = repeated.rows});
  }
}

}  // namespace

void Timeline::Impl::group_usage(Findings* findings) {
  std::stable_sort(
      facts.usage.begin(), facts.usage.end(), [](const DeviceUsageRow& a, const DeviceUsageRow& b) {
        return std::tie(a.start_ns, a.end_ns, a.busy_ppb, a.sm_active_ppb, a.tensor_active_ppb) <
               std::tie(b.start_ns, b.end_ns, b.busy_ppb, b.sm_active_ppb, b.tensor_active_ppb);
      });
  for (size_t i = 0; i < facts.usage.size(); ++i) {
    DeviceUsageRow& row = facts.usage[i];
    Identity identity = aliases->resolve(row.resource_id, row.start_ns);
    if (identity.device) row.device = *identity.device;
    Identity device = aliases->resolve(row.device, row.start_ns);
    if (device.device && device.resource_id == identity.resource_id) row.device = *device.device;
    auto found = index.find(identity.resource_id);
    if (found == index.end()) {
      findings->add({.code = "telemetry-without-resource",
                     .source = row.source,
                     .subject = identity.resource_id,
                     .cost = {},
                     .currency = "",
                     .place = row.resource_id,
                     .text = row.device});
      continue;
    }
    Lane& lane = lanes[static_cast<size_t>(found->second)];
    lane.usage.push_back(i);
    lane.known.seen.push_back(row.device);
  }
}

void Timeline::Impl::lay_out(const Project& project, Findings* findings) {
  StatePolicy policy{project.policy.idle_after_ns,
                     parse_fraction(project.policy.efficient_sm_active).value_or(Fraction{1, 2})};
  for (size_t i = 0; i < resources.size(); ++i) {
    Resource& resource = resources[i];
    Lane& lane = lanes[i];
    std::sort(lane.known.seen.begin(), lane.known.seen.end());
    lane.known.seen.erase(std::unique(lane.known.seen.begin(), lane.known.seen.end()),
                          lane.known.seen.end());
    lane.devices = device_set(resource.id, lane.known, lane.holds, findings);
    resource.device_class = lane.devices.device_class;
    resource.devices = static_cast<int64_t>(lane.devices.names.size());
    if (lane.holds.empty()) continue;
    PieceContext context{&resource.id,  &lane.devices,     resource.cpus,
                         &attempts.all, &attempts.parents, findings};
    bool any_lost =
        std::any_of(lane.holds.begin(), lane.holds.end(), [&](const CanonicalHold& hold) {
          return attempts.all[static_cast<size_t>(hold.attempt)].lost_from_ns != kNoEnd;
        });
    if (lane.usage.empty() && !any_lost) {
      lane.pieces = make_pieces(context, lane.holds, nullptr);
      continue;
    }
    std::vector<std::vector<DeviceUsageRow>> usage(lane.devices.names.size());
    for (size_t row : lane.usage) {
      int32_t device = lane.devices.index_of(facts.usage[row].device);
      if (device >= 0) {
        usage[static_cast<size_t>(device)].push_back(facts.usage[row]);
        continue;
      }
      findings->add({.code = "telemetry-without-device",
                     .source = facts.usage[row].source,
                     .subject = resource.id,
                     .cost = {},
                     .currency = "",
                     .place = resource.id + " " + facts.usage[row].device.text(),
                     .text = to_text(facts.usage[row].start_ns)});
    }
    ResourceStates states(resource.id, policy, attempts.all, std::move(usage), findings);
    lane.pieces = make_pieces(
        context, lane.holds,
        [&](Span span, const std::vector<DeviceShares>& shares) { states.add(span, shares); });
    lane.states = states.finish();
    lane.has_states = true;
    int64_t newest = INT64_MIN;
    for (const StateSpan& span : lane.states) {
      newest = std::max(newest, span.span.end_ns);
      lane.newest_state_end.push_back(newest);
    }
  }
}

// What was billed against what was held and what the devices can give, period by period (R24, R27).
void Timeline::Impl::compare_with_bill(Findings* findings) {
  std::vector<HeldTime> held;
  for (size_t i = 0; i < resources.size(); ++i) {
    std::vector<NotHeld>& rest = lanes[i].not_held;
    for (const BilledTime& time : billed.of(static_cast<int32_t>(i))) {
      auto note = [&](std::string_view code) {
        findings->add({.code = code,
                       .source = "",
                       .subject = resources[i].id,
                       .cost = {},
                       .currency = "",
                       .place = resources[i].id,
                       .text = to_text(time.period.start_ns)});
      };
      bool tracked = time.period.start_ns >= resources[i].tracked_from_ns;
      int64_t left_ns = time.billed_ns;
      if (tracked) {
        held_in(static_cast<int32_t>(i), time.period, &held);
        for (const HeldTime& part : held) left_ns -= part.held_ns;
      }
      if (left_ns < -kRoundingNs) note("held-not-billed");
      if (time.billed_ns - time.period.length_ns() * resources[i].devices > kRoundingNs)
        note("billed-beyond-capacity");
      if (left_ns <= 0) continue;
      State state = tracked ? State::kNoRun : State::kUnknown;
      if (!rest.empty() && rest.back().state == state &&
          rest.back().span.end_ns == time.period.start_ns) {
        rest.back().span.end_ns = time.period.end_ns;
        rest.back().ns += left_ns;
      } else {
        rest.push_back({time.period, state, left_ns});
      }
    }
  }
}

Timeline Timeline::build(const Project& project, const std::string& store_directory,
                         const store::Catalog& catalog, Findings* findings) {
  auto impl = std::make_unique<Impl>(project, store_directory);
  impl->connection.emplace(impl->database.connect());
  impl->facts = read_facts(*impl->connection, store_directory, catalog);
  note_repeated_outcomes(impl->facts.repeated_outcomes, findings);
  impl->aliases.emplace(impl->facts.aliases, findings);
  impl->read_dims(project);
  impl->decide_carriers();
  impl->read_lines(findings);
  impl->resolve_holds(findings);
  impl->read_inventory(project, findings);
  Ends ends = impl->find_ends();
  impl->attempts =
      make_attempts(project, std::exchange(impl->facts.runs, {}), impl->holds, ends, findings);
  impl->place_holds(ends, findings);
  impl->sort_holds();
  // Not `= {}`, which would keep their room.
  impl->facts.holds = std::vector<HoldRow>();
  impl->holds = std::vector<ResolvedHold>();
  impl->group_usage(findings);
  impl->lay_out(project, findings);
  impl->billed.finish(impl->resources, findings);
  impl->compare_with_bill(findings);
  return Timeline(std::move(impl));
}

Timeline::Timeline(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Timeline::Timeline(Timeline&&) noexcept = default;
Timeline::~Timeline() = default;

const std::vector<Attempt>& Timeline::attempts() const { return impl_->attempts.all; }
const std::vector<Resource>& Timeline::resources() const { return impl_->resources; }
const std::vector<BillFile>& Timeline::bills() const { return impl_->facts.bills; }
store::Connection Timeline::connect() { return impl_->database.connect(); }
int64_t Timeline::horizon_ns() const { return impl_->horizon_ns; }

const std::vector<DimTime>& Timeline::dims_of(const std::string& bill_file) const {
  return impl_->dims.at(bill_file);
}

std::span<const int32_t> Timeline::attempts_of_run(std::string_view run_id) const {
  auto found = impl_->attempts.by_run.find(std::string(run_id));
  if (found == impl_->attempts.by_run.end()) return {};
  return found->second;
}

DimTime Timeline::at_instant(const DimTime& dim, int64_t instant_ns) const {
  return impl_->at_instant(dim, instant_ns);
}

int32_t Timeline::attempt_of_run(std::string_view run_id, Span span) const {
  auto indexes = attempts_of_run(run_id);
  if (indexes.empty()) return -1;
  for (auto at = indexes.rbegin(); at != indexes.rend(); ++at) {
    const Attempt& attempt = impl_->attempts.all[static_cast<size_t>(*at)];
    bool meets = span.empty() ? Span{attempt.start_ns, attempt.end_ns}.contains(span.start_ns)
                              : !intersect({attempt.start_ns, attempt.end_ns}, span).empty();
    if (meets) return *at;
  }
  return indexes.back();
}

int64_t Timeline::line_ns(const DimTime& dim, Span period, Hash128 line,
                          const std::optional<Money>& consumed) const {
  if (!dim.carries || period.empty()) return 0;
  // Where negative quantities took the period's sum to its floor, no line of it has any time.
  const BilledTime* billed = billed_time(dim.resource, period);
  if (billed == nullptr || billed->billed_ns == 0) return 0;
  if (!consumed) return billed->assumed ? impl_->billed.assumed_ns(dim.resource, period, line) : 0;
  if (billed->netted) return impl_->billed.netted_ns(dim.resource, period, line);
  auto ns = quantity_ns(*consumed, dim.unit_ns);
  if (!ns) return 0;
  return device_ns(impl_->resources[static_cast<size_t>(dim.resource)], dim.kind, *ns).value_or(0);
}

const BilledTime* Timeline::billed_time(int32_t resource, Span period) const {
  return impl_->billed.find(resource, period);
}

int64_t Timeline::billed_within(int32_t resource, Span period) const {
  return impl_->billed.within(resource, period);
}

void Timeline::held_in(int32_t resource, Span span, std::vector<HeldTime>* out) const {
  impl_->held_in(resource, span, out);
}

void Timeline::Impl::held_in(int32_t resource, Span span, std::vector<HeldTime>* out) const {
  out->clear();
  const std::vector<Piece>& pieces = lanes[static_cast<size_t>(resource)].pieces;
  bool instant = span.empty();
  auto at =
      std::upper_bound(pieces.begin(), pieces.end(), span.start_ns,
                       [](int64_t start, const Piece& piece) { return start < piece.span.end_ns; });
  for (; at != pieces.end(); ++at) {
    if (instant) {
      // Shares at one instant, over an hour so that weights keep their precision as integers.
      if (at->span.contains(span.start_ns)) add_held(*at, kNsPerHour, out);
      break;
    }
    Span part = intersect(at->span, span);
    if (part.empty()) break;
    add_held(*at, part.length_ns(), out);
  }
  std::sort(out->begin(), out->end(),
            [](const HeldTime& a, const HeldTime& b) { return a.attempt < b.attempt; });
  size_t kept = 0;
  for (const HeldTime& held : *out) {
    if (kept > 0 && (*out)[kept - 1].attempt == held.attempt) {
      (*out)[kept - 1].held_ns += held.held_ns;
    } else {
      (*out)[kept++] = held;
    }
  }
  out->resize(kept);
}

void Timeline::states_in(int32_t resource, Span span, std::vector<StateTime>* out) const {
  out->clear();
  const Lane& lane = impl_->lanes[static_cast<size_t>(resource)];
  if (!lane.has_states || span.empty()) return;
  auto first =
      std::upper_bound(lane.newest_state_end.begin(), lane.newest_state_end.end(), span.start_ns);
  for (auto i = static_cast<size_t>(first - lane.newest_state_end.begin());
       i < lane.states.size() && lane.states[i].span.start_ns < span.end_ns; ++i) {
    const StateSpan& state = lane.states[i];
    int64_t ns = spread_before(state.state_ns, state.span, span.end_ns) -
                 spread_before(state.state_ns, state.span, span.start_ns);
    if (ns > 0) out->push_back({state.attempt, state.state, state.busy_known, ns});
  }
  auto key = [](const StateTime& s) { return std::tuple(s.attempt, s.state, s.busy_known); };
  std::sort(out->begin(), out->end(),
            [&](const StateTime& a, const StateTime& b) { return key(a) < key(b); });
  size_t kept = 0;
  for (const StateTime& state : *out) {
    if (kept > 0 && key((*out)[kept - 1]) == key(state)) {
      (*out)[kept - 1].weight_ns += state.weight_ns;
    } else {
      (*out)[kept++] = state;
    }
  }
  out->resize(kept);
}

std::vector<std::pair<std::string, int64_t>> Timeline::requests_in(Month month) const {
  std::vector<std::pair<std::string, int64_t>> requests;
  for (const auto& [key, count] : impl_->facts.requests) {
    if (key.second == month.index) requests.emplace_back(key.first, count);
  }
  return requests;
}

}  // namespace tare::timeline
