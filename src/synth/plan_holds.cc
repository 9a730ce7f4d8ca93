// Who holds what: runs, their attempts and sweeps, laid into the lives of the machines.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/errors.h"
#include "synth/dice.h"
#include "synth/world.h"

namespace tare::synth {
namespace {

enum : uint64_t { kHoldDice = 2 };

constexpr int32_t kShortestSlot = 20;  // seconds

class HoldPlan {
 public:
  explicit HoldPlan(World* world) : world_(*world), dice_(world->wanted.seed, kHoldDice) {}

  void plan() {
    tag_machines();
    const int64_t left = world_.wanted.runs - static_cast<int64_t>(world_.runs.size());
    if (left < 0) {
      throw UserError("usage",
                      fmt::format("{} runs are too few for what is planted", world_.wanted.runs),
                      fmt::format("such a world takes at least {}", world_.runs.size()));
    }
    std::vector<int64_t> room;  // seconds of lanes that take runs
    for (const Machine& machine : world_.machines) room.push_back(room_of(machine));
    const int128 whole = std::accumulate(room.begin(), room.end(), int128{0});
    int128 before = 0;
    for (size_t i = 0; i < world_.machines.size(); ++i) {
      const int128 after = before + room[i];
      const auto first = whole == 0 ? 0 : static_cast<int64_t>(left * before / whole);
      const auto next = whole == 0 ? 0 : static_cast<int64_t>(left * after / whole);
      before = after;
      machine_ = static_cast<uint32_t>(i);
      hold(&world_.machines[i], next - first);
    }
    // Where no lane takes runs, they are records that held nothing.
    while (static_cast<int64_t>(world_.runs.size()) < world_.wanted.runs) {
      add_holder(&world_, new_run(), 0, 0, kSecondsPerHour);
    }
  }

 private:
  // A run of its own for a machine that a tag or its id connects with one.
  void tag_machines() {
    for (Machine& machine : world_.machines) {
      if (machine.use != Use::kTaggedRun && machine.use != Use::kManaged) continue;
      // One in four runs is enough for them.
      if (static_cast<int64_t>(world_.runs.size() + 1) * 4 > world_.wanted.runs) {
        machine.use = Use::kTagRule;
        continue;
      }
      const uint32_t run = add_run(&world_, machine.model, Stage::kTraining);
      const int32_t first = machine.first_second(), last = machine.last_second();
      if (machine.use == Use::kManaged) {
        world_.runs[run].managed = true;
        machine.id = world_.run_id(run);
        machine.holder = add_holder(&world_, run, 0, first, last);
        continue;
      }
      // It ends before its machine does: the tag says nothing of what comes after.
      const int32_t end = last - static_cast<int32_t>(dice_.between(0, (last - first) / 3));
      machine.holder = add_holder(&world_, run, 0, first, end);
    }
  }

  static int64_t room_of(const Machine& machine) {
    const bool takes = machine.use < Use::kReplica && machine.use != Use::kGang;
    return takes ? int64_t{machine.last_second() - machine.first_second()} * machine.lanes : 0;
  }

  uint32_t new_run(uint32_t parent = kNone) {
    constexpr int64_t kUnnamedOneIn = 100;
    size_t model = static_cast<size_t>(dice_.below(kCommonModels));
    const int64_t kind = dice_.below(10);
    Stage stage = kind < 7 ? Stage::kTraining : kind < 9 ? Stage::kEvaluation : Stage::kFeatures;
    if (dice_.one_in(kUnnamedOneIn)) model = kUnnamedModel;
    if (parent != kNone) {
      model = world_.runs[parent].model;
      stage = world_.runs[parent].stage;
    }
    return add_run(&world_, model, stage, parent);
  }

  void hold(Machine* machine, int64_t runs) {
    if (machine->use == Use::kPlanted || machine->lanes == 0) return;
    machine->first_lane = static_cast<uint32_t>(world_.lanes.size());
    for (uint32_t lane = 0; lane < machine->lanes; ++lane) {
      const int64_t share = runs * (lane + 1) / machine->lanes - runs * lane / machine->lanes;
      world_.lanes.push_back({static_cast<uint32_t>(world_.pieces.size()), 0, -1});
      fill_lane(*machine, lane, share);
      Lane& made = world_.lanes.back();
      made.pieces = static_cast<uint32_t>(world_.pieces.size()) - made.first_piece;
      if (made.pieces == 0) continue;
      const int32_t hour = world_.pieces[made.first_piece].start / kSecondsPerHour;
      machine->tracked_month = std::min(machine->tracked_month, world_.month_of_hour(hour));
    }
  }

