// The timeline's door: who held which device when, and in which state. Time is independent of
// money: nothing here knows a cost.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/findings.h"
#include "base/word.h"
#include "store/store.h"

namespace tare::timeline {

// A bill file of the store with its dims; index = id.
struct BillFile {
  std::string name;   // store file
  std::string alias;  // attached under this name
  std::string source, period;
  std::vector<BillDim> dims;
};

// An account's parts are percent-encoded for '/' and '%'; an empty part is "-" (R50).
std::string account_part(std::string_view text);

// Declared parts ("1/3") as integers in the same proportions.
std::vector<std::pair<std::string, int64_t>> whole_shares(
    const std::map<std::string, std::string>& declared);

// A bill line's tags: keys folded (trimmed, ASCII lower case) with their values as text; a
// valueless tag is "true". Sorted by key; of keys that fold alike the last in the text counts.
using Tags = std::vector<std::pair<std::string, std::string>>;
Tags parse_tags(std::string_view json);
std::string folded_tag_key(std::string_view key);
// What a line itself says of its machine's pool: by the tag that `pool_key` (folded) names, else by
// its rate card; "" where neither does.
std::string pool_of_line(const BillDim& dim, const std::string& pool_key);
const std::string* tag_value(const Tags& tags, std::string_view folded_key);  // null: no such tag

// One attempt of a run, with what was found out about it. Attempts are ordered by (account bytes,
// run bytes, attempt): the order of a split's parts, so an attempt's index is its rank.
struct Attempt {
  std::string
      account;  // "model/<m>/<stage>/<run>", or "shared/<stage>" (several models, no shares)
  std::string run_id, parent_run_id, name;
  Word model, stage, team, state, source, exit_reason, experiment, cost_center;
  int32_t attempt = 0;
  int64_t start_ns = 0, end_ns = 0;
  Word end_known_by;        // "record", "hold", "node gone", "horizon"
  bool has_record = false;  // false: only holds name this run
  std::optional<int64_t> last_checkpoint_ns;
  // Where work is thrown away from (state lost), with whether that is assumed; kNoEnd: nowhere.
  int64_t lost_from_ns = kNoEnd;
  bool lost_assumed = false;
  // A run that serves several models by `shares:`: declared parts as integers, or by the requests
  // of the models it serves (empty list: of all models) in the month; neither: it serves one.
  std::vector<std::pair<std::string, int64_t>> model_shares;
  bool shares_by_requests = false;
  std::vector<std::string> models_served;
};

struct HeldTime {
  int32_t attempt = 0;  // index into attempts()
  int64_t held_ns = 0;
};
struct StateTime {
  int32_t attempt = 0;
  store::State state = store::State::kUnknown;
  bool busy_known = false;
  int64_t weight_ns = 0;
};

// What the bill says about a resource, gathered from the dims of all bill files.
struct Resource {
  std::string id;         // canonical
  std::string pool;       // from the resources file, else bill_pool, else "-"
  std::string bill_pool;  // the pool tag, else SKU@region; "" where no line says one
  std::string team, device_model;
  // Pools of the resources file, each for its own time.
  struct PoolSpan {
    Span span;
    std::string pool;
  };
  std::vector<PoolSpan> pools;
  store::DeviceClass device_class = store::DeviceClass::kNone;
  int64_t devices = 1;  // R25; 1 on a node without accelerators
  std::optional<Fraction> cpus;
  int64_t tracked_from_ns = kNoEnd;  // start of the usage month of its first hold
  bool billed = false;
};

// A bill dim as the timeline sees it.
enum class TimeKind : uint8_t { kNone, kNodeTime, kDeviceTime, kCoreTime };
struct DimTime {
  int32_t resource = -1;  // index into resources(), -1: the line names none
  TimeKind kind = TimeKind::kNone;
  int64_t unit_ns = 0;   // length of one consumed unit
  bool carries = false;  // R20: a Usage line that carries device-time
  bool correction = false;
  int32_t aliased = -1;  // the resource depends on the charge's start: see Timeline::at_instant
};

// The billed device-time of one resource and charge period (R22, R23).
struct BilledTime {
  Span period;
  int64_t billed_ns = 0;
  bool assumed = false;
  bool netted = false;  // some quantity is negative
};

class Timeline {
 public:
  // Reads the facts and the bill files that the catalog names.
  static Timeline build(const Project& project, const std::string& store_directory,
                        const store::Catalog& catalog, Findings* findings);
  Timeline(Timeline&&) noexcept;
  ~Timeline();

  const std::vector<Attempt>& attempts() const;
  const std::vector<Resource>& resources() const;
  // Index of the last attempt of a run that overlaps `span`, else its last attempt; -1 unknown run.
  int32_t attempt_of_run(std::string_view run_id, Span span) const;
  // All attempts of a run, by attempt number.
  std::span<const int32_t> attempts_of_run(std::string_view run_id) const;

  // Per dim of a bill file, in the dims' id order.
  const std::vector<DimTime>& dims_of(const std::string& bill_file) const;

  // The dim as of an instant: its resource where the bill's id is an alias for a time.
  DimTime at_instant(const DimTime& dim, int64_t instant_ns) const;

  // Device-time that one line carries (R20-R23): its consumed quantity × devices. Where a quantity
  // of its period is negative, the positive lines share what all add up to. A line without a
  // quantity has an equal part of what is assumed; what does not divide goes to the least id.
  int64_t line_ns(const DimTime& dim, Span period, Hash128 line,
                  const std::optional<Money>& consumed) const;
  // Billed device-time of exactly this charge period; null where there is none.
  const BilledTime* billed_time(int32_t resource, Span period) const;
  // Billed device-time inside `period`, other charge periods prorated by the time they share
  // (floored).
  int64_t billed_within(int32_t resource, Span period) const;
  // Device-time held in the span (R30), by ascending attempt; a span of no length: shares at that
  // instant. Clears `out`.
  void held_in(int32_t resource, Span span, std::vector<HeldTime>* out) const;
  // Weights of states of what each attempt held in the span, by (attempt, state). What no entry
  // speaks of is unknown. Clears `out`.
  void states_in(int32_t resource, Span span, std::vector<StateTime>* out) const;

  int64_t horizon_ns() const;
  // Requests of each model in a month, by model; for `by-request` and `shares: by requests`.
  std::vector<std::pair<std::string, int64_t>> requests_in(Month month) const;
  // The bill files, attached read-only under their alias in the database that connect() reaches.
  const std::vector<BillFile>& bills() const;
  store::Connection connect();

  // Writes timeline-<hash>.duckdb with the runs, holds, resources and device states found
  // (schema.h).
  store::StoreFile write(const std::string& store_directory, const std::string& derived_from,
                         const Findings& findings) const;

  struct Impl;

 private:
  explicit Timeline(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tare::timeline
