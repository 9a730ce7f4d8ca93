#include "synth/world.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/errors.h"
#include "synth/dice.h"

namespace tare::synth {
namespace {

constexpr int32_t kFirstMonth = (2026 - 1970) * 12;  // January 2026

enum : uint64_t { kBilledDice = 101, kRequestDice };

// Places of the names in bytewise order.
std::array<uint64_t, kModels> model_ranks() {
  std::array<uint64_t, kModels> ranks{};
  const auto models = company_models();
  for (size_t i = 0; i < kModels; ++i) {
    for (size_t j = 0; j < kModels; ++j) ranks[i] += models[j].name < models[i].name ? 1U : 0U;
  }
  return ranks;
}

uint64_t stage_rank(Stage stage) {
  uint64_t rank = 0;
  for (size_t other = 0; other < static_cast<size_t>(Stage::kCount); ++other) {
    rank += stage_name(static_cast<Stage>(other)) < stage_name(stage) ? 1U : 0U;
  }
  return rank;
}

std::string encoded(std::string_view part) {
  std::string out;
  for (const char c : part) {
    if (c == '/') {
      out += "%2F";
    } else {
      out += c;
    }
  }
  return out;
}

void lay_out_months(World* world) {
  world->first_month = Month{kFirstMonth};
  int64_t hours = 0;
  for (int32_t m = 0; m < world->wanted.months; ++m) {
    world->month_hours.push_back(static_cast<int32_t>(hours));
    hours += span_of(Month{kFirstMonth + m}).length_ns() / kNsPerHour;
  }
  world->month_hours.push_back(static_cast<int32_t>(hours));
  world->hours = static_cast<int32_t>(hours);
}

// Models are asked more or less often, and not all in every month.
void plan_requests(World* world) {
  constexpr int64_t kLinesARequest = 50, kFewest = 60, kMost = 200'000;
  world->request_rows = std::clamp(world->wanted.bill_lines / kLinesARequest, kFewest, kMost);
  const auto months = static_cast<size_t>(world->wanted.months);
  world->requests.assign(months, std::vector<int64_t>(kCommonModels, 0));
  for (int64_t i = 0; i < world->request_rows; ++i) {
    const Request request = request_of(*world, i);
    const int32_t month = world->month_of_hour(request.second / kSecondsPerHour);
    ++world->requests[static_cast<size_t>(month)][request.model];
  }
}

}  // namespace

int32_t World::month_of_hour(int32_t hour) const {
  const auto next = std::upper_bound(month_hours.begin(), month_hours.end(), hour);
  return static_cast<int32_t>(next - month_hours.begin()) - 1;
}

int64_t World::instant_ns(int32_t second) const {
  return span_of(first_month).start_ns + int64_t{second} * kNsPerSecond;
}

std::string World::run_id(uint32_t run) const {
  const Run& one = runs[run];
  std::string name =
      fmt::format("{}-{}-{:07}", company_models()[one.model].name, stage_name(one.stage), run);
  if (!one.managed) return name;
  return "arn:aws:sagemaker:us-east-1:004815372906:training-job/" + name;
}

std::string World::account_text(uint32_t account) const {
  if (account >= wanted.runs) return accounts[account - static_cast<size_t>(wanted.runs)];
  const Run& run = runs[account];
  return fmt::format("model/{}/{}/{}", company_models()[run.model].name, stage_name(run.stage),
                     encoded(run_id(account)));
}

std::string World::account_run(uint32_t account) const {
  if (account < wanted.runs) return run_id(account);
  for (const Endpoint& endpoint : endpoints) {
    const size_t holders_of = std::max<size_t>(endpoint.shares.size(), 1);
    for (size_t i = 0; i < holders_of; ++i) {
      if (holders[endpoint.first_holder + i].account == account) return "endpoint/" + endpoint.name;
    }
  }
  return "";
}

uint32_t World::account_named(const std::string& text) {
  const auto found = std::find(accounts.begin(), accounts.end(), text);
  const auto place = found - accounts.begin();
  if (found == accounts.end()) accounts.push_back(text);
  return static_cast<uint32_t>(wanted.runs + place);
}

int32_t World::billed_twentieths(const Machine& machine, size_t index, int32_t hour) const {
  if (hour == machine.from_hour && hour != machine.to_hour - 1) return machine.first_twentieths;
  if (hour == machine.to_hour - 1) return machine.last_twentieths;
  if (machine.monitored || machine.plant >= 0 || machine.unit == TimeUnitOf::kUnsaid) {
    return kTwentieths;
  }
  constexpr int64_t kOneIn = 1000, kPartly = 10, kBeyond = 12, kLeast = 8, kMost = 30;
  const uint64_t drawn = draw(wanted.seed + kBilledDice, index, static_cast<uint64_t>(hour));
  const int64_t kind = scaled_below(drawn, kOneIn);
  if (kind < kPartly) return static_cast<int32_t>(kLeast + kind);
  return kind < kBeyond ? static_cast<int32_t>(kMost) : kTwentieths;
}

Request request_of(const World& world, int64_t index) {
  const int64_t seconds = int64_t{world.hours} * kSecondsPerHour;
  const uint64_t drawn = draw(world.wanted.seed + kRequestDice, static_cast<uint64_t>(index), 0);
  // A model is asked the more the higher its place.
  const int64_t ticket = scaled_below(drawn, kCommonModels * (kCommonModels + 1) / 2);
  size_t model = 0;
  for (int64_t sum = 1; sum <= ticket; sum += static_cast<int64_t>(model) + 1) ++model;
  return {static_cast<int32_t>(seconds * index / world.request_rows), model};
}

uint32_t add_run(World* world, size_t model, Stage stage, uint32_t parent) {
  world->runs.push_back({static_cast<uint8_t>(model), stage, parent, false});
  return static_cast<uint32_t>(world->runs.size() - 1);
}

uint32_t add_holder(World* world, uint32_t run, uint8_t attempt, int32_t start, int32_t end) {
  static const std::array<uint64_t, kModels> kRanks = model_ranks();
  const Run& one = world->runs[run];
  Holder holder;
  holder.run = run;
  holder.account = run;
  holder.order =
      (kRanks[one.model] << 48) | (stage_rank(one.stage) << 40) | (uint64_t{run} << 8) | attempt;
  holder.start = start;
  holder.end = end;
  holder.attempt = attempt;
  world->holders.push_back(holder);
  return static_cast<uint32_t>(world->holders.size() - 1);
}

void set_state(Holder* holder, RunState state, int32_t checkpoint) {
  holder->state = state;
  holder->checkpoint = checkpoint;
  const bool failed =
      state == RunState::kFailed || state == RunState::kPreempted || state == RunState::kLost;
  if (failed) holder->lost_from = checkpoint >= 0 ? checkpoint : holder->start;
  if (state == RunState::kCancelled && checkpoint >= 0) holder->lost_from = checkpoint;
}

void add_piece(World* world, int32_t start, int32_t end, uint8_t devices, uint32_t holder) {
  world->pieces.push_back({start, end, static_cast<uint32_t>(world->parts.size()), 1, devices, 0});
  world->parts.push_back({holder, 1});
}

World plan_world(const Wanted& wanted) {
  World world;
  world.wanted = wanted;
  lay_out_months(&world);
  plan_requests(&world);
  plan_endpoints(&world);
  plan_plants(&world);
  plan_machines(&world);
  plan_holds(&world);
  TARE_ASSERT(static_cast<int64_t>(world.runs.size()) == wanted.runs,
              "a world has the runs wanted");
  return world;
}

}  // namespace tare::synth
