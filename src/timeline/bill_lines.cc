// What the bill says of machines: which lines are theirs, in which unit, and how much time they
// bill.
#include <algorithm>
#include <set>

#include "timeline/impl.h"

namespace tare::timeline {

using store::Chunk;

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
  if (sign.names_instance && sign.cpus)
    lane.sku_cpus = std::max(lane.sku_cpus.value_or(0), *sign.cpus);
  bool unit_fits = sign.kind != TimeKind::kNone || !dim[DimColumn::kConsumedUnit];
  if (sign.usage && !sign.correction && sign.names_instance && unit_fits) lane.named_lines = true;
  if (std::string pool = pool_of_line(dim, pool_key); !pool.empty())
    lane.pool_tags.insert(std::move(pool));
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
  time.resource = targets.front().second;
  if (targets.size() > 1) {
    time.aliased = static_cast<int32_t>(aliased.size());
    std::vector<Meaning>& meanings = aliased.emplace_back();
    for (const auto& [from_ns, resource] : targets) meanings.push_back({from_ns, resource, false});
  } else {
    mark(time.resource, dim, sign, pool_key);
  }
  return time;
}

// An id that means several machines in turn says something of those that its lines meant.
void Timeline::Impl::mark_aliased(const BillFile& bill, const std::string& pool_key) {
  const std::vector<DimTime>& times = dims[bill.name];
  std::string wanted;
  for (size_t i = 0; i < times.size(); ++i) {
    if (times[i].aliased >= 0) wanted += (wanted.empty() ? "" : ",") + std::to_string(i);
  }
  if (wanted.empty()) return;
  std::set<std::pair<int32_t, size_t>> meant;
  store::Stream stream =
      connection->stream_store("SELECT DISTINCT dim, charge_start FROM " + bill.alias +
                               ".line WHERE dim IN (" + wanted + ")");
  while (const Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      auto dim = static_cast<size_t>(chunk->i32(0, row));
      meant.emplace(at_instant(times[dim], chunk->i64(1, row)).resource, dim);
    }
  }
  for (const auto& [resource, dim] : meant)
    mark(resource, bill.dims[dim], signs[bill.name][dim], pool_key);
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
    mark_aliased(bill, pool_key);
  }
  for (size_t i = 0; i < resources.size(); ++i) {
    const Lane& lane = lanes[i];
    if (lane.pool_tags.empty() && lane.skus.empty()) continue;
    resources[i].bill_pool = lane.pool_tags.empty() ? *lane.skus.begin() : *lane.pool_tags.begin();
  }
}

DimTime Timeline::Impl::at_instant(const DimTime& dim, int64_t instant_ns) const {
  DimTime then = dim;
  if (dim.aliased < 0) return then;
  for (const Meaning& meaning : aliased[static_cast<size_t>(dim.aliased)]) {
    if (meaning.from_ns > instant_ns) continue;
    then.resource = meaning.resource;
    then.carries = meaning.carries;
  }
  return then;
}

// Whether lines of the dim carry device-time on this machine (R20).
bool Timeline::Impl::carries(int32_t resource, const BillDim& dim, const DimSigns& sign) const {
  if (resource < 0 || !sign.usage || sign.correction) return false;
  bool fits = sign.kind != TimeKind::kNone || !dim[DimColumn::kConsumedUnit];
  const Lane& lane = lanes[static_cast<size_t>(resource)];
  return fits && (lane.named_lines ? sign.names_instance : sign.instance_like);
}

void Timeline::Impl::decide_carriers() {
  for (BillFile& bill : facts.bills) {
    std::vector<DimTime>& times = dims[bill.name];
    const std::vector<DimSigns>& file_signs = signs[bill.name];
    for (size_t i = 0; i < times.size(); ++i) {
      DimTime& time = times[i];
      auto decide = [&](int32_t resource, bool* carries_there) {
        *carries_there = carries(resource, bill.dims[i], file_signs[i]);
        if (*carries_there) lanes[static_cast<size_t>(resource)].carrier = true;
      };
      if (time.aliased < 0) {
        decide(time.resource, &time.carries);
        continue;
      }
      for (Meaning& meaning : aliased[static_cast<size_t>(time.aliased)]) {
        decide(meaning.resource, &meaning.carries);
        time.carries = time.carries || meaning.carries;
      }
    }
  }
}

