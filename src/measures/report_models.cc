// What each model costs, by stage, without and with its share of idle.
#include <fmt/format.h>

#include <algorithm>

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

void gather(const std::vector<Cell>& cells, Money std::pair<Money, Money>::* side, StageCosts* costs) {
  for (const Cell& cell : cells) {
    if (cell.kind == "model") (*costs)[cell.model][cell.stage].*side += cell.cost;
  }
}

struct Line {
  std::string key, label;
  int depth = 0;
  Money cost, idle, before;
  DeviceUse use;
};

Row models_row(const Page& page, const Line& line) {
  const Money bill = sum_cost(page.cube.now(), [](const Cell&) { return true; });
  Row row{.key = line.key, .depth = line.depth};
  row.cells = {line.label, line.cost, ratio_value(line.cost, bill), line.idle, line.cost + line.idle,
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
  const DeviceUse use = sum_use(page.cube.now(), [&](const Cell& cell) {
    return cell.kind == "model" && cell.model == model && cell.stage == stage.stage;
  });
  return {.key = key_of({model, stage.stage}), .label = stage.stage, .depth = 1, .cost = stage.cost,
          .idle = page.idle.of(model, stage.stage), .before = stage.cost_before, .use = use};
}

Line model_line(const Page& page, const ModelStages& model) {
  const DeviceUse use = sum_use(page.cube.now(), [&](const Cell& cell) {
    return cell.kind == "model" && cell.model == model.model;
  });
  return {.key = key_part(model.model), .label = model.model, .depth = 0, .cost = model.cost,
          .idle = page.idle.of_model(model.model), .before = model.cost_before, .use = use};
}

Line total_line(const Page& page, const std::vector<ModelStages>& models) {
  Line total{.key = "total", .label = "all models", .depth = 0, .cost = {}, .idle = {}, .before = {},
             .use = {}};
  for (const ModelStages& model : models) {
    total.cost += model.cost;
    total.before += model.cost_before;
  }
  total.idle = page.idle.total - page.idle.unspread;
  total.use = sum_use(page.cube.now(), [](const Cell& cell) { return cell.kind == "model"; });
  return total;
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
  gather(page.cube.now(), &std::pair<Money, Money>::first, &costs);
  gather(page.cube.before(), &std::pair<Money, Money>::second, &costs);
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

TracedTable models_table(const Page& page) {
  TracedTable traced{.kind = "models", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("models");
  table.title = "Models and their stages";
  table.columns = {text_column("model", "model"),
                   number_column("cost", page.money_heading("cost")),
                   number_column("share", "share", kPercentDecimals),
                   number_column("idle", "idle"),
                   sum_column("with_idle", "with idle", {"cost", "idle"}),
                   number_column("usage_cost", "usage cost"),
                   number_column("before", page.scope.months.before().text()),
                   number_column("change", "change", kPercentDecimals)};
  const std::vector<ModelStages> models = model_stages(page);
  for (const ModelStages& model : models) {
    const std::string of_model = equals_sql("model", model.model);
    Behind behind = page.behind({"kind = 'model'", of_model});
    behind.model = model.model;
    traced.add(models_row(page, model_line(page, model)), behind);
    for (const ModelStages::Stage& stage : model.stages) {
      behind = page.behind({"kind = 'model'", of_model, equals_sql("stage", stage.stage)});
      behind.model = model.model;
      behind.stage = stage.stage;
      traced.add(models_row(page, stage_line(page, model.model, stage)), behind);
    }
  }
  Row total = models_row(page, total_line(page, models));
  total.is_total = true;
  traced.add(std::move(total), page.behind({"kind = 'model'"}));
  if (!page.idle.unspread.is_zero()) {
    table.notes.push_back(fmt::format("idle of pools that no model used, spread over none: {} {}",
                                      to_text_rounded(page.idle.unspread, 2), page.currency));
  }
  return traced;
}

}  // namespace tare::measures
