// The plan of a made world: machines and how long they live, runs and their attempts, and pieces of
// time in which the holders of a lane do not change. Everything that is written, and the truth, is
// read off it. Times are seconds since the world's first month begins, money is in millionths.
//
// Memory grows with runs and machines; bill lines are made from the plan as they are written.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "synth/company.h"
#include "synth/synth.h"

namespace tare::synth {

inline constexpr int32_t kSecondsPerHour = 3600;
inline constexpr int32_t kNever = std::numeric_limits<int32_t>::max();
inline constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
// Billed time comes in twentieths of an hour, whose decimals end.
inline constexpr int32_t kTwentieths = 20;
inline constexpr int32_t kTwentiethSeconds = kSecondsPerHour / kTwentieths;

// What a machine does in its life.
enum class Use : uint8_t {
  kNodeRuns,    // one run after the other on all devices; sweeps too
  kGang,        // the same runs at the same time as the machine before it
  kDeviceRuns,  // each device, by its index, has runs of its own
  kCountRuns,   // holds that name a number of devices
  kSliced,      // sevenths of one device
  kShared,      // equal shares, and more asked for than there is
  kParts,       // tenths of one device beside runs of another
  kCpuNode,     // requests of CPUs
  kReplica,     // an endpoint's machine
  kTagRule,     // no hold names it: its tags name the model
  kTaggedRun,   // no hold names it: its tag names a run
  kManaged,     // its resource id is a run's id
  kUnnamed,     // nothing names it
  kPlanted,
  kCount
};

enum class Frequency : uint8_t { kHourly, kDaily, kMonthly };
enum class Pricing : uint8_t { kOnDemand, kSpot, kCommitted, kMixed };  // kMixed: two lines an hour
enum class TimeUnitOf : uint8_t { kHours, kDeviceHours, kCoreHours, kUnsaid };

// A charge of a machine in each of its periods. kInstance and kRest carry device-time.
enum class ChargeKind : uint8_t {
  kInstance,
  kRest,
  kLicence,
  kDisk,
  kAddress,
  kThroughput,
  kCount
};
struct Charge {
  ChargeKind kind;
  Frequency frequency;
  int64_t micros_per_hour;
  int32_t dim = 0;  // the line's texts, see dims.h
};

enum class NamedBy : uint8_t { kInventory, kPoolTag, kSkuAndRegion };  // who names the pool

// What the devices of a planted machine report from an hour of its life on.
struct Phase {
  int32_t from_hour, to_hour;
  int64_t busy_ppm, sm_active_ppm;
  Plant waste = Plant::kCount;  // whose size it is; kCount: none
};

struct Machine {
  std::string id;     // as the bill names it
  std::string alias;  // as holds name it; "" the same
  ShapeId shape;
  Use use;
  Frequency frequency = Frequency::kHourly;
  Pricing pricing = Pricing::kOnDemand;
  TimeUnitOf unit = TimeUnitOf::kHours;
  NamedBy pool_by = NamedBy::kInventory;
  bool tagged = true;
  bool monitored = false;  // its devices report their use
  bool contracted_known = true, effective_known = true;
  int32_t from_hour = 0, to_hour = 0;
  int32_t first_twentieths = kTwentieths, last_twentieths = kTwentieths;
  int32_t tracked_month = kNever;  // of its first hold
  uint32_t first_lane = 0, lanes = 0;
  uint32_t pool_account = kNone;  // of its idle time
  std::string pool;
  uint32_t holder = kNone;  // of kTaggedRun and kManaged
  size_t model = 0;
  int32_t plant = -1;  // index into the wanted plants
  std::vector<Charge> charges;
  std::vector<Phase> phases;  // of a planted machine