  void fill_lane(const Machine& machine, uint32_t lane, int64_t runs) {
    const auto devices = static_cast<uint8_t>(std::max(shape_of(machine.shape).devices, 1));
    HoldRow row{kNone, machine_, 0, 0};
    switch (machine.use) {
      case Use::kGang:
        return repeat_machine_before();
      case Use::kReplica:
        return hold_replica(machine, devices);
      case Use::kNodeRuns:
        return one_after_the_other(machine, row, devices, runs, true);
      case Use::kDeviceRuns:
        row.device = static_cast<int16_t>(lane);
        world_.lanes.back().device = static_cast<int32_t>(lane);
        return one_after_the_other(machine, row, 1, runs, false);
      case Use::kCountRuns:
        row.count = static_cast<uint8_t>(lane == 0 ? devices / 2 : devices / 4);
        return one_after_the_other(machine, row, row.count, runs, false);
      case Use::kParts:
        row.device = static_cast<int16_t>(lane);
        if (lane == 1) return one_after_the_other(machine, row, 1, runs, false);
        return share(machine, row, decimals(), runs);
      case Use::kSliced:
        row.device = 0;
        return share(machine, row, sevenths(), runs);
      case Use::kShared:
        row.device = 0;
        return share(machine, row, equal_shares(), runs);
      case Use::kCpuNode:
        return share(machine, row, cpu_requests(), runs);
      default:
        return;
    }
  }

  // Slots of equal width within the machine's life, each a little shorter than its room.
  struct Slots {
    int32_t first, last;
    int64_t count;
  };
  Slots slots_of(const Machine& machine, int64_t count) const {
    const Slots slots{machine.first_second(), machine.last_second(), count};
    if ((slots.last - slots.first) / count < kShortestSlot) {
      throw UserError("usage",
                      fmt::format("{} runs are too many for the machine time that {} bill lines "
                                  "pay for",
                                  world_.wanted.runs, world_.wanted.bill_lines),
                      "give fewer --runs or more --bill-lines");
    }
    return slots;
  }
  Span32 slot(const Slots& slots, int64_t index) {
    const int64_t room = slots.last - slots.first;
    const auto start = static_cast<int32_t>(slots.first + room * index / slots.count);
    const auto end = static_cast<int32_t>(slots.first + room * (index + 1) / slots.count);
    const int32_t width = end - start;
    Span32 span{start + static_cast<int32_t>(dice_.between(0, width / 8)),
                end - static_cast<int32_t>(dice_.between(0, width / 12))};
    if (dice_.one_in(12)) span.end = span.start + (span.end - span.start) / 2;
    if (dice_.one_in(6)) span = {start, end};
    return span;
  }

  RunState random_state() {
    const int64_t state = dice_.below(100);
    return state < 86   ? RunState::kFinished
           : state < 91 ? RunState::kFailed
           : state < 95 ? RunState::kPreempted
           : state < 98 ? RunState::kCancelled
                        : RunState::kLost;
  }

  void end_in(uint32_t holder, RunState state) {
    Holder& one = world_.holders[holder];
    const bool saved = dice_.one_in(2);
    const int32_t checkpoint =
        saved ? one.start + static_cast<int32_t>(dice_.between(0, one.end - one.start)) : -1;
    set_state(&one, state, checkpoint);
  }

  void add_hold(HoldRow row, uint32_t holder, Span32 span) {
    row.holder = holder;
    row.start = span.start;
    row.end = dice_.one_in(20) ? kNever : span.end;  // until the run ends, which its record says
    world_.holds.push_back(row);
  }