// What is wrong with a dim's device time, so with each of its lines; "" nothing.
std::string_view Timeline::Impl::fault_of(const DimTime& time, const DimSigns& sign) const {
  if (time.resource < 0 || !sign.usage || sign.correction) return "";
  if (sign.count_unusable) return "device-count-unusable";
  bool machine = sign.names_instance && sign.kind == TimeKind::kNone;
  bool timed = lanes[static_cast<size_t>(time.resource)].carrier;
  return machine && !time.carries && !timed ? "unit-not-time" : "";
}

void Timeline::Impl::read_quantities(const BillFile& bill, Findings* findings) {
  const std::vector<DimTime>& times = dims[bill.name];
  const std::vector<DimSigns>& file_signs = signs[bill.name];
  std::vector<std::string_view> faults;
  for (size_t i = 0; i < times.size(); ++i) faults.push_back(fault_of(times[i], file_signs[i]));
  auto note = [&](std::string_view code, const DimTime& time, int64_t start_ns) {
    const std::string& id = resources[static_cast<size_t>(time.resource)].id;
    findings->add({.code = code,
                   .source = bill.source,
                   .subject = id,
                   .cost = {},
                   .currency = "",
                   .place = id,
                   .text = to_text(start_ns)});
  };
  store::Stream stream = connection->stream_store(
      "SELECT dim, charge_start, charge_end, consumed_units, consumed_atto FROM " + bill.alias +
      ".line");
  while (const Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      auto dim = static_cast<size_t>(chunk->i32(0, row));
      if (file_signs[dim].usage) horizon_ns = std::max(horizon_ns, chunk->i64(2, row));
      if (!faults[dim].empty()) note(faults[dim], times[dim], chunk->i64(1, row));
      if (!times[dim].carries || times[dim].kind == TimeKind::kNone || !chunk->valid(3, row))
        continue;
      Span period{chunk->i64(1, row), chunk->i64(2, row)};
      DimTime time = at_instant(times[dim], period.start_ns);
      if (!time.carries) continue;
      auto ns =
          quantity_ns(Money::from_stored(chunk->i64(3, row), chunk->i64(4, row)), time.unit_ns);
      if (ns) {
        billed.add(time.resource, period, *ns, time.kind);
        continue;
      }
      note("device-time-too-large", time, period.start_ns);
    }
  }
}

// Once more, with the ids that lines of one period share its time by (R22).
void Timeline::Impl::read_netted_quantities(const BillFile& bill) {
  const std::vector<DimTime>& times = dims[bill.name];
  store::Stream stream = connection->stream_store(
      "SELECT dim, charge_start, charge_end, consumed_units, consumed_atto, id FROM " + bill.alias +
      ".line WHERE consumed_units IS NOT NULL");
  while (const Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      const DimTime& dim = times[static_cast<size_t>(chunk->i32(0, row))];
      if (!dim.carries || dim.kind == TimeKind::kNone) continue;
      Span period{chunk->i64(1, row), chunk->i64(2, row)};
      DimTime time = at_instant(dim, period.start_ns);
      if (!time.carries) continue;
      auto ns =
          quantity_ns(Money::from_stored(chunk->i64(3, row), chunk->i64(4, row)), time.unit_ns);
      if (ns) billed.add_netted(time.resource, period, chunk->uuid(5, row), *ns, time.kind);
    }
  }
}

// Lines without a quantity, which need their ids to share what is assumed (R23).
void Timeline::Impl::read_unknown_quantities(const BillFile& bill) {
  const std::vector<DimTime>& times = dims[bill.name];
  store::Stream stream =
      connection->stream_store("SELECT dim, charge_start, charge_end, id FROM " + bill.alias +
                               ".line WHERE consumed_units IS NULL");
  while (const Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      const DimTime& dim = times[static_cast<size_t>(chunk->i32(0, row))];
      if (!dim.carries) continue;
      Span period{chunk->i64(1, row), chunk->i64(2, row)};
      DimTime time = at_instant(dim, period.start_ns);
      if (time.carries) billed.add_unknown(time.resource, period, chunk->uuid(3, row));
    }
  }
}

void Timeline::Impl::read_lines(Findings* findings) {
  for (const BillFile& bill : facts.bills) {
    read_quantities(bill, findings);
    read_unknown_quantities(bill);
  }
  if (billed.has_netted()) {
    for (const BillFile& bill : facts.bills) read_netted_quantities(bill);
  }
  horizon_ns = std::max(horizon_ns, facts.newest_sign_ns);
}

}  // namespace tare::timeline