  bool named_by_holds() const { return use < Use::kTagRule || use == Use::kPlanted; }
  int32_t life_hours() const { return to_hour - from_hour; }
  int32_t first_second() const {
    return from_hour * kSecondsPerHour + (kTwentieths - first_twentieths) * kTwentiethSeconds;
  }
  int32_t last_second() const {
    return to_hour * kSecondsPerHour - (kTwentieths - last_twentieths) * kTwentiethSeconds;
  }
};

enum class RunState : uint8_t { kRunning, kFinished, kFailed, kPreempted, kCancelled, kLost };

struct Run {
  uint8_t model = 0;
  Stage stage = Stage::kTraining;
  uint32_t parent = kNone;
  bool managed = false;
};

// One attempt of a run, or an endpoint with one of the accounts that its time goes to.
struct Holder {
  uint32_t run = kNone;      // kNone: an endpoint
  uint32_t account = kNone;  // index into accounts
  uint64_t order = 0;        // of a split's parts: by account, run, attempt, bytewise
  int32_t start = 0;
  int32_t end = kNever;        // kNever: the record has none, and it lasts to the end of the world
  int32_t checkpoint = -1;     // -1: none is known
  int32_t lost_from = kNever;  // from where its work was thrown away
  RunState state = RunState::kFinished;
  uint8_t attempt = 0;
};

struct PiecePart {
  uint32_t holder;
  uint32_t weight;
};
// A stretch of a lane in which the same holders hold `devices` devices alike.
struct Piece {
  int32_t start, end;
  uint32_t first_part;
  uint8_t parts;
  uint8_t devices;
  uint16_t idle_weight;
};
struct Lane {
  uint32_t first_piece = 0, pieces = 0;
  int32_t device = -1;  // the index, where the lane is one device
};

struct Span32 {
  int32_t start, end;
};

// A row of the file of holds or replicas.
struct HoldRow {
  uint32_t holder;
  uint32_t machine;
  int32_t start, end;  // end kNever: left empty
  int16_t device = -1;
  uint8_t count = 0;            // 0: not said
  uint8_t part = 0, whole = 0;  // whole 0: no weight; of a CPU node `part` CPUs
  uint8_t endpoint_model = 0;
};

// Endpoints stand in the order of the models that have one of their own, then these two.
inline constexpr size_t kBoth = kCommonModels, kBlend = kCommonModels + 1;
inline constexpr std::array<size_t, 2> kBothModels = {0, 6};   // "ads", "search"
inline constexpr std::array<uint32_t, 2> kBothParts = {1, 3};  // of 4
inline constexpr size_t kBlendModel = 1, kBlendOther = 7;      // "chat", "vision"

struct Endpoint {
  std::string name;
  uint32_t first_holder;                            // one a model that its time goes to
  std::vector<std::pair<size_t, uint32_t>> shares;  // model, weight
};

struct World {
  Wanted wanted;
  Month first_month;
  int32_t hours = 0;                 // of all months
  std::vector<int32_t> month_hours;  // first hour of each month, and the end
  std::vector<Machine> machines;
  std::vector<Run> runs;
  std::vector<Holder> holders;
  std::vector<Lane> lanes;
  std::vector<Piece> pieces;
  std::vector<PiecePart> parts;
  std::vector<HoldRow> holds, replicas;
  std::vector<Endpoint> endpoints;
  // Accounts that are no run's; an account's index is its run's, or runs.size() + its place here.
  std::vector<std::string> accounts;
  int64_t fill_lines = 0;   // lines without a machine, spread over all hours
  int64_t fixed_lines = 0;  // of the months' own charges
  int64_t corrections_a_month = 0;
  std::vector<std::vector<int64_t>> requests;  // by month and model
  int64_t request_rows = 0;

  int32_t month_of_hour(int32_t hour) const;
  int64_t instant_ns(int32_t second) const;
  std::string run_id(uint32_t run) const;
  std::string account_text(uint32_t account) const;
  std::string account_run(uint32_t account) const;  // the run_id of its postings; "" none
  uint32_t account_named(const std::string& text);  // adds it where it is new
  // Billed twentieths of an hour in which the machine lives.
  int32_t billed_twentieths(const Machine& machine, size_t index, int32_t hour) const;
};

struct Request {
  int32_t second;
  size_t model;
};
Request request_of(const World& world, int64_t index);  // in the order of time

World plan_world(const Wanted& wanted);

// Parts of the plan, in the order in which they are made. Each only adds to the world.
void plan_endpoints(World* world);
void plan_plants(World* world);  // what is wanted by name has its room first
void plan_machines(World* world);
void plan_holds(World* world);

// Lines that the months' own charges take, and the least that machines and others must have left.
int64_t count_machine_lines(const World& world, const Machine& machine);

// Adds a run and returns its index.
uint32_t add_run(World* world, size_t model, Stage stage, uint32_t parent = kNone);
// Adds the next attempt of a run.
uint32_t add_holder(World* world, uint32_t run, uint8_t attempt, int32_t start, int32_t end);
void set_state(Holder* holder, RunState state, int32_t checkpoint);
void add_piece(World* world, int32_t start, int32_t end, uint8_t devices, uint32_t holder);

}  // namespace tare::synth