  // Runs on all of `devices`; some have several attempts, and on a whole node some are sweeps.
  void one_after_the_other(const Machine& machine, const HoldRow& row, uint8_t devices,
                           int64_t runs, bool sweeps) {
    if (runs == 0) return;
    constexpr int64_t kSweepRuns = 4;
    std::vector<int64_t> attempts;  // by slot: how many attempts its run has; 0: a sweep
    int64_t count = 0;
    for (int64_t left = runs; left > 0;) {
      const bool sweep = sweeps && left >= kSweepRuns && dice_.one_in(8);
      const int64_t tries = dice_.below(100);
      attempts.push_back(sweep ? 0 : tries < 94 ? 1 : tries < 99 ? 2 : 3);
      count += sweep ? 1 : attempts.back();
      left -= sweep ? kSweepRuns : 1;
    }
    const Slots slots = slots_of(machine, count);
    int64_t at = 0;
    for (const int64_t tries : attempts) {
      if (tries == 0) {
        sweep(row, devices, slot(slots, at++));
        continue;
      }
      const uint32_t run = new_run();
      for (int64_t attempt = 0; attempt < tries; ++attempt, ++at) {
        const Span32 span = slot(slots, at);
        const uint32_t holder =
            add_holder(&world_, run, static_cast<uint8_t>(attempt), span.start, span.end);
        const bool last = attempt + 1 == tries;
        end_in(holder, last              ? random_state()
                       : dice_.one_in(2) ? RunState::kFailed
                                         : RunState::kPreempted);
        add_piece(&world_, span.start, span.end, devices, holder);
        add_hold(row, holder, span);
        if (last && at + 1 == count) leave_running(machine, holder);
      }
    }
  }

  // The last run of a machine that lives on is still running where it lasts to the end of the
  // world.
  void leave_running(const Machine& machine, uint32_t holder) {
    if (machine.to_hour != world_.hours || !dice_.one_in(3)) return;
    const int32_t end = world_.hours * kSecondsPerHour;
    if (machine.last_second() != end) return;
    world_.pieces.back().end = end;
    world_.holds.back().end = kNever;
    world_.holders[holder].end = kNever;
    set_state(&world_.holders[holder], RunState::kRunning, -1);
    world_.holders[holder].lost_from = kNever;
  }

  // The parent asks for the node all the time; what its children leave is its own.
  void sweep(const HoldRow& row, uint8_t devices, Span32 span) {
    constexpr int32_t kChildren = 3;
    const uint32_t run = new_run();
    const uint32_t parent = add_holder(&world_, run, 0, span.start, span.end);
    add_hold(row, parent, span);
    const int32_t width = (span.end - span.start) / kChildren;
    int32_t at = span.start;
    for (int32_t i = 0; i < kChildren; ++i) {
      const int32_t start = span.start + i * width + width / 8;
      const int32_t end =
          span.start + (i + 1) * width - static_cast<int32_t>(dice_.below(width / 8 + 1));
      const uint32_t child = add_holder(&world_, new_run(run), 0, start, end);
      end_in(child, random_state());
      if (start > at) add_piece(&world_, at, start, devices, parent);
      add_piece(&world_, start, end, devices, child);
      add_hold(row, child, {start, end});
      at = end;
    }
    if (span.end > at) add_piece(&world_, at, span.end, devices, parent);
  }

  // Several runs at once, in a pattern; now and then the last of them leaves early.
  void share(const Machine& machine, const HoldRow& row, std::span<const SharePattern> patterns,
             int64_t runs) {
    std::vector<const SharePattern*> chosen;
    for (int64_t left = runs; left > 0;) {
      const SharePattern* pattern =
          &patterns[static_cast<size_t>(dice_.below(static_cast<int64_t>(patterns.size())))];
      while (pattern->holders > left) pattern = &patterns[0];  // the first has one holder
      chosen.push_back(pattern);
      left -= pattern->holders;
    }
    if (chosen.empty()) return;
    const Slots slots = slots_of(machine, static_cast<int64_t>(chosen.size()));
    for (size_t i = 0; i < chosen.size(); ++i) {
      share_slot(row, *chosen[i], slot(slots, static_cast<int64_t>(i)));
    }
  }

  void share_slot(HoldRow row, const SharePattern& pattern, Span32 span) {
    const bool leaves = pattern.holders > 1 && dice_.one_in(3);
    const int32_t middle = leaves ? span.start + (span.end - span.start) / 3 : span.end;
    std::vector<uint32_t> holders;
    for (size_t i = 0; i < pattern.holders; ++i) {
      const Span32 own{span.start, i + 1 == pattern.holders ? middle : span.end};
      const uint32_t holder = add_holder(&world_, new_run(), 0, own.start, own.end);
      end_in(holder, random_state());
      row.part = pattern.parts[i];
      row.whole = pattern.parts[i] == 0 ? uint8_t{0} : pattern.whole;
      add_hold(row, holder, own);
      holders.push_back(holder);
    }
    add_shared_piece(pattern, holders, {span.start, middle});
    holders.pop_back();
    if (leaves) add_shared_piece(pattern, holders, {middle, span.end});
  }

