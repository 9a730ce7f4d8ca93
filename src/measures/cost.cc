// tare cost: attributed cost by any words, with device time and usage cost where they can be told.
#include "measures/cost.h"

#include <algorithm>

#include <fmt/format.h>

#include "measures/breakdown.h"
#include "measures/idle.h"
#include "measures/rates_used.h"
#include "measures/report.h"

namespace tare::measures {
namespace {

constexpr const char* kIdleLabel = "(idle)";

bool is_subset(const std::vector<std::string>& names, std::initializer_list<std::string_view> of) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(of.begin(), of.end(), name) != of.end();
  });
}

// Day and evidence are not in the summary by state, so their tables have money only.
bool has_device_time(const Question& question) {
  const auto by_state = [](const std::string& name) {
    return find_grouping(Command::kCost, name).in_states;
  };
  return std::all_of(question.by.begin(), question.by.end(), by_state) &&
         std::all_of(question.where.begin(), question.where.end(),
                     [&](const auto& filter) { return by_state(filter.first); });
}

// `policy: idle: proportional` shows both figures wherever idle can be spread over the rows.
bool spreads_idle(const Project& project, const Question& question) {
  return project.policy.idle_proportional && question.where.empty() && question.limit == 0 &&
         is_subset(question.by, {"model", "stage"});
}

std::vector<Column> value_columns(const Project& project, const Question& question,
                                  const std::string& currency) {
  std::vector<Column> columns = {number_column("cost", "cost " + currency),
                                 number_column("share", "share", kPercentDecimals)};
  if (spreads_idle(project, question)) {
    columns.push_back(number_column("idle", "idle"));
    columns.push_back(sum_column("with_idle", "with idle", {"cost", "idle"}));
  }
  if (has_device_time(question)) {
    columns.push_back(number_column("device_hours", "GPU h", kHourDecimals));
    columns.push_back(number_column("node_hours", "node h", kHourDecimals));
    columns.push_back(number_column("usage_cost", "usage cost"));
  }
  return columns;
}

// A row's share of idle money; what is spread is taken from the row of idle itself.
class IdleOfRow {
 public:
  IdleOfRow(const Question& question, IdleSpread spread)
      : question_(question), spread_(std::move(spread)) {}
  Money of(const Group& group) const {
    if (group.labels.empty()) return Money();
    Money sum;
    for (const PoolIdle& pool : spread_.pools) {
      for (const PoolIdle::Part& part : pool.parts) {
        if (matches(group, part.model, part.stage)) sum += part.idle;
        if (matches(group, kIdleLabel, "-")) sum -= part.idle;
      }
    }
    return sum;
  }

 private:
  bool matches(const Group& group, const std::string& model, const std::string& stage) const {
    for (size_t i = 0; i < group.labels.size(); ++i) {
      if (group.labels[i] != (question_.by[i] == "model" ? model : stage)) return false;
    }
    return true;
  }
  const Question& question_;
  IdleSpread spread_;
};

CellsOf cells_for(const Project& project, const Question& question, const IdleOfRow& idle) {
  const bool spread = spreads_idle(project, question);
  const bool timed = has_device_time(question);
  return [spread, timed, &idle](const Group& group, const Group& total) {
    std::vector<Value> cells = {group.cost, ratio_value(group.cost, total.cost)};
    if (spread) {
      const Money share = idle.of(group);
      cells.emplace_back(share);
      cells.emplace_back(group.cost + share);
    }
    if (timed) {
      cells.push_back(time_value(group.devices.billed_ns));
      cells.push_back(time_value(group.nodes.billed_ns));
      cells.push_back(usage_cost_value(group.all_time()));
    }
    return cells;
  };
}

}  // namespace

TracedDocument traced_cost(store::Store& store, const Project& project, Question question) {
  if (question.by.empty()) question.by = {"model", "stage"};
  const Scope scope = make_scope(store, project, question);
  const Cube cube =
      spreads_idle(project, question) ? Cube::read(store.connection(), scope) : Cube();
  TracedDocument answer;
  answer.document.command = "cost";
  answer.document.facts = facts(store, project, scope);
  std::vector<std::string> currencies;
  for (Breakdown& breakdown :
       read_breakdowns(store.connection(), project, scope, Command::kCost, question)) {
    currencies.push_back(breakdown.currency);
    TracedTable traced{.kind = "cost", .table = {}, .behind = {}};
    traced.table.id =
        table_id(scope, project, breakdown_name("cost", question), breakdown.currency);
    traced.table.title =
        fmt::format("Cost by {}, {}", fmt::join(question.by, ", "), scope.months.text());
    traced.table.columns = label_columns(Command::kCost, question);
    for (Column& column : value_columns(project, question, breakdown.currency)) {
      traced.table.columns.push_back(std::move(column));
    }
    const IdleOfRow idle(question, spread_idle(cube.in_currency(breakdown.currency).now()));
    const CellsOf cells_of = cells_for(project, question, idle);
    order_and_cut(&breakdown, question, traced.table.columns, cells_of);
    add_rows(breakdown, Command::kCost, question, cells_of, &traced);
    answer.tables.push_back(std::move(traced));
  }
  if (currencies.empty()) answer.note(no_lines_note(store, project, scope));
  for (std::string& note : scope_notes(store, scope, currencies)) answer.note(std::move(note));
  for (std::string& note :
       conversion_notes(store.connection(), scope.state_months_sql(), project.currency))
    answer.note(std::move(note));
  return answer;
}

Document cost(store::Store& store, const Project& project, const Question& question) {
  return traced_cost(store, project, question).finish();
}

}  // namespace tare::measures
