#include "synth/truth_files.h"

#include <fmt/format.h>

#include "base/money.h"
#include "synth/world_files.h"

namespace tare::synth {
namespace {

constexpr std::string_view kPage =
    R"(# The truth of this world

These files were computed by the generator from its own plan of who held what, not by the ledger that
they are compared with. Money is text with the exact decimal, times are nanoseconds of device-time.

- `accounts.csv`: what each account is posted in a billing period, all attempts of a run together; one row
  an account and run. `held_ns` is what the run held of the billed device-time, within a nanosecond a
  bill line.
- `accounts-restated.csv`: the same for the last month, if its second delivery takes the place of the first.
- `states.csv`: device-time by the month in which its charge begins, the class of the machine (`gpu`, or
  `node` for one without accelerators) and the state in which it was. Within a nanosecond a bill line.
- `waste.csv`: what was planted with `--plant`, its size in nanoseconds of device-time and in money.
)";

void add_costs(TableFile* file, const Amounts& costs) {
  for (const int128 cost : costs) file->text(to_text(Money::from_atto(cost)));
}

std::string month_text(const World& world, int32_t month) {
  return to_text(Month{world.first_month.index + month});
}

}  // namespace

AccountsFile::AccountsFile(const World& world, const Destination& to, const std::string& name)
    : world_(world),
      file_(to, name,
            {{"billing_period_start"},
             {"currency"},
             {"account"},
             {"run_id"},
             {"billed_cost"},
             {"effective_cost"},
             {"list_cost"},
             {"contracted_cost"},
             {"held_ns", CellKind::kInteger}}) {}

void AccountsFile::add_period(int32_t month, const Truth& truth) {
  const std::string start = month_text(world_, month) + "-01";
  const auto& sums = truth.sums();
  for (size_t i = 0; i < sums.size(); ++i) {
    if (!sums[i].posted) continue;
    const auto account = static_cast<uint32_t>(i);
    file_.text(start).text("USD").text(world_.account_text(account));
    file_.text(world_.account_run(account));
    add_costs(&file_, sums[i].costs);
    file_.integer(sums[i].held_ns).end_row();
  }
}

void write_truth(const World& world, const Truth& truth, const Destination& to) {
  TableFile states(to, "states",
                   {{"month"}, {"device_class"}, {"state"}, {"device_ns", CellKind::kInteger}});
  for (const auto& [key, times] : truth.states()) {
    for (size_t s = 0; s < kDeviceStates; ++s) {
      if (times[s] == 0) continue;
      states.text(month_text(world, key.first)).text(key.second ? "node" : "gpu");
      states.text(state_name(static_cast<DeviceState>(s))).integer(times[s]).end_row();
    }
  }
  states.write();
  TableFile waste(to, "waste",
                  {{"waste"},
                   {"size", CellKind::kInteger},
                   {"shows_as"},
                   {"pool"},
                   {"device_ns", CellKind::kInteger},
                   {"billed_cost"},
                   {"effective_cost"},
                   {"list_cost"},
                   {"contracted_cost"}});
  for (size_t i = 0; i < world.wanted.plants.size(); ++i) {
    const Planted& planted = world.wanted.plants[i];
    const PlantKind& kind = plant_kinds()[static_cast<size_t>(planted.plant)];
    const bool money = planted.plant == Plant::kCommitmentUnused;
    waste.text(kind.name).integer(planted.size).text(kind.shows_as);
    waste.text(money ? "" : fmt::format("planted-{}", kind.name));
    waste.integer(truth.wastes()[i].device_ns);
    add_costs(&waste, truth.wastes()[i].costs);
    waste.end_row();
  }
  waste.write();
  write_text(to.folder + "/README.md", std::string(kPage));
}

}  // namespace tare::synth