  // Parts stand in the order of a split's parts, so that of equal remainders the same one is first.
  void add_shared_piece(const SharePattern& pattern, const std::vector<uint32_t>& holders,
                        Span32 span) {
    uint32_t declared = 0, undeclared = 0;
    for (size_t i = 0; i < holders.size(); ++i) {
      declared += pattern.parts[i];
      undeclared += pattern.parts[i] == 0 ? 1U : 0U;
    }
    const uint32_t whole = pattern.whole;
    const uint32_t left = whole > declared ? whole - declared : 0;
    const size_t first = world_.parts.size();
    world_.pieces.push_back({span.start, span.end, static_cast<uint32_t>(first),
                             static_cast<uint8_t>(holders.size()), 1,
                             static_cast<uint16_t>(undeclared == 0 ? left : 0)});
    for (size_t i = 0; i < holders.size(); ++i) {
      const uint32_t part = pattern.parts[i];
      const uint32_t each = std::max(undeclared, 1U);
      world_.parts.push_back({holders[i], part == 0 ? left : part * each});
    }
    std::ranges::sort(world_.parts.begin() + static_cast<std::ptrdiff_t>(first), world_.parts.end(),
                      {}, [&](const PiecePart& part) { return world_.holders[part.holder].order; });
  }

  void repeat_machine_before() {
    const Lane& leader = world_.lanes[world_.lanes.size() - 2];
    for (uint32_t i = 0; i < leader.pieces; ++i) {
      world_.pieces.push_back(world_.pieces[leader.first_piece + i]);
    }
    const size_t holds = world_.holds.size();
    size_t first = holds;
    while (first > 0 && world_.holds[first - 1].machine == machine_ - 1) --first;
    for (size_t i = first; i < holds; ++i) {
      HoldRow row = world_.holds[i];
      row.machine = machine_;
      world_.holds.push_back(row);
    }
  }

  void hold_replica(const Machine& machine, uint8_t devices) {
    // What a device reports could not be told apart by model.
    const size_t choices = machine.monitored ? kCommonModels : world_.endpoints.size();
    const auto endpoint = static_cast<size_t>(dice_.below(static_cast<int64_t>(choices)));
    const Endpoint& one = world_.endpoints[endpoint];
    const int32_t first = machine.first_second(), last = machine.last_second();
    Piece piece{first, last, static_cast<uint32_t>(world_.parts.size()), 0, devices, 0};
    for (const auto& [model, weight] : one.shares) {
      world_.parts.push_back({one.first_holder + piece.parts, weight});
      ++piece.parts;
    }
    world_.pieces.push_back(piece);
    HoldRow row{one.first_holder, machine_, first, last};
    row.endpoint_model = static_cast<uint8_t>(one.shares.front().first);
    if (endpoint == kBlend) {  // it serves two models, and nothing says in which parts
      row.end = first + (last - first) / 2;
      world_.replicas.push_back(row);
      row.start = row.end;
      row.end = last;
      row.endpoint_model = static_cast<uint8_t>(kBlendOther);
    }
    world_.replicas.push_back(row);
  }

  World& world_;
  Dice dice_;
  uint32_t machine_ = 0;
};

}  // namespace

// One endpoint a model, one that serves two models in declared parts, and one of two without any.
void plan_endpoints(World* world) {
  std::vector<std::string> names;
  for (size_t model = 0; model < kCommonModels; ++model) {
    names.emplace_back(company_models()[model].name);
    world->endpoints.push_back({names.back(), 0, {{model, 1}}});
  }
  world->endpoints.push_back(
      {"both", 0, {{kBothModels[0], kBothParts[0]}, {kBothModels[1], kBothParts[1]}}});
  world->endpoints.push_back({"blend", 0, {{kBlendModel, 1}}});
  for (size_t i = 0; i < world->endpoints.size(); ++i) {
    Endpoint& endpoint = world->endpoints[i];
    endpoint.first_holder = static_cast<uint32_t>(world->holders.size());
    for (const auto& [model, weight] : endpoint.shares) {
      const std::string account = i == kBlend
                                      ? "shared/serving"
                                      : fmt::format("model/{}/serving/endpoint%2F{}",
                                                    company_models()[model].name, endpoint.name);
      Holder holder;
      holder.account = world->account_named(account);
      holder.order = i == kBlend ? ~uint64_t{0} : model;
      holder.state = RunState::kRunning;
      world->holders.push_back(holder);
    }
  }
}

void plan_holds(World* world) { HoldPlan(world).plan(); }

}  // namespace tare::synth
