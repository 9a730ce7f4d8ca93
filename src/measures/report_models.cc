// What each model costs, by stage, without and with its share of idle.
#include <algorithm>

#include <fmt/format.h>

#include "measures/groupings.h"
#include "measures/report_parts.h"

namespace tare::measures {
namespace {

template <typename Item>
void costliest_first(std::vector<Item>& items, std::string Item::* name) {
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    if (a.cost != b.cost) return a.cost > b.cost;
    return a.*name < b.*name;
  });
}

using StageCosts = std::map<std::string, std::map<std::string, std::pair<Money, Money>>>;

void gather(const ModelSums& models, Money std::pair<Money, Money>::* side, StageCosts* costs) {
  for (const auto& [model, stages] : models) {
    for (const auto& [stage, sum] : stages) (*costs)[model][stage].*side += sum.cost;
  }
}

struct Line {
  std::string key{}, label{};
  int depth = 0;
  Money cost{}, idle{}, before{};
  DeviceUse use{};
};

Row models_row(const Page& page, const Line& line) {
  Row row{.key = line.key, .depth = line.depth};
  row.cells = {line.label,
               line.cost,
               ratio_value(line.cost, page.bill),
               line.idle,
               line.cost + line.idle,
               usage_cost_value(line.use)};
  if (page.cube.has_before()) {
    row.cells.emplace_back(line.before);
    row.cells.push_back(change_value(rational(line.cost), rational(line.before)));
  } else {
    row.cells.emplace_back(Unknown{});
    row.cells.emplace_back(Unknown{});
  }
  return row;
}

Line stage_line(const Page& page, const std::string& model, const ModelStages::Stage& stage) {
  return {.key = key_of({model, stage.stage}),
          .label = stage.stage,
          .depth = 1,
          .cost = stage.cost,
          .idle = page.idle.of(model, stage.stage),
          .before = stage.cost_before,
          .use = sum_of(page.models, model, stage.stage).use};
}

Line model_line(const Page& page, const ModelStages& model) {
  return {.key = key_part(model.model),
          .label = model.model,
          .depth = 0,
          .cost = model.cost,
          .idle = page.idle.of_model(model.model),
          .before = model.cost_before,
          .use = sum_of(page.models, model.model).use};
}

// Everything that no model was posted. What idle gives to the models is taken from its own row, so
// that the column with idle sums to the bill too.
Line kind_line(const Page& page, const AccountKind& kind) {
  const auto holds = [&](const Cell& cell) { return is_of(cell, kind.name); };
  Line line{.key = fmt::format("({})", kind.name),
            .label = std::string(kind.label),
            .cost = sum_cost(page.cube.now(), holds),
            .before = sum_cost(page.cube.before(), holds),
            .use = sum_use(page.cube.now(), holds)};
  if (kind.name == "idle") line.idle = page.idle.unspread - page.idle.total;
  return line;
}

Line total_line(const Page& page) {
  const auto all = [](const Cell&) { return true; };
  return {.key = "total",
          .label = "the bill",
          .cost = page.bill,
          .before = page.bill_before,
          .use = sum_use(page.cube.now(), all)};
}

// Stages that come to less than a hundredth of the bill, idle included, are one row for people to
// read.
bool is_small(const Page& page, const Line& line) {
  constexpr int kPartOfBill = 100;
  return rational(line.cost + line.idle) * kPartOfBill < rational(page.bill);
}

struct StageLines {
  std::vector<Line> lines;
  Line others;
  std::vector<std::string> other_stages;
};

void fold(const Line& line, const std::string& stage, StageLines* folded) {
  Line& others = folded->others;
  folded->other_stages.push_back(stage);
  others.cost += line.cost;
  others.idle += line.idle;
  others.before += line.before;
  others.use += line.use;
}

StageLines stage_lines(const Page& page, const ModelStages& model, bool full) {
  StageLines all;
  StageLines folded;
  folded.others.depth = 1;
  folded.others.key = key_part(model.model) + "/others";
  for (const ModelStages::Stage& stage : model.stages) {
    const Line line = stage_line(page, model.model, stage);
    all.lines.push_back(line);
    if (is_small(page, line)) {
      fold(line, stage.stage, &folded);
    } else {
      folded.lines.push_back(line);
    }
  }
  folded.others.label = fmt::format("{} other stages", folded.other_stages.size());
  return full || folded.other_stages.size() < 2 ? all : folded;
}

