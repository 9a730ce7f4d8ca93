// Which machines there are and for how long, so that their lines are as many as wanted.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/errors.h"
#include "synth/dice.h"
#include "synth/world.h"

namespace tare::synth {
namespace {

enum : uint64_t { kMachineDice = 1 };

constexpr int64_t kLinesAMachineMonth = 740;
constexpr int64_t kFewestMachines = 12;

// The first dozen differ, so that a small world has something of everything.
constexpr auto kUses = std::to_array<Use>({
    Use::kNodeRuns, Use::kGang,       Use::kDeviceRuns, Use::kSliced,     Use::kCpuNode,
    Use::kReplica,  Use::kParts,      Use::kCountRuns,  Use::kTaggedRun,  Use::kShared,
    Use::kManaged,  Use::kTagRule,    Use::kUnnamed,    Use::kDeviceRuns, Use::kNodeRuns,
    Use::kReplica,  Use::kDeviceRuns, Use::kCpuNode,    Use::kNodeRuns,   Use::kDeviceRuns,
    Use::kSliced,   Use::kNodeRuns,   Use::kDeviceRuns, Use::kCountRuns,
});

std::span<const ShapeId> shapes_for(Use use) {
  static constexpr std::array kNodes = {ShapeId::kP4d, ShapeId::kP3x4, ShapeId::kP5,
                                        ShapeId::kG5x4};
  static constexpr std::array kByDevice = {ShapeId::kG5, ShapeId::kG5x4, ShapeId::kP4d,
                                           ShapeId::kG5};
  static constexpr std::array kCounted = {ShapeId::kG5x4, ShapeId::kP4d};
  static constexpr std::array kOne = {ShapeId::kA2x1};
  static constexpr std::array kTwo = {ShapeId::kA2x2};
  static constexpr std::array kCpu = {ShapeId::kM6i};
  static constexpr std::array kServing = {ShapeId::kG5, ShapeId::kA2x1, ShapeId::kG5x4};
  static constexpr std::array kOther = {ShapeId::kC6i, ShapeId::kG5, ShapeId::kP3x4};
  switch (use) {
    case Use::kNodeRuns:
    case Use::kGang:
      return kNodes;
    case Use::kDeviceRuns:
      return kByDevice;
    case Use::kCountRuns:
      return kCounted;
    case Use::kSliced:
    case Use::kShared:
      return kOne;
    case Use::kParts:
      return kTwo;
    case Use::kCpuNode:
      return kCpu;
    case Use::kReplica:
      return kServing;
    default:
      return kOther;
  }
}

uint32_t lanes_of(const Machine& machine) {
  switch (machine.use) {
    case Use::kDeviceRuns:
      return static_cast<uint32_t>(shape_of(machine.shape).devices);
    case Use::kCountRuns:
    case Use::kParts:
      return 2;
    case Use::kNodeRuns:
    case Use::kGang:
    case Use::kSliced:
    case Use::kShared:
    case Use::kCpuNode:
    case Use::kReplica:
      return 1;
    default:
      return 0;
  }
}

// A third of the machines have several charges: a second price for a part of the hour, a licence, a
// disk, an address.
void add_charges(Machine* machine, size_t index, Dice* dice) {
  constexpr int64_t kMicrosStep = 10;  // a tenth less of a price is still whole
  const Frequency often = machine->frequency;
  machine->charges.push_back({ChargeKind::kInstance, often, shape_of(machine->shape).list_micros});
  if (machine->pricing == Pricing::kMixed) {
    machine->charges.push_back({ChargeKind::kRest, often, shape_of(machine->shape).list_micros});
  }
  if (machine->pool_by == NamedBy::kSkuAndRegion || machine->unit == TimeUnitOf::kUnsaid) return;
  auto price = [&](int64_t low, int64_t high) { return dice->between(low, high) * kMicrosStep; };
  if (index % 3 == 2) {
    machine->charges.push_back({ChargeKind::kLicence, often, price(5'000, 20'000)});
    if (dice->one_in(2)) {
      machine->charges.push_back({ChargeKind::kDisk, often, price(1'000, 9'000)});
    }
    if (dice->one_in(3)) {
      machine->charges.push_back({ChargeKind::kAddress, often, price(500, 500)});
    }
  }
  if (often != Frequency::kHourly) return;
  if (dice->one_in(10)) {
    machine->charges.push_back({ChargeKind::kDisk, Frequency::kDaily, price(1'000, 9'000)});
  }
  if (dice->one_in(20)) {
    machine->charges.push_back({ChargeKind::kThroughput, Frequency::kMonthly, price(100, 900)});
  }
}

void choose_terms(Machine* machine, size_t index, Dice* dice) {
  const Shape& shape = shape_of(machine->shape);
  const int64_t rhythm = dice->below(100);
  machine->frequency = rhythm < 92   ? Frequency::kHourly
                       : rhythm < 97 ? Frequency::kDaily
                                     : Frequency::kMonthly;
  const int64_t named = dice->below(100);
  machine->pool_by = named < 80   ? NamedBy::kInventory
                     : named < 92 ? NamedBy::kPoolTag
                                  : NamedBy::kSkuAndRegion;
  machine->tagged = machine->pool_by == NamedBy::kPoolTag || !dice->one_in(4);
  if (machine->shape == ShapeId::kP5) machine->unit = TimeUnitOf::kDeviceHours;
  if (shape.devices == 0 && dice->one_in(2)) machine->unit = TimeUnitOf::kCoreHours;
  if (dice->one_in(40)) machine->unit = TimeUnitOf::kUnsaid;
  const int64_t price = dice->below(100);
  machine->pricing = price < 60   ? Pricing::kOnDemand
                     : price < 80 ? Pricing::kSpot
                                  : Pricing::kCommitted;
  const bool several = index % 3 == 2 && machine->unit != TimeUnitOf::kUnsaid;
  if (several && dice->one_in(2)) machine->pricing = Pricing::kMixed;
  machine->contracted_known = !dice->one_in(20);
  machine->effective_known = machine->pricing != Pricing::kOnDemand || !dice->one_in(30);
}

void choose_pool(World* world, Machine* machine) {
  constexpr std::array<std::string_view, 4> kPools = {"blue", "green", "red", "shared"};
  const Shape& shape = shape_of(machine->shape);
  if (machine->pool_by == NamedBy::kSkuAndRegion) {
    machine->pool = fmt::format("{}@{}", shape.sku, names_of(shape.seller).region);
  } else {
    const size_t place = world->machines.size() % kPools.size();
    machine->pool = fmt::format("{}-{}", shape.devices == 0 ? "cpu" : "gpu", kPools[place]);
  }
  machine->pool_account = world->account_named("idle/" + machine->pool);
}

std::string machine_id(const Machine& machine, uint64_t seed, size_t index) {
  const uint64_t drawn = mixed(seed + kGolden * (index + 1));
  if (shape_of(machine.shape).seller == Seller::kAws) {
    return fmt::format("i-0{:08x}{:08x}", index, static_cast<uint32_t>(drawn));
  }
  return fmt::format(
      "//compute.googleapis.com/projects/synth/zones/europe-west4-a/instances/{}{:06}",
      static_cast<uint32_t>(drawn), index);
}

Machine new_machine(World* world, Use use, Dice* dice) {
  const size_t index = world->machines.size();
  Machine machine;
  machine.use = use;
  const auto shapes = shapes_for(use);
  machine.shape = shapes[static_cast<size_t>(dice->below(static_cast<int64_t>(shapes.size())))];
  if (use == Use::kGang) machine.shape = world->machines.back().shape;
  machine.model = static_cast<size_t>(dice->below(kCommonModels));
  choose_terms(&machine, index, dice);
  if (use == Use::kManaged) machine.frequency = Frequency::kHourly;
  choose_pool(world, &machine);
  machine.id = machine_id(machine, world->wanted.seed, index);
  if (machine.named_by_holds() && dice->one_in(4)) machine.alias = fmt::format("node-{:06}", index);
  machine.lanes = lanes_of(machine);
  add_charges(&machine, index, dice);
  return machine;
}

int64_t hourly_charges(const Machine& machine) {
  return std::ranges::count(machine.charges, Frequency::kHourly, &Charge::frequency);
}

// A life of about `lines` lines.
void choose_life(const World& world, int64_t lines, Machine* machine, Dice* dice) {
  const int64_t each = std::max<int64_t>(hourly_charges(*machine), 1);
  const auto hours = static_cast<int32_t>(std::clamp<int64_t>(lines / each, 1, world.hours));
  const auto last_start = static_cast<int64_t>(world.hours - hours);
  machine->from_hour = static_cast<int32_t>(dice->between(0, last_start));
  if (dice->one_in(5)) machine->from_hour = static_cast<int32_t>(last_start);
  machine->to_hour = machine->from_hour + hours;
  constexpr int32_t kLongEnough = 3, kLeast = 5;
  if (hours < kLongEnough || machine->unit == TimeUnitOf::kUnsaid) return;
  machine->first_twentieths = static_cast<int32_t>(dice->between(kLeast, kTwentieths));
  if (machine->to_hour < world.hours) {
    machine->last_twentieths = static_cast<int32_t>(dice->between(kLeast, kTwentieths));
  }
}

// The same life, charges and prices as the machine before.
void follow(const Machine& leader, Machine* machine) {
  machine->frequency = leader.frequency;
  machine->unit = leader.unit;
  machine->pricing = leader.pricing;
  machine->pool_by = leader.pool_by;
  machine->pool = leader.pool;
  machine->pool_account = leader.pool_account;
  machine->tagged = leader.tagged;
  machine->charges = leader.charges;
  machine->from_hour = leader.from_hour;
  machine->to_hour = leader.to_hour;
  machine->first_twentieths = leader.first_twentieths;
  machine->last_twentieths = leader.last_twentieths;
}

// Adds machines until their lines leave only what goes to lines without a machine.
int64_t add_machines(World* world, int64_t lines) {
  const Wanted& wanted = world->wanted;
  Dice dice(wanted.seed, kMachineDice);
  const int64_t target = std::max(kFewestMachines, lines / (kLinesAMachineMonth * wanted.months));
  const int64_t most = 4 * target;
  for (int64_t i = 0; i < most && lines > 0; ++i) {
    Use use = kUses[static_cast<size_t>(i) % kUses.size()];
    const bool leads = !world->machines.empty() && world->machines.back().use == Use::kNodeRuns;
    if (use == Use::kGang && !leads) use = Use::kNodeRuns;
    Machine machine = new_machine(world, use, &dice);
    const int64_t left = std::max<int64_t>(target - i, 1);
    choose_life(*world, lines / left * dice.between(50, 150) / 100, &machine, &dice);
    if (use == Use::kGang) follow(world->machines.back(), &machine);
    int64_t count = count_machine_lines(*world, machine);
    if (count > lines) {
      if (i >= target) break;
      continue;
    }
    lines -= count;
    world->machines.push_back(std::move(machine));
    if (i >= target && lines < kLinesAMachineMonth) break;
  }
  return lines;
}

// Devices report their use where they are held whole and every hour is billed whole; not more of
// them than the files of a large world should hold.
void choose_monitored(World* world) {
  constexpr int64_t kFewestRows = 2'000, kMostRows = 200'000;
  int64_t rows = std::clamp(world->wanted.bill_lines / 4, kFewestRows, kMostRows);
  for (Machine& machine : world->machines) {
    const bool whole = machine.use == Use::kNodeRuns || machine.use == Use::kGang ||
                       machine.use == Use::kDeviceRuns || machine.use == Use::kReplica;
    const int64_t more = int64_t{machine.life_hours()} * shape_of(machine.shape).devices;
    if (!whole || machine.frequency != Frequency::kHourly || more > rows) continue;
    rows -= more;
    machine.monitored = true;
  }
}

}  // namespace

int64_t count_machine_lines(const World& world, const Machine& machine) {
  constexpr int32_t kDayHours = 24;
  const int64_t days = (machine.to_hour - 1) / kDayHours - machine.from_hour / kDayHours + 1;
  const int64_t months =
      world.month_of_hour(machine.to_hour - 1) - world.month_of_hour(machine.from_hour) + 1;
  int64_t lines = 0;
  for (const Charge& charge : machine.charges) {
    lines += charge.frequency == Frequency::kHourly  ? machine.life_hours()
             : charge.frequency == Frequency::kDaily ? days
                                                     : months;
  }
  return lines;
}

void plan_machines(World* world) {
  constexpr int64_t kOwnLinesAMonth = 8, kLinesACorrection = 2'000, kMostCorrections = 200;
  constexpr int64_t kFewestForMachines = 100, kFillShare = 40;
  const Wanted& wanted = world->wanted;
  world->corrections_a_month = std::clamp<int64_t>(
      wanted.bill_lines / wanted.months / kLinesACorrection, 1, kMostCorrections);
  int64_t planted = 0;
  for (const Machine& machine : world->machines) planted += count_machine_lines(*world, machine);
  for (const Planted& plant : wanted.plants) {
    planted += plant.plant == Plant::kCommitmentUnused ? 2 : 0;
  }
  world->fixed_lines = wanted.months * (kOwnLinesAMonth + world->corrections_a_month);
  const int64_t left = wanted.bill_lines - world->fixed_lines - planted;
  const int64_t least = kFewestForMachines + wanted.bill_lines / kFillShare;
  if (left < least) {
    throw UserError("usage",
                    fmt::format("--bill-lines {} is too few for --months {} and what is planted",
                                wanted.bill_lines, wanted.months),
                    fmt::format("such a world takes at least {} lines",
                                (world->fixed_lines + planted + kFewestForMachines) * kFillShare /
                                        (kFillShare - 1) +
                                    1));
  }
  const int64_t fill = wanted.bill_lines / kFillShare;
  world->fill_lines = fill + add_machines(world, left - fill);
  choose_monitored(world);
}

}  // namespace tare::synth
