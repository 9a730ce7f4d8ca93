// The planted wastes: machines of one device, whose every hour is known.
#include <algorithm>

#include <fmt/format.h>

#include "synth/dice.h"
#include "synth/world.h"

namespace tare::synth {
namespace {

constexpr size_t kPlantModel = 7;
constexpr int64_t kWholePpm = 1'000'000, kHalfPpm = 500'000;
constexpr int64_t kWorkBusyPpm = 900'000, kWorkActivePpm = 800'000;

// A machine of one device, billed by whole hours from the world's beginning.
class PlantedMachine {
 public:
  PlantedMachine(World* world, int32_t plant) : world_(*world) {
    const size_t index = world_.machines.size();
    machine_.use = Use::kPlanted;
    machine_.shape = ShapeId::kG5;
    machine_.plant = plant;
    machine_.monitored = true;
    const Plant kind = world_.wanted.plants[static_cast<size_t>(plant)].plant;
    machine_.pool = fmt::format("planted-{}", plant_kinds()[static_cast<size_t>(kind)].name);
    machine_.pool_account = world_.account_named("idle/" + machine_.pool);
    machine_.id =
        fmt::format("i-0{:08x}{:08x}", index,
                    static_cast<uint32_t>(mixed(world_.wanted.seed + kGolden * (index + 1))));
    machine_.charges.push_back(
        {ChargeKind::kInstance, Frequency::kHourly, shape_of(machine_.shape).list_micros});
    machine_.first_lane = static_cast<uint32_t>(world_.lanes.size());
    machine_.lanes = 1;
    lane_.first_piece = static_cast<uint32_t>(world_.pieces.size());
    lane_.device = 0;
  }

  // `hours` more of its life, in which the device reports so much use.
  void live(int64_t hours, int64_t busy_ppm, int64_t sm_active_ppm, Plant waste = Plant::kCount) {
    const int32_t from = machine_.to_hour;
    machine_.to_hour += static_cast<int32_t>(hours);
    machine_.phases.push_back({from, machine_.to_hour, busy_ppm, sm_active_ppm, waste});
  }

  // A run that holds the device from an hour of its life to another.
  void run(int32_t from_hour, int32_t to_hour, RunState state, size_t model = kPlantModel) {
    const uint32_t run = add_run(&world_, model, Stage::kTraining);
    const int32_t start = from_hour * kSecondsPerHour, end = to_hour * kSecondsPerHour;
    const uint32_t holder = add_holder(&world_, run, 0, start, end);
    set_state(&world_.holders[holder], state, -1);
    add_piece(&world_, start, end, 1, holder);
    world_.holds.push_back({holder, index(), start, end, 0});
  }

  void replica() {
    const uint32_t holder = world_.endpoints[kPlantModel].first_holder;
    const int32_t end = machine_.to_hour * kSecondsPerHour;
    add_piece(&world_, 0, end, 1, holder);
    HoldRow row{holder, index(), 0, end};
    row.endpoint_model = static_cast<uint8_t>(kPlantModel);
    world_.replicas.push_back(row);
  }

  void done() {
    machine_.tracked_month = 0;
    lane_.pieces = static_cast<uint32_t>(world_.pieces.size()) - lane_.first_piece;
    world_.lanes.push_back(lane_);
    world_.machines.push_back(std::move(machine_));
  }

 private:
  uint32_t index() const { return static_cast<uint32_t>(world_.machines.size()); }

  World& world_;
  Machine machine_;
  Lane lane_;
};

void plant_hours(PlantedMachine* machine, Plant plant, int32_t hours) {
  switch (plant) {
    case Plant::kIdleReplica:
      machine->live(hours, 0, 0, plant);
      machine->replica();
      return;
    case Plant::kForgottenNotebook:
      machine->live(1, kWorkBusyPpm, kWorkActivePpm);
      machine->live(hours, 0, 0, plant);
      return machine->run(0, hours + 1, RunState::kFinished);
    case Plant::kNoRun:
      machine->live(1, kWorkBusyPpm, kWorkActivePpm);
      machine->live(hours, 0, 0, plant);
      return machine->run(0, 1, RunState::kFinished);
    case Plant::kLostWork:
      machine->live(hours, kWholePpm, kWorkActivePpm, plant);
      return machine->run(0, hours, RunState::kPreempted);
    case Plant::kStartup:
      machine->live(hours, 0, 0, plant);
      machine->live(1, kWorkBusyPpm, kWorkActivePpm);
      return machine->run(0, hours + 1, RunState::kFinished);
    case Plant::kSmallBatch:
      machine->live(hours, kWholePpm, kWholePpm / 10, plant);
      return machine->run(0, hours, RunState::kFinished);
    case Plant::kDataStarved:
      machine->live(2 * int64_t{hours}, kHalfPpm, kHalfPpm - kHalfPpm / 10, plant);
      return machine->run(0, 2 * hours, RunState::kFinished);
    case Plant::kOverFrequentRetraining:
      machine->live(hours, kWholePpm, kWorkActivePpm, plant);
      for (int32_t hour = 0; hour < hours; ++hour) {
        machine->run(hour, hour + 1, RunState::kFinished, kStaleModel);
      }
      return;
    case Plant::kCommitmentUnused:
    case Plant::kCount:
      return;
  }
}

}  // namespace

void plan_plants(World* world) {
  const auto& plants = world->wanted.plants;
  for (size_t i = 0; i < plants.size(); ++i) {
    if (plants[i].plant == Plant::kCommitmentUnused) continue;
    // A machine has an hour of work beside its waste, and where half of it is waste, twice the
    // time.
    const int64_t longest = (world->hours - 1) / 2;
    for (int64_t left = plants[i].size; left > 0;) {
      const int64_t hours = std::min(left, longest);
      PlantedMachine machine(world, static_cast<int32_t>(i));
      plant_hours(&machine, plants[i].plant, static_cast<int32_t>(hours));
      machine.done();
      left -= hours;
    }
  }
}

}  // namespace tare::synth