std::string stages_sql(const std::vector<std::string>& stages) {
  std::vector<std::string> quoted;
  for (const std::string& stage : stages) quoted.push_back(store::quote_text(stage));
  return fmt::format("stage IN ({})", fmt::join(quoted, ", "));
}

void add_model(const Page& page, const ModelStages& model, bool full, TracedTable* traced) {
  const std::string of_model = equals_sql("model", model.model);
  Behind behind = page.behind({of_model});
  behind.model = model.model;
  traced->add(models_row(page, model_line(page, model)), behind);
  const StageLines stages = stage_lines(page, model, full);
  if (stages.lines.empty()) return;  // too small altogether
  for (const Line& line : stages.lines) {
    behind = page.behind({of_model, equals_sql("stage", line.label)});
    behind.model = model.model;
    behind.stage = line.label;
    traced->add(models_row(page, line), behind);
  }
  if (stages.other_stages.empty()) return;
  traced->add(models_row(page, stages.others),
              page.behind({of_model, stages_sql(stages.other_stages)}));
}

// How much of the bill the page can say whose it is.
std::string named_share_text(const Page& page) {
  if (page.bill.is_zero()) return "a bill of nothing";
  const Money named =
      sum_cost(page.cube.now(), [](const Cell& cell) { return is_of(cell, "model"); });
  const Rational percent = rational(named) / rational(page.bill) * 100;
  return fmt::format("{} % to models that have a name",
                     to_text_rounded(to_money(percent), kPercentDecimals));
}

void add_kind(const Page& page, const AccountKind& kind, TracedTable* traced) {
  const bool of_models = kind.name == "model" || kind.name == "unnamed";
  const Line line = kind_line(page, kind);
  if (of_models || (line.cost.is_zero() && line.before.is_zero())) return;
  traced->add(models_row(page, line), page.behind(kind_sql(kind.name)));
}

}  // namespace

Behind Page::behind(std::vector<std::string> conditions) const {
  conditions.push_back(currency_sql());
  return {.sql = all_of(conditions), .currency = currency};
}

Behind Page::behind_states(std::vector<std::string> conditions) const {
  Behind states = behind(std::move(conditions));
  states.of_states = true;
  return states;
}

std::vector<ModelStages> model_stages(const Page& page) {
  StageCosts costs;
  gather(page.models, &std::pair<Money, Money>::first, &costs);
  gather(page.models_before, &std::pair<Money, Money>::second, &costs);
  std::vector<ModelStages> models;
  for (const auto& [name, stages] : costs) {
    ModelStages model{.model = name, .cost = {}, .cost_before = {}, .stages = {}};
    for (const auto& [stage, sides] : stages) {
      model.stages.push_back({stage, sides.first, sides.second});
      model.cost += sides.first;
      model.cost_before += sides.second;
    }
    costliest_first(model.stages, &ModelStages::Stage::stage);
    models.push_back(std::move(model));
  }
  costliest_first(models, &ModelStages::model);
  return models;
}

TracedTable models_table(const Page& page, bool full) {
  TracedTable traced{.kind = "models", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("models");
  table.title = fmt::format("Where the money went: {}", named_share_text(page));
  table.columns = {text_column("model", "model"),
                   number_column("cost", page.money_heading("cost")),
                   number_column("share", "share", kPercentDecimals),
                   number_column("idle", "idle"),
                   sum_column("with_idle", "with idle", {"cost", "idle"}),
                   number_column("usage_cost", "usage cost"),
                   number_column("before", page.scope.months.before().text()),
                   number_column("change", "change", kChangeDecimals)};
  for (const ModelStages& model : model_stages(page)) add_model(page, model, full, &traced);
  for (const AccountKind& kind : account_kinds()) add_kind(page, kind, &traced);
  Row total = models_row(page, total_line(page));
  total.is_total = true;
  traced.add(std::move(total), page.behind({}));
  if (!page.idle.unspread.is_zero()) {
    table.notes.push_back(fmt::format("idle of pools that no model used, spread over none: {} {}",
                                      to_text_rounded(page.idle.unspread, 2), page.currency));
  }
  return traced;
}

}  // namespace tare::measures
