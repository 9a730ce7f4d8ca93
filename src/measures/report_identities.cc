// The two identities (R41), computed as rationals and checked here: a model's cost from its units,
// and a run's from its device time.
#include "embedded/measures.h"
#include <fmt/format.h>

#include "base/errors.h"
#include "measures/groupings.h"
#include "measures/report_parts.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

constexpr int kSmallPriceDecimals = 6;

// count units of a stage at one price each make the stage's cost; no units: it is in the rest.
struct Factor {
  Money count;
  std::optional<Rational> price;
  Rational product() const { return price ? rational(count) * *price : Rational(0); }
};

Factor factor(Money count, Money cost) {
  if (count <= Money()) return {count, std::nullopt};
  return {count, rational(cost) / rational(count)};
}

Money stage_cost(const ModelStages& model, std::string_view stage) {
  for (const ModelStages::Stage& item : model.stages) {
    if (item.stage == stage) return item.cost;
  }
  return Money();
}

Row identity_row(const Page& page, const ModelStages& model) {
  const auto retrains = page.retrains.find(model.model);
  const auto predictions = page.outcomes.find({model.model, std::string(kPredictions)});
  const int64_t runs = retrains == page.retrains.end() ? 0 : retrains->second;
  const bool predicted = predictions != page.outcomes.end();
  const Factor training = factor(Money::from_units(runs), stage_cost(model, "training"));
  const Factor serving =
      factor(predicted ? predictions->second.count : Money(), stage_cost(model, "serving"));
  Money rest = model.cost;
  if (training.price) rest -= stage_cost(model, "training");
  if (serving.price) rest -= stage_cost(model, "serving");
  TARE_ASSERT(training.product() + serving.product() + rational(rest) == rational(model.cost),
              "a model's cost is not the sum of its units");
  Row row{.key = key_part(model.model)};
  row.cells = {model.model,
               runs,
               training.price ? price_value(*training.price) : Value(Unknown{}),
               predicted ? count_value(predictions->second.count) : Value(Unknown{}),
               serving.price ? price_value(*serving.price) : Value(Unknown{}),
               rest,
               model.cost};
  return row;
}

// Beyond this a page is no page: `tare cost --by run` has them all.
constexpr int64_t kMostRuns = 10'000;

struct RunCost {
  std::string kind, model, stage, run_id;
  Money cost, devices;
  int128 device_ns = 0, busy_ns = 0, unknown_ns = 0, wall_ns = 0;
};

struct RunCosts {
  std::vector<RunCost> runs;  // the costliest first
  int64_t all = 0;
};

RunCosts read_run_costs(const Page& page) {
  const Span span = page.scope.months.span();
  const store::Result answer = page.store.connection().query(
      fill(embedded::run_costs_sql(),
           {{"other_charges", std::to_string(static_cast<int>(store::State::kOtherCharges))},
            {"unknown", std::to_string(static_cast<int>(store::State::kUnknown))},
            {"months", page.scope.state_months_sql()},
            {"currency", page.currency_sql()},
            {"start_ns", std::to_string(span.start_ns)},
            {"end_ns", std::to_string(span.end_ns)},
            {"shown", std::to_string(kMostRuns)}}));
  RunCosts costs;
  for (size_t row = 0; row < answer.rows(); ++row) {
    costs.all = count_at(answer, row, 12);
    costs.runs.push_back({.kind = answer.text(row, 0),
                          .model = answer.text(row, 1),
                          .stage = answer.text(row, 2),
                          .run_id = answer.text(row, 3),
                          .cost = money_at(answer, row, 4),
                          .devices = money_at(answer, row, 6),
                          .device_ns = answer.i128(row, 8),
                          .busy_ns = answer.i128(row, 9),
                          .unknown_ns = answer.i128(row, 10),
                          .wall_ns = answer.i128(row, 11)});
  }
  return costs;
}

Rational quotient(int128 part, int128 whole) { return Rational(integer(part), integer(whole)); }

