// Cost per retrain, per thousand predictions and per outcome, without and with idle; and how the
// outcomes and their cost moved since the period before.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "measures/groupings.h"
#include "measures/report_parts.h"
#include "measures/trend.h"

namespace tare::measures {
namespace {

constexpr int kUnitDecimals = 4;

// One unit of one model, in one of the two periods.
struct Unit {
  Money cost, idle;
  std::optional<Money> count;  // empty: not known
  std::optional<CountInterval> limits;
  int64_t per = 1;

  std::optional<Rational> price(Money money) const {
    if (!count || *count <= Money()) return std::nullopt;
    return rational(money) * per / rational(*count);
  }
};

// Nothing was counted: what a price is at least, from the most that the count may have been.
Value price_of(const Unit& unit, Money money) {
  if (!unit.count) return Unknown{};
  if (const auto price = unit.price(money)) return price_value(*price);
  const bool may_be_more = unit.limits && unit.limits->high > Money();
  if (!may_be_more && !unit.count->is_zero()) return Unknown{};
  const Rational most = may_be_more ? rational(unit.limits->high) : Rational(1);
  return LowerBound{to_money(rational(money) * unit.per / most)};
}

Value range_of(const Unit& unit) {
  if (!unit.limits || unit.limits->high <= Money()) return Unknown{};
  const Rational scaled = rational(unit.cost) * unit.per;
  const Money a = to_money(scaled / rational(unit.limits->high));
  if (unit.limits->low <= Money()) return LowerBound{a};
  const Money b = to_money(scaled / rational(unit.limits->low));
  return MoneyRange{std::min(a, b), std::max(a, b)};
}

std::optional<UnitRange> unit_range(const Unit& unit) {
  const auto price = unit.price(unit.cost);
  if (!price || *price <= 0) return std::nullopt;
  if (!unit.limits) return UnitRange{*price, *price, price};
  const Rational scaled = rational(unit.cost) * unit.per;
  UnitRange range{*price, scaled / rational(unit.limits->high), std::nullopt};
  if (unit.limits->low > Money()) range.high = scaled / rational(unit.limits->low);
  return range;
}

struct Side {  // one of the two periods
  const ModelSums& models;
  const IdleSpread& idle;
  const OutcomeCounts& outcomes;
  const std::map<std::string, int64_t>& retrains;
};
Side now_of(const Page& page) { return {page.models, page.idle, page.outcomes, page.retrains}; }
Side before_of(const Page& page) {
  return {page.models_before, page.idle_before, page.outcomes_before, page.retrains_before};
}

Unit stage_unit(const Side& side, const std::string& model, const std::string& stage) {
  Unit unit;
  unit.cost = sum_of(side.models, model, stage).cost;
  unit.idle = side.idle.of(model, stage);
  return unit;
}

Unit retrain_unit(const Side& side, const std::string& model) {
  Unit unit = stage_unit(side, model, "training");
  const auto found = side.retrains.find(model);
  unit.count = Money::from_units(found == side.retrains.end() ? 0 : found->second);
  return unit;
}

void count_outcome(const Side& side, const std::string& model, const std::string& outcome,
                   Unit* unit) {
  const auto found = side.outcomes.find({model, outcome});
  if (found == side.outcomes.end()) return;
  unit->count = found->second.count;
  unit->limits = found->second.limits;
}

Unit prediction_unit(const Side& side, const std::string& model) {
  Unit unit = stage_unit(side, model, "serving");
  count_outcome(side, model, std::string(kPredictions), &unit);
  unit.limits.reset();  // requests are counted, not sampled
  unit.per = 1000;
  return unit;
}

Unit outcome_unit(const Side& side, const std::string& model, const std::string& outcome) {
  Unit unit;
  unit.cost = sum_of(side.models, model).cost;
  unit.idle = side.idle.of_model(model);
  count_outcome(side, model, outcome, &unit);
  return unit;
}

Row unit_row(std::string key, std::string label, const Unit& now, const Unit& before) {
  Row row{.key = std::move(key), .adds_up = false};
  row.cells = {std::move(label),
               now.count ? count_value(*now.count) : Value(Unknown{}),
               price_of(now, now.cost),
               range_of(now),
               price_of(now, now.cost + now.idle),
               change_value(now.price(now.cost), before.price(before.cost))};
  return row;
}

// The outcomes that a model's cost is divided by: the policy's, else all that the data have.
std::vector<std::string> outcomes_of(const Page& page, const std::string& model) {
  for (const ModelPolicy& policy : page.project.models) {
    if (policy.name == model && !policy.outcome.empty()) return {policy.outcome};
  }
  std::vector<std::string> names;
  for (const OutcomeCounts* counts : {&page.outcomes, &page.outcomes_before}) {
    for (const auto& [key, count] : *counts) {
      const bool known = std::find(names.begin(), names.end(), key.second) != names.end();
      if (key.first == model && key.second != kPredictions && !known) names.push_back(key.second);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_preliminary(const OutcomeCounts& counts, const std::string& model,
                    const std::string& outcome) {
  const auto found = counts.find({model, outcome});
  return found != counts.end() && found->second.preliminary;
}

// What a unit is counted by, and which stage's money it divides.
struct UnitKind {
  std::string key, label;
  std::string stage;    // "" all
  std::string outcome;  // "": retrains
};

Behind behind_unit(const Page& page, const std::string& model, const UnitKind& kind) {
  std::vector<std::string> conditions = {"kind = 'model'", equals_sql("model", model)};
  if (!kind.stage.empty()) conditions.push_back(equals_sql("stage", kind.stage));
  Behind behind = page.behind(std::move(conditions));
  behind.model = model;
  behind.stage = kind.stage;
  behind.outcome = kind.outcome;
  behind.retrains = kind.outcome.empty();
  return behind;
}

std::string trend_of(const Page& page, const std::string& model, const std::string& outcome) {
  const bool preliminary = is_preliminary(page.outcomes, model, outcome) ||
                           is_preliminary(page.outcomes_before, model, outcome);
  if (preliminary) return "preliminary";
  const Unit now = outcome_unit(now_of(page), model, outcome);
  const Unit before = outcome_unit(before_of(page), model, outcome);
  const auto range_now = unit_range(now);
  const auto range_before = unit_range(before);
  if (!range_now || !range_before) return "";
  const Direction bill = direction(rational(now.cost), rational(before.cost), page.flat_ratio());
  return std::string(trend_word(bill, direction(*range_now, *range_before, page.flat_ratio())));
}

void add_units_of(const Page& page, const std::string& model, TracedTable* traced) {
  const Side now = now_of(page);
  const Side before = before_of(page);
  const auto add = [&](const UnitKind& kind, const Unit& a, const Unit& b) {
    traced->add(unit_row(key_of({model, kind.key}), fmt::format("{} {}", model, kind.label), a, b),
                behind_unit(page, model, kind));
  };
  const Unit retrain = retrain_unit(now, model);
  const Unit retrain_before = retrain_unit(before, model);
  const bool trains = !retrain.cost.is_zero() || !retrain.count->is_zero() ||
                      !retrain_before.cost.is_zero() || !retrain_before.count->is_zero();
  if (trains) {
    add({.key = "retrain", .label = "retrain", .stage = "training", .outcome = ""}, retrain,
        retrain_before);
  }
  const Unit prediction = prediction_unit(now, model);
  if (prediction.count) {
    add({.key = "thousand-predictions",
         .label = "1000 predictions",
         .stage = "serving",
         .outcome = std::string(kPredictions)},
        prediction, prediction_unit(before, model));
  }
  for (const std::string& outcome : outcomes_of(page, model)) {
    add({.key = outcome, .label = outcome, .stage = "", .outcome = outcome},
        outcome_unit(now, model, outcome), outcome_unit(before, model, outcome));
    traced->table.rows.back().note = trend_of(page, model, outcome);
  }
}

Row outcome_row(const Page& page, const std::string& model, const std::string& outcome) {
  const Unit now = outcome_unit(now_of(page), model, outcome);
  const Unit before = outcome_unit(before_of(page), model, outcome);
  Row row{.key = key_of({model, outcome}), .adds_up = false};
  row.cells = {fmt::format("{} {}", model, outcome),
               now.count ? count_value(*now.count) : Value(Unknown{}),
               now.limits ? Value(now.limits->low) : Value(Unknown{}),
               now.limits ? Value(now.limits->high) : Value(Unknown{}),
               before.count ? count_value(*before.count) : Value(Unknown{}),
               now.cost,
               before.cost,
               change_value(rational(now.cost), rational(before.cost)),
               change_value(now.price(now.cost), before.price(before.cost)),
               trend_of(page, model, outcome)};
  return row;
}

bool is_named(const ModelStages& model) { return model.model != "unnamed"; }

}  // namespace

TracedTable unit_costs_table(const Page& page) {
  TracedTable traced{.kind = "unit-costs", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("unit-costs");
  table.title = fmt::format("Unit costs, {}", page.currency);
  table.columns = {text_column("unit", "unit"),
                   number_column("units", "units", 0),
                   number_column("per_unit", "per unit", kUnitDecimals),
                   number_column("range", "95 % range", kUnitDecimals),
                   number_column("per_unit_with_idle", "with idle", kUnitDecimals),
                   number_column("change", "change", kChangeDecimals)};
  for (const ModelStages& model : model_stages(page)) {
    if (is_named(model)) add_units_of(page, model.model, &traced);
  }
  return traced;
}

TracedTable outcomes_table(const Page& page) {
  TracedTable traced{.kind = "outcomes", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("outcomes");
  table.title = "Outcomes, and how their cost moved";
  table.columns = {text_column("outcome", "outcome"),
                   number_column("count", "count", 0),
                   number_column("count_low", "95 % low", 0),
                   number_column("count_high", "high", 0),
                   number_column("before", page.scope.months.before().text(), 0),
                   number_column("cost", "cost"),
                   number_column("cost_before", "cost before"),
                   number_column("bill_change", "bill", kChangeDecimals),
                   number_column("unit_cost_change", "cost per outcome", kChangeDecimals),
                   text_column("trend", "trend")};
  for (const ModelStages& model : model_stages(page)) {
    if (!is_named(model)) continue;
    for (const std::string& outcome : outcomes_of(page, model.model)) {
      traced.add(outcome_row(page, model.model, outcome),
                 behind_unit(page, model.model,
                             {.key = outcome, .label = "", .stage = "", .outcome = outcome}));
    }
  }
  return traced;
}

}  // namespace tare::measures
