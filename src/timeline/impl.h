// What a timeline keeps; private to this folder.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "timeline/aliases.h"
#include "timeline/billed.h"
#include "timeline/device_time.h"
#include "timeline/devices.h"
#include "timeline/facts.h"
#include "timeline/runs.h"
#include "timeline/states.h"
#include "timeline/timeline.h"

namespace tare::timeline {

constexpr int64_t kReadingBytes = 128LL << 20;

// Billed device-time that nobody held, in stretches of adjacent charge periods.
struct NotHeld {
  Span span;
  store::State state = store::State::kNoRun;  // kUnknown on a resource that is not tracked (R27)
  int64_t ns = 0;
};

// One resource's way through time.
struct Lane {
  KnownDevices known;
  std::optional<int64_t> sku_cpus;
  bool named_lines = false;               // some line's SKU names the instance (R20)
  bool carrier = false;                   // some line carries device-time
  std::set<std::string> pool_tags, skus;  // what names its pool where no inventory does
  std::optional<int64_t> gone_ns;         // inventory's newest `to`
  bool open_ended = false;                // an inventory row has no `to`
  std::vector<CanonicalHold> holds;
  std::vector<size_t> usage;  // indexes into facts.usage
  DeviceSet devices;
  std::vector<Piece> pieces;              // ascending
  bool has_states = false;                // false: all that is held is unknown
  std::vector<StateSpan> states;          // by start
  std::vector<int64_t> newest_state_end;  // running maximum over states
  std::vector<NotHeld> not_held;          // ascending
};

struct Timeline::Impl {
  Impl(const Project& project, const std::string& store_directory)
      : database{{.memory_limit_bytes = kReadingBytes,
                  .temp_directory = store_directory + "/reading.part.tmp"}},
        instance_types(project) {}

  int32_t resource_index(const std::string& id);
  std::vector<std::pair<int64_t, int32_t>> targets_of(const std::string& id);
  void mark(int32_t index_of, const BillDim& dim, const DimSigns& sign,
            const std::string& pool_key);
  DimTime time_of(const BillDim& dim, const DimSigns& sign, const std::string& pool_key);
  std::string_view fault_of(const DimTime& time, const DimSigns& sign) const;
  void read_quantities(const BillFile& bill, Findings* findings);
  void read_netted_quantities(const BillFile& bill);
  void read_unknown_quantities(const BillFile& bill);
  void mark_aliased(const BillFile& bill, const std::string& pool_key);
  void read_dims(const Project& project);
  bool carries(int32_t resource, const BillDim& dim, const DimSigns& sign) const;
  void decide_carriers();
  void read_lines(Findings* findings);
  void read_inventory(const Project& project, Findings* findings);
  void note_conflicts(Findings* findings) const;
  void resolve_holds(Findings* findings);
  Ends find_ends() const;
  DimTime at_instant(const DimTime& dim, int64_t instant_ns) const;
  void place_holds(const Ends& ends, Findings* findings);
  void sort_holds();
  void group_usage(Findings* findings);
  void lay_out(const Project& project, Findings* findings);
  void compare_with_bill(Findings* findings);
  void held_in(int32_t resource, Span span, std::vector<HeldTime>* out) const;

  // Lines are read once and in order: what DuckDB would keep of the files is room for nothing.
  store::Database database;
  std::optional<store::Connection> connection;
  InstanceTypes instance_types;
  Facts facts;
  std::optional<Aliases> aliases;
  std::unordered_map<std::string, int32_t> index;  // canonical id -> resources, lanes
  std::vector<Resource> resources;
  std::vector<Lane> lanes;
  std::unordered_map<std::string, std::vector<DimTime>> dims;  // by bill file
  std::unordered_map<std::string, std::vector<DimSigns>> signs;
  // Dims whose id means several machines in turn: each from an instant on, and whether the dim's
  // lines carry device-time on it.
  struct Meaning {
    int64_t from_ns;
    int32_t resource;
    bool carries;
  };
  std::vector<std::vector<Meaning>> aliased;
  BilledTimes billed;
  std::vector<ResolvedHold> holds;
  Attempts attempts;
  int64_t horizon_ns = INT64_MIN;
};

}  // namespace tare::timeline
