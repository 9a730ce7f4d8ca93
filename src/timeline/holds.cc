// Inventory and holds, brought onto the machines that the bill names.
#include <algorithm>
#include <set>
#include <tuple>

#include "timeline/impl.h"

namespace tare::timeline {
namespace {

bool is_less(Fraction a, Fraction b) {
  return static_cast<int128>(a.num) * b.den < static_cast<int128>(b.num) * a.den;
}

}  // namespace

// Rows of one machine that hold at one time and say different things.
void Timeline::Impl::note_conflicts(Findings* findings) const {
  auto span = [](const ResourceRow& row) {
    return Span{row.from_ns.value_or(INT64_MIN), row.to_ns.value_or(kNoEnd)};
  };
  auto says = [](const ResourceRow& row) {
    return std::tuple(row.pool, row.team, row.device_model, row.devices,
                      row.cpus ? to_text(*row.cpus) : "");
  };
  for (size_t i = 0; i < facts.resources.size(); ++i) {
    const ResourceRow& row = facts.resources[i];
    for (size_t back = 1; back <= i; ++back) {  // rows of one machine stand together
      const ResourceRow& other = facts.resources[i - back];
      if (other.resource_id != row.resource_id) break;
      if (intersect(span(row), span(other)).empty() || says(row) == says(other)) continue;
      findings->add({.code = "resource-conflict",
                     .source = row.source,
                     .subject = row.resource_id,
                     .cost = {},
                     .currency = "",
                     .place = row.resource_id,
                     .text = row.pool});
      break;
    }
  }
}

void Timeline::Impl::read_inventory(const Project& project, Findings* findings) {
  note_conflicts(findings);
  for (const ResourceRow& row : facts.resources) {
    int64_t at = row.from_ns.value_or(row.to_ns ? *row.to_ns - 1 : horizon_ns);
    int32_t resource_at = resource_index(aliases->resolve(row.resource_id, at).resource_id);
    Resource& resource = resources[static_cast<size_t>(resource_at)];
    Lane& lane = lanes[static_cast<size_t>(resource_at)];
    if (row.devices)
      lane.known.inventory = std::max(lane.known.inventory.value_or(0), *row.devices);
    if (row.cpus && (!resource.cpus || is_less(*resource.cpus, *row.cpus)))
      resource.cpus = row.cpus;
    if (!row.pool.empty()) {
      resource.pool = row.pool;
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
    if (resource.pool.empty())
      resource.pool = resource.bill_pool.empty() ? "-" : resource.bill_pool;
    if (resource.team.empty()) {
      auto team = project.pool_teams.find(resource.pool);
      resource.team = team == project.pool_teams.end() ? "unowned" : team->second;
    }
  }
}

void Timeline::Impl::resolve_holds(Findings* findings) {
  for (const HoldRow& row : facts.holds) {
    Span span{row.start_ns, row.end_ns.value_or(kNoEnd)};
    if (span.empty()) {
      findings->add({.code = "hold-of-no-length",
                     .source = row.source,
                     .subject = row.run_id,
                     .cost = {},
                     .currency = "",
                     .place = row.resource_id,
                     .text = to_text(row.start_ns)});
      continue;
    }
    std::vector<int64_t> cuts = aliases->changes(row.resource_id, span);
    cuts.push_back(span.end_ns);
    int64_t start = span.start_ns;
    for (int64_t cut : cuts) {
      Identity identity = aliases->resolve(row.resource_id, start);
      ResolvedHold hold{&row, Word(identity.resource_id),
                        identity.device ? identity.device : row.device, start, cut};
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

// In one order whatever the names and the files they came by.
void Timeline::Impl::sort_holds() {
  auto before = [](const CanonicalHold& a, const CanonicalHold& b) {
    if (a.span != b.span) return a.span < b.span;
    if (a.attempt != b.attempt) return a.attempt < b.attempt;
    if (a.count != b.count) return a.count < b.count;
    for (auto part : {&CanonicalHold::weight, &CanonicalHold::cpus}) {
      const std::optional<Fraction>&x = a.*part, &y = b.*part;
      if (x.has_value() != y.has_value()) return y.has_value();
      if (x && (is_less(*x, *y) || is_less(*y, *x))) return is_less(*x, *y);
    }
    return a.device < b.device;
  };
  for (Lane& lane : lanes) std::stable_sort(lane.holds.begin(), lane.holds.end(), before);
}

}  // namespace tare::timeline
