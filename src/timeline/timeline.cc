// Brings facts together in the order in which each needs the one before: dims -> billed periods ->
// ends of machines -> holds and attempts -> device sets -> pieces and states.
#include "timeline/timeline.h"

#include <algorithm>
#include <map>
#include <set>

#include "timeline/impl.h"

namespace tare::timeline {
namespace {

using store::Chunk;
using store::State;

// Less than this beyond what was billed is the rounding of a bill's quantities, not a fault.
constexpr int64_t kRoundingNs = kNsPerSecond;

}  // namespace

int32_t Timeline::Impl::resource_index(const std::string& id) {
  auto [entry, added] = index.try_emplace(id, static_cast<int32_t>(resources.size()));
  if (added) {
    resources.push_back({});
    resources.back().id = id;
    lanes.push_back({});
  }
  return entry->second;
}

// The resources that a bill's id stands for, each from an instant on; one entry where it never
// changes.
std::vector<std::pair<int64_t, int32_t>> Timeline::Impl::targets_of(const std::string& id) {
  std::vector<int64_t> starts = aliases->changes(id, {INT64_MIN, INT64_MAX});
  starts.insert(starts.begin(), INT64_MIN);
  std::vector<std::pair<int64_t, int32_t>> targets;
  for (int64_t start : starts) {
    int32_t resource = resource_index(aliases->resolve(id, start).resource_id);
    if (targets.empty() || targets.back().second != resource) targets.emplace_back(start, resource);
  }
  return targets;
}

// What one dim says of a resource that it names.
void Timeline::Impl::mark(int32_t index_of, const BillDim& dim, const DimSigns& sign,
                          const std::string& pool_key) {
  Lane& lane = lanes[static_cast<size_t>(index_of)];
  resources[static_cast<size_t>(index_of)].billed = true;
  // A charge beside the machine may name its type too; only the machine's own lines count it.
  if (sign.names_instance && sign.devices) {
    lane.known.sku = std::max(lane.known.sku.value_or(0), *sign.devices);
  }
  if (sign.names_instance && sign.cpus && !lane.sku_cpus) lane.sku_cpus = sign.cpus;
  bool unit_fits = sign.kind != TimeKind::kNone || !dim[DimColumn::kConsumedUnit];
  if (sign.usage && !sign.correction && sign.names_instance && unit_fits) lane.named_lines = true;
  if (!pool_key.empty()) {
    Tags tags = parse_tags(dim[DimColumn::kTags].value_or(""));
    const std::string* tag = tag_value(tags, pool_key);
    if (tag != nullptr && !tag->empty()) lane.pool_tags.insert(*tag);
  }
  if (sign.names_instance || sign.instance_like) {
    lane.skus.insert(dim[DimColumn::kSkuId].value_or("-") + "@" +
                     dim[DimColumn::kRegionId].value_or("-"));
  }
}

DimTime Timeline::Impl::time_of(const BillDim& dim, const DimSigns& sign,
                                const std::string& pool_key) {
  DimTime time{-1, sign.kind, sign.unit_ns, false, sign.correction, -1};
  const auto& id = dim[DimColumn::kResourceId];
  if (!id) return time;
  auto targets = targets_of(*id);
  for (const auto& [start, resource] : targets) mark(resource, dim, sign, pool_key);
  time.resource = targets.front().second;
  if (targets.size() > 1) {
    time.aliased = static_cast<int32_t>(aliased.size());
    aliased.push_back(std::move(targets));
  }
  return time;
}

void Timeline::Impl::read_dims(const Project& project) {
  std::string pool_key = folded_tag_key(project.policy.pool_tag);
  for (BillFile& bill : facts.bills) {
    std::vector<DimTime>& times = dims[bill.name];
    std::vector<DimSigns>& file_signs = signs[bill.name];
    for (const BillDim& dim : bill.dims) {
      file_signs.push_back(read_signs(dim, instance_types));
      times.push_back(time_of(dim, file_signs.back(), pool_key));
    }
  }
  for (size_t i = 0; i < resources.size(); ++i) {
    const Lane& lane = lanes[i];
    if (lane.pool_tags.empty() && lane.skus.empty()) continue;
    resources[i].pool = lane.pool_tags.empty() ? *lane.skus.begin() : *lane.pool_tags.begin();
    resources[i].pool_from = lane.pool_tags.empty() ? "sku" : "tag";
  }
}

DimTime Timeline::Impl::at_instant(const DimTime& dim, int64_t instant_ns) const {
  DimTime then = dim;
  if (dim.aliased < 0) return then;
  for (const auto& [start, resource] : aliased[static_cast<size_t>(dim.aliased)]) {
    if (start <= instant_ns) then.resource = resource;
  }
  return then;
}

void Timeline::Impl::decide_carriers() {
  for (BillFile& bill : facts.bills) {
    std::vector<DimTime>& times = dims[bill.name];
    const std::vector<DimSigns>& file_signs = signs[bill.name];
    for (size_t i = 0; i < times.size(); ++i) {
      const DimSigns& sign = file_signs[i];
      if (times[i].resource < 0 || !sign.usage) continue;
      const Lane& lane = lanes[static_cast<size_t>(times[i].resource)];
      bool fits = sign.kind != TimeKind::kNone || !bill.dims[i][DimColumn::kConsumedUnit];
      times[i].carries =
          fits && !sign.correction && (lane.named_lines ? sign.names_instance : sign.instance_like);
    }
  }
}

void Timeline::Impl::read_line(const DimTime& dim, const Chunk& chunk, size_t row) {
  Span period{chunk.i64(1, row), chunk.i64(2, row)};
  DimTime time = at_instant(dim, period.start_ns);
  if (!chunk.valid(3, row)) {
    billed.add_unknown(time.resource, period, chunk.uuid(5, row));
    return;
  }
  if (time.kind == TimeKind::kNone) return;
  auto ns = quantity_ns(Money::from_stored(chunk.i64(3, row), chunk.i64(4, row)), time.unit_ns);
  if (ns) billed.add(time.resource, period, *ns, time.kind);
}

void Timeline::Impl::read_lines() {
  for (const BillFile& bill : facts.bills) {
    const std::vector<DimTime>& times = dims[bill.name];
    const std::vector<DimSigns>& file_signs = signs[bill.name];
    store::Stream stream = connection->stream_store(
        "SELECT dim, charge_start, charge_end, consumed_units, consumed_atto, id FROM " +
        bill.alias + ".line");
    while (const Chunk* chunk = stream.next()) {
      for (size_t row = 0; row < chunk->rows(); ++row) {
        auto dim = static_cast<size_t>(chunk->i32(0, row));
        if (file_signs[dim].usage) horizon_ns = std::max(horizon_ns, chunk->i64(2, row));
        if (times[dim].carries) read_line(times[dim], *chunk, row);
      }
    }
  }
  horizon_ns = std::max(horizon_ns, facts.newest_sign_ns);
}

void Timeline::Impl::read_inventory(const Project& project) {
  for (const ResourceRow& row : facts.resources) {
    int64_t at = row.from_ns.value_or(row.to_ns ? *row.to_ns - 1 : horizon_ns);
    int32_t resource_at = resource_index(aliases->resolve(row.resource_id, at).resource_id);
    Resource& resource = resources[static_cast<size_t>(resource_at)];
    Lane& lane = lanes[static_cast<size_t>(resource_at)];
    if (row.devices)
      lane.known.inventory = std::max(lane.known.inventory.value_or(0), *row.devices);
    if (row.cpus) resource.cpus = row.cpus;
    if (!row.pool.empty()) {
      resource.pool = row.pool;
      resource.pool_from = "resources";
      resource.pools.push_back(
          {{row.from_ns.value_or(INT64_MIN), row.to_ns.value_or(kNoEnd)}, row.pool});
    }
    if (!row.team.empty()) resource.team = row.team;
    if (!row.device_model.empty()) resource.device_model = row.device_model;
    if (row.to_ns) lane.gone_ns = std::max(lane.gone_ns.value_or(*row.to_ns), *row.to_ns);
    lane.open_ended = lane.open_ended || !row.to_ns;
  }
  for (size_t i = 0; i < resources.size(); ++i) {
    Resource& resource = resources[i];
    if (!resource.cpus && lanes[i].sku_cpus) resource.cpus = Fraction{*lanes[i].sku_cpus, 1};
    if (resource.pool.empty()) resource.pool = "-";
    if (resource.team.empty()) {
      auto team = project.pool_teams.find(resource.pool);
      resource.team = team == project.pool_teams.end() ? "unowned" : team->second;
    }
  }
}

void Timeline::Impl::resolve_holds(Findings* findings) {
  for (const HoldRow& row : facts.holds) {
    Span span{row.start_ns, row.end_ns.value_or(kNoEnd)};
    std::vector<int64_t> cuts = aliases->changes(row.resource_id, span);
    cuts.push_back(span.end_ns);
    int64_t start = span.start_ns;
    for (int64_t cut : cuts) {
      Identity identity = aliases->resolve(row.resource_id, start);
      ResolvedHold hold{&row, identity.resource_id, identity.device ? identity.device : row.device,
                        start, cut};
      if (cut == kNoEnd) hold.end_ns.reset();
      if (hold.device) {
        Identity device = aliases->resolve(*hold.device, start);
        if (device.device && device.resource_id == hold.resource_id) hold.device = device.device;
      }
      holds.push_back(std::move(hold));
      start = cut;
    }
  }
  std::set<std::string> unbilled;
  for (const ResolvedHold& hold : holds) {
    int32_t resource = resource_index(hold.resource_id);
    if (!resources[static_cast<size_t>(resource)].billed) {
      findings->add({.code = "hold-on-unbilled-resource",
                     .source = hold.row->source,
                     .subject = hold.resource_id,
                     .cost = {},
                     .currency = "",
                     .place = hold.row->run_id,
                     .text = hold.row->resource_id});
    }
  }
}

Ends Timeline::Impl::find_ends() const {
  Ends ends;
  ends.horizon_ns = horizon_ns;
  std::vector<int64_t> newest = billed.newest_ends(resources.size());
  for (size_t i = 0; i < resources.size(); ++i) {
    if (lanes[i].gone_ns && !lanes[i].open_ended) {
      ends.node_gone_ns[resources[i].id] = *lanes[i].gone_ns;
    } else if (newest[i] != INT64_MIN && newest[i] < horizon_ns) {
      ends.node_gone_ns[resources[i].id] = newest[i];
    }
  }
  return ends;
}

namespace {

bool same_hold(const CanonicalHold& a, const CanonicalHold& b) {
  return a.attempt == b.attempt && a.device == b.device && a.count == b.count && a.span == b.span &&
         a.weight == b.weight && a.cpus == b.cpus;
}

}  // namespace

void Timeline::Impl::place_holds(const Ends& ends, Findings* findings) {
  for (const ResolvedHold& hold : holds) {
    int32_t attempt_at = attempts.find(hold.row->run_id, hold.row->attempt);
    TARE_ASSERT(attempt_at >= 0, "each hold has an attempt");
    const Attempt& attempt = attempts.all[static_cast<size_t>(attempt_at)];
    CanonicalHold canonical{attempt_at,         hold.device,      hold.row->device_count,
                            {hold.start_ns, 0}, hold.row->weight, hold.row->cpus};
    auto note = [&](std::string_view code, std::string_view text) {
      findings->add({.code = code,
                     .source = hold.row->source,
                     .subject = hold.row->run_id,
                     .cost = {},
                     .currency = "",
                     .place = hold.resource_id,
                     .text = text});
    };
    canonical.span.end_ns = hold.end_ns.value_or(kNoEnd);
    if (!hold.row->end_ns) {
      canonical.span.end_ns = std::min(canonical.span.end_ns, attempt.end_ns);
      auto gone = ends.node_gone_ns.find(hold.resource_id);
      if (gone != ends.node_gone_ns.end() && gone->second > hold.start_ns) {
        canonical.span.end_ns = std::min(canonical.span.end_ns, gone->second);
      }
    }
    if (canonical.weight && canonical.weight->num == 0) {
      note("weight-zero", to_text(hold.start_ns));
      continue;
    }
    if (canonical.weight && canonical.weight->num > canonical.weight->den) {
      note("weight-over-one", to_text(*canonical.weight));
      canonical.weight = Fraction{1, 1};
    }
    if (canonical.span.empty()) continue;
    if (attempt.has_record &&
        (canonical.span.start_ns < attempt.start_ns || canonical.span.end_ns > attempt.end_ns)) {
      note("hold-outside-run", to_text(canonical.span.start_ns));
    }
    int32_t resource = index.at(hold.resource_id);
    std::vector<CanonicalHold>& lane_holds = lanes[static_cast<size_t>(resource)].holds;
    bool repeated =
        std::any_of(lane_holds.rbegin(),
                    lane_holds.rbegin() + std::min<std::ptrdiff_t>(8, std::ssize(lane_holds)),
                    [&](const CanonicalHold& other) { return same_hold(other, canonical); });
    if (repeated) note("duplicate-hold", to_text(hold.start_ns));
    lane_holds.push_back(std::move(canonical));
    Resource& tracked = resources[static_cast<size_t>(resource)];
    tracked.tracked_from_ns = std::min(tracked.tracked_from_ns,
                                       span_of(month_of(lane_holds.back().span.start_ns)).start_ns);
  }
}

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
      if (device >= 0) usage[static_cast<size_t>(device)].push_back(facts.usage[row]);
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
  auto impl = std::make_unique<Impl>(project);
  impl->connection.emplace(impl->database.connect());
  impl->facts = read_facts(*impl->connection, store_directory, catalog);
  impl->aliases.emplace(impl->facts.aliases, findings);
  impl->read_dims(project);
  impl->decide_carriers();
  impl->read_lines();
  impl->resolve_holds(findings);
  impl->read_inventory(project);
  Ends ends = impl->find_ends();
  impl->attempts = make_attempts(project, impl->facts, impl->holds, ends, findings);
  impl->place_holds(ends, findings);
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

bool Timeline::has_holds(int32_t resource) const {
  return !impl_->lanes[static_cast<size_t>(resource)].holds.empty();
}

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

std::optional<int64_t> Timeline::line_device_ns(const DimTime& dim,
                                                const std::optional<Money>& consumed) const {
  if (!dim.carries || !consumed || dim.kind == TimeKind::kNone) return std::nullopt;
  auto ns = quantity_ns(*consumed, dim.unit_ns);
  if (!ns) return std::nullopt;
  return device_ns(impl_->resources[static_cast<size_t>(dim.resource)], dim.kind, *ns);
}

const BilledTime* Timeline::billed_time(int32_t resource, Span period) const {
  return impl_->billed.find(resource, period);
}

int64_t Timeline::assumed_ns(int32_t resource, Span period, Hash128 line) const {
  return impl_->billed.assumed_ns(resource, period, line);
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
  if (!lane.has_states || span.empty()) {
    std::vector<HeldTime> held;
    held_in(resource, span, &held);
    for (const HeldTime& part : held)
      out->push_back({part.attempt, store::State::kUnknown, false, part.held_ns});
    return;
  }
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