// cost = price per device-hour × wall hours × devices + other charges; useful = × utilisation.
void add_identity(const RunCost& run, Row* row) {
  const bool held = run.device_ns > 0;
  const bool timed = held && run.wall_ns > 0;
  const Money other = run.cost - run.devices;
  row->cells.emplace_back(run.cost);
  if (!held) {
    for (int i = 0; i < 5; ++i) row->cells.emplace_back(Unknown{});
    row->cells.emplace_back(run.cost);
    row->cells.emplace_back(Unknown{});
    return;
  }
  const Rational price = rational(run.devices) / quotient(run.device_ns, kNsPerHour);
  const Rational utilisation = quotient(run.busy_ns, run.device_ns);
  Rational product = price * quotient(run.device_ns, kNsPerHour);
  if (timed) {
    const Rational devices = quotient(run.device_ns, run.wall_ns);
    product = price * quotient(run.wall_ns, kNsPerHour) * devices;
  }
  TARE_ASSERT(product + rational(other) == rational(run.cost),
              "a run's cost is not its device time at its price");
  row->cells.push_back(price_value(price));
  row->cells.push_back(timed ? time_value(run.wall_ns) : Value(Unknown{}));
  row->cells.push_back(timed ? Value(Ratio{run.device_ns, run.wall_ns}) : Value(Unknown{}));
  row->cells.emplace_back(Ratio{run.busy_ns, run.device_ns});
  row->cells.push_back(ratio_value(run.device_ns - run.unknown_ns, run.device_ns));
  row->cells.emplace_back(other);
  row->cells.push_back(price_value(product * utilisation));
}

}  // namespace

TracedTable identities_table(const Page& page) {
  TracedTable traced{.kind = "identities", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("identities");
  table.title = "cost = runs × per run + predictions × per prediction + the rest";
  table.columns = {text_column("model", "model"),
                   number_column("runs", "runs", 0),
                   number_column("per_run", "per run"),
                   number_column("predictions", "predictions", 0),
                   number_column("per_prediction", "per prediction", kSmallPriceDecimals),
                   number_column("rest", "the rest"),
                   number_column("cost", page.money_heading("cost"))};
  for (const ModelStages& model : model_stages(page)) {
    Behind behind = page.behind({"kind = 'model'", equals_sql("model", model.model)});
    behind.model = model.model;
    behind.outcome = std::string(kPredictions);
    behind.retrains = true;
    traced.add(identity_row(page, model), behind);
  }
  return traced;
}

TracedTable run_identities_table(const Page& page) {
  TracedTable traced{.kind = "run-identities", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("run-identities");
  table.title = "cost = price per device-hour × wall hours × devices + other charges";
  table.columns = {text_column("run", "run"),
                   text_column("model", "model"),
                   text_column("stage", "stage"),
                   number_column("cost", page.money_heading("cost")),
                   number_column("per_hour", "per device-hour", 4),
                   number_column("wall_hours", "wall h", kHourDecimals),
                   number_column("devices", "devices", kPercentDecimals),
                   number_column("utilisation", "busy", kPercentDecimals),
                   number_column("coverage", "coverage", kPercentDecimals),
                   number_column("other_charges", "other charges"),
                   number_column("useful_cost", "of which busy")};
  const RunCosts costs = read_run_costs(page);
  for (const RunCost& run : costs.runs) {
    Row row{.key = key_of({run.kind == "model" ? run.model : run.kind, run.stage, run.run_id}),
            .cells = {run.run_id, run.model, run.stage}};
    add_identity(run, &row);
    traced.add(std::move(row),
               page.behind({fmt::format("kind = {}", store::quote_text(run.kind)),
                            fmt::format("model = {}", store::quote_text(run.model)),
                            equals_sql("run", run.run_id), equals_sql("stage", run.stage)}));
  }
  if (costs.all > kMostRuns) {
    table.notes.push_back(fmt::format(
        "the costliest {} of {} runs; tare cost --by run has them all", kMostRuns, costs.all));
  }
  return traced;
}

}  // namespace tare::measures
