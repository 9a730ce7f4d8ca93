// What the billed device time was: busy, useful, and the states that it went to.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "measures/groupings.h"
#include "measures/report_parts.h"

namespace tare::measures {
namespace {

using store::State;

// What the page reads first stands first: work, then waste, then what nobody knows.
constexpr auto kOrder = std::to_array<State>({
    State::kUseful,
    State::kBusy,
    State::kInefficient,
    State::kSync,
    State::kData,
    State::kHost,
    State::kCheckpoint,
    State::kStartup,
    State::kNotBusy,
    State::kIdleHeld,
    State::kLost,
    State::kNoRun,
    State::kUnknown,
    State::kOtherCharges,
});
static_assert(kOrder.size() == store::kStates);

constexpr const char* kOnDevices = "device_class = 1";
constexpr const char* kOnNodes = "device_class <> 1";
static_assert(static_cast<int>(store::DeviceClass::kAccelerator) == 1);

std::string is_device_time_sql() {
  return fmt::format("state <> {}", static_cast<int>(State::kOtherCharges));
}

struct StateSum {
  int128 device_ns = 0, node_ns = 0;
  Money cost;
  bool any = false;
};

std::array<StateSum, store::kStates> sum_states(const std::vector<Cell>& cells) {
  std::array<StateSum, store::kStates> sums;
  for (const Cell& cell : cells) {
    StateSum& sum = sums[static_cast<size_t>(cell.state)];
    sum.any = true;
    sum.cost += cell.cost;
    (cell.is_accelerator() ? sum.device_ns : sum.node_ns) += cell.billed_ns;
  }
  return sums;
}

Row class_row(const Page& page, std::string key, std::string label, const DeviceUse& use) {
  return {
      .key = std::move(key),
      .cells = {std::move(label), time_value(use.billed_ns), time_value(use.busy_ns),
                utilisation_value(use, page.min_coverage()), coverage_value(use), use.billed_cost,
                price_per_hour(use), price_per_busy_hour(use, page.min_coverage()),
                price_per_useful_hour(use, page.min_coverage())}};
}

}  // namespace

TracedTable utilisation_table(const Page& page) {
  TracedTable traced{.kind = "utilisation", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("utilisation");
  table.title = "How much of the billed device time was work";
  table.columns = {text_column("devices", "devices"),
                   number_column("billed_hours", "billed h", kHourDecimals),
                   number_column("busy_hours", "busy h", kHourDecimals),
                   number_column("utilisation", "busy", kPercentDecimals),
                   number_column("coverage", "coverage", kPercentDecimals),
                   number_column("cost", page.money_heading("cost")),
                   number_column("per_hour", "per hour"),
                   number_column("per_busy_hour", "per busy h"),
                   number_column("per_useful_hour", "per useful h")};
  const auto on_devices = [](const Cell& cell) { return cell.is_accelerator(); };
  const auto on_nodes = [](const Cell& cell) { return !cell.is_accelerator(); };
  const DeviceUse devices = sum_use(page.cube.now(), on_devices);
  const DeviceUse nodes = sum_use(page.cube.now(), on_nodes);
  if (devices.billed_ns != 0) {
    traced.add(class_row(page, "accelerators", "GPUs", devices),
               page.behind_states({kOnDevices, is_device_time_sql()}));
  }
  if (nodes.billed_ns != 0) {
    traced.add(class_row(page, "nodes", "CPU nodes", nodes),
               page.behind_states({kOnNodes, is_device_time_sql()}));
  }
  return traced;
}

TracedTable states_table(const Page& page) {
  TracedTable traced{.kind = "states", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("waste");
  table.title = "What the billed device time was";
  table.columns = {text_column("reason", "state"),
                   number_column("device_hours", "GPU h", kHourDecimals),
                   number_column("device_share", "of GPU h", kPercentDecimals),
                   number_column("node_hours", "node h", kHourDecimals),
                   number_column("cost", page.money_heading("cost")),
                   number_column("share", "of cost", kPercentDecimals)};
  const auto sums = sum_states(page.cube.now());
  StateSum total;
  for (const StateSum& sum : sums) {
    total.device_ns += sum.device_ns;
    total.node_ns += sum.node_ns;
    total.cost += sum.cost;
  }
  const auto cells_of = [&](std::string label, const StateSum& sum) -> std::vector<Value> {
    return {std::move(label),
            time_value(sum.device_ns),
            ratio_value(sum.device_ns, total.device_ns),
            time_value(sum.node_ns),
            sum.cost,
            ratio_value(sum.cost, total.cost)};
  };
  for (const State state : kOrder) {
    const StateSum& sum = sums[static_cast<size_t>(state)];
    if (!sum.any) continue;
    const std::string name(store::state_name(state));
    traced.add({.key = name, .cells = cells_of(name, sum)},
               page.behind_states({equals_sql("reason", name)}));
  }
  traced.add({.key = "total", .is_total = true, .cells = cells_of("the bill", total)},
             page.behind({}));
  return traced;
}

}  // namespace tare::measures
