// tare waste: billed device time and money by the state of the device, or by anything else with its
// busy, useful and unknown hours.
#include <algorithm>

#include <fmt/format.h>

#include "measures/breakdown.h"
#include "measures/cost.h"
#include "measures/rates_used.h"
#include "measures/report.h"

namespace tare::measures {
namespace {

bool by_reason(const Question& question) {
  return std::find(question.by.begin(), question.by.end(), "reason") != question.by.end();
}

std::vector<Column> value_columns(const Question& question, const std::string& currency) {
  if (by_reason(question)) {
    return {number_column("device_hours", "GPU h", kHourDecimals),
            number_column("device_share", "of GPU h", kPercentDecimals),
            number_column("node_hours", "node h", kHourDecimals),
            number_column("cost", "cost " + currency),
            number_column("share", "of cost", kPercentDecimals)};
  }
  return {number_column("device_hours", "GPU h", kHourDecimals),
          number_column("busy_hours", "busy", kHourDecimals),
          number_column("useful_hours", "useful", kHourDecimals),
          number_column("unknown_hours", "unknown", kHourDecimals),
          number_column("utilisation", "busy %", kPercentDecimals),
          number_column("node_hours", "node h", kHourDecimals),
          number_column("cost", "cost " + currency),
          number_column("usage_cost", "usage cost")};
}

std::vector<Value> reason_cells(const Group& group, const Group& total) {
  return {time_value(group.devices.billed_ns),
          ratio_value(group.devices.billed_ns, total.devices.billed_ns),
          time_value(group.nodes.billed_ns), group.cost, ratio_value(group.cost, total.cost)};
}

std::vector<Value> use_cells(const Group& group, const Rational& min_coverage) {
  return {time_value(group.devices.billed_ns),
          time_value(group.devices.busy_ns),
          time_value(group.devices.useful_ns),
          time_value(group.devices.unknown_ns),
          utilisation_value(group.devices, min_coverage),
          time_value(group.nodes.billed_ns),
          group.cost,
          usage_cost_value(group.all_time())};
}

CellsOf cells_for(const Project& project, const Question& question) {
  if (by_reason(question)) return reason_cells;
  const Rational min_coverage = rational_of_decimal(project.policy.min_coverage);
  return
      [min_coverage](const Group& group, const Group&) { return use_cells(group, min_coverage); };
}

std::string meaning_note(const Question& question) {
  if (!by_reason(question)) return "";
  return "every billed device-hour is in exactly one state; docs/measures.md says what each means";
}

}  // namespace

TracedDocument traced_waste(store::Store& store, const Project& project, Question question) {
  if (question.by.empty()) question.by = {"model", "reason"};
  const Scope scope = make_scope(store, project, question);
  const CellsOf cells_of = cells_for(project, question);
  TracedDocument answer;
  answer.document.command = "waste";
  answer.document.facts = facts(store, project, scope);
  std::vector<std::string> currencies;
  for (Breakdown& breakdown :
       read_breakdowns(store.connection(), project, scope, Command::kWaste, question)) {
    currencies.push_back(breakdown.currency);
    TracedTable traced{.kind = "waste", .table = {}, .behind = {}};
    traced.table.id =
        table_id(scope, project, breakdown_name("waste", question), breakdown.currency);
    traced.table.title = fmt::format("Billed device time by {}, {}", fmt::join(question.by, ", "),
                                     scope.months.text());
    traced.table.columns = label_columns(Command::kWaste, question);
    for (Column& column : value_columns(question, breakdown.currency)) {
      traced.table.columns.push_back(std::move(column));
    }
    order_and_cut(&breakdown, question, traced.table.columns, cells_of);
    add_rows(breakdown, Command::kWaste, question, cells_of, &traced);
    answer.tables.push_back(std::move(traced));
  }
  if (currencies.empty()) answer.note(no_lines_note(store, project, scope));
  answer.note(meaning_note(question));
  for (std::string& note : scope_notes(store, scope, currencies)) answer.note(std::move(note));
  for (std::string& note :
       conversion_notes(store.connection(), scope.state_months_sql(), project.currency))
    answer.note(std::move(note));
  return answer;
}

Document waste(store::Store& store, const Project& project, const Question& question) {
  return traced_waste(store, project, question).finish();
}

}  // namespace tare::measures
