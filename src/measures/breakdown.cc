#include "measures/breakdown.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "base/errors.h"
#include "measures/exact.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

using store::State;

std::string number_of(State state) { return std::to_string(static_cast<int>(state)); }

std::vector<const Grouping*> groupings_of(Command command, const Question& question) {
  std::vector<const Grouping*> found;
  for (const std::string& name : question.by) found.push_back(&find_grouping(command, name));
  return found;
}

// The summary by state carries device time; day and evidence are only in the one by day.
bool needs_days(Command command, const Question& question) {
  const auto by_day = [&](const std::string& name) {
    return !find_grouping(command, name).in_states;
  };
  return std::any_of(question.by.begin(), question.by.end(), by_day) ||
         std::any_of(question.where.begin(), question.where.end(),
                     [&](const auto& filter) { return by_day(filter.first); });
}

std::string query_text(const Scope& scope, bool days, const std::string& labels,
                       const std::string& condition) {
  if (days) {
    return fill(embedded::breakdown_days_sql(),
                {{"labels", labels}, {"months", scope.day_months_sql()}, {"condition", condition}});
  }
  const std::string useful = number_of(State::kUseful) + ", " + number_of(State::kBusy);
  const auto accelerator = static_cast<int>(store::DeviceClass::kAccelerator);
  return fill(embedded::breakdown_states_sql(), {{"labels", labels},
                                                 {"months", scope.state_months_sql()},
                                                 {"condition", condition},
                                                 {"other_charges", number_of(State::kOtherCharges)},
                                                 {"unknown", number_of(State::kUnknown)},
                                                 {"useful_states", useful},
                                                 {"accelerator", std::to_string(accelerator)}});
}

DeviceUse use_at(const store::Result& answer, size_t row, size_t column) {
  const Money unknown = money_at(answer, row, column + 8);
  return {.billed_ns = sum_at(answer, row, column),
          .busy_ns = sum_at(answer, row, column + 1),
          .useful_ns = sum_at(answer, row, column + 2),
          .unknown_ns = sum_at(answer, row, column + 3),
          .billed_cost = money_at(answer, row, column + 4),
          .busy_cost = money_at(answer, row, column + 6),
          .unknown_cost = unknown,
          .unknown_credit = unknown.is_negative() ? unknown : Money()};
}

constexpr size_t kUseColumns = 10;

using GroupsByCurrency = std::map<std::string, std::vector<Group>>;

GroupsByCurrency read_groups(store::Connection& connection, const Scope& scope, bool days,
                             const std::vector<const Grouping*>& by, const std::string& condition) {
  std::string labels;
  for (size_t i = 0; i < by.size(); ++i)
    labels += fmt::format("{} AS label_{}, ", by[i]->expression, i);
  const store::Result answer = connection.query(query_text(scope, days, labels, condition));
  GroupsByCurrency groups;
  for (size_t row = 0; row < answer.rows(); ++row) {
    Group group;
    for (size_t i = 0; i < by.size(); ++i) group.labels.push_back(answer.text(row, 1 + i));
    const size_t first = 1 + by.size();
    group.cost = money_at(answer, row, first);
    if (!days) {
      group.devices = use_at(answer, row, first + 2);
      group.nodes = use_at(answer, row, first + 2 + kUseColumns);
    }
    groups[answer.text(row, 0)].push_back(std::move(group));
  }
  return groups;
}

Group sum_of(const std::vector<Group>& groups) {
  Group sum;
  for (const Group& group : groups) sum.add(group);
  return sum;
}

Breakdown breakdown_of(std::string currency, std::vector<Group> groups, const Group& bill,
                       bool is_filtered) {
  Breakdown breakdown{.currency = std::move(currency),
                      .groups = std::move(groups),
                      .others = {},
                      .other_groups = 0,
                      .filtered = {},
                      .is_filtered = is_filtered,
                      .total = bill};
  if (!is_filtered) return breakdown;
  const Group matched = sum_of(breakdown.groups);
  breakdown.filtered = bill;
  breakdown.filtered.cost -= matched.cost;
  breakdown.filtered.devices -= matched.devices;
  breakdown.filtered.nodes -= matched.nodes;
  return breakdown;
}

// What a cell sorts by: unknown cells stand last either way.
struct SortKey {
  bool known = false;
  std::string text;
  Rational number;
};

SortKey sort_key(const Value& value) {
  const auto number = [](Rational n) { return SortKey{true, "", std::move(n)}; };
  if (const auto* text = std::get_if<std::string>(&value)) return {true, *text, 0};
  if (const auto* count = std::get_if<int64_t>(&value)) return number(*count);
  if (const auto* money = std::get_if<Money>(&value)) return number(rational(*money));
  if (const auto* range = std::get_if<MoneyRange>(&value)) return number(rational(range->low));
  if (const auto* time = std::get_if<DeviceTime>(&value)) return number(integer(time->ns));
  if (const auto* bound = std::get_if<LowerBound>(&value)) return number(rational(bound->amount));
  if (const auto* price = std::get_if<Price>(&value)) {
    return number(rational(price->amount) / integer(price->count));
  }
  if (const auto* ratio = std::get_if<Ratio>(&value)) {
    return number(Rational(integer(ratio->numerator), integer(ratio->denominator)));
  }
  if (const auto* range = std::get_if<RatioRange>(&value)) {
    return number(Rational(integer(range->low.numerator), integer(range->low.denominator)));
  }
  return {};
}

void sort_by_column(std::vector<Group>* groups, size_t column, bool descending, const Group& total,
                    const CellsOf& cells_of) {
  std::vector<SortKey> keys;
  for (const Group& group : *groups) {
    const bool is_label = column < group.labels.size();
    keys.push_back(is_label ? SortKey{true, group.labels[column], 0}
                            : sort_key(cells_of(group, total)[column - group.labels.size()]));
  }
  std::vector<size_t> order(groups->size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const SortKey& first = keys[descending ? b : a];
    const SortKey& second = keys[descending ? a : b];
    if (keys[a].known != keys[b].known) return keys[a].known;
    if (first.text != second.text) return first.text < second.text;
    return first.number < second.number;
  });
  std::vector<Group> sorted;
  for (const size_t index : order) sorted.push_back(std::move((*groups)[index]));
  *groups = std::move(sorted);
}

size_t find_column(const std::vector<Column>& columns, const std::string& name) {
  std::vector<std::string> names;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
    names.push_back(columns[i].name);
  }
  const std::string near = nearest_word_in(name, names);
  throw UserError("sort-unknown", fmt::format("there is no column '{}' to sort by", name),
                  near.empty() ? fmt::format("the columns are {}", fmt::join(names, ", "))
                               : fmt::format("did you mean '{}'?", near));
}

// Characters with a meaning in a table's id.
std::string encode_filter(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    if (std::string_view("/%+:=,").find(c) != std::string_view::npos) {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      encoded += c;
    }
  }
  return encoded;
}

std::vector<Value> row_cells(const std::string& label, size_t labels, std::vector<Value> values) {
  std::vector<Value> cells = {label};
  for (size_t i = 1; i < labels; ++i) cells.emplace_back(std::string());
  for (Value& value : values) cells.push_back(std::move(value));
  return cells;
}

}  // namespace

void Group::add(const Group& other) {
  cost += other.cost;
  devices += other.devices;
  nodes += other.nodes;
}

DeviceUse Group::all_time() const {
  DeviceUse use = devices;
  use += nodes;
  return use;
}

std::vector<Breakdown> read_breakdowns(store::Connection& connection, const Project& project,
                                       const Scope& scope, Command command,
                                       const Question& question) {
  const std::vector<const Grouping*> by = groupings_of(command, question);
  const std::string condition = where_sql(command, question.where);
  const bool days = needs_days(command, question);
  GroupsByCurrency groups = read_groups(connection, scope, days, by, condition);
  std::map<std::string, Group> bills;
  if (question.where.empty()) {
    for (const auto& [currency, found] : groups) bills[currency] = sum_of(found);
  } else {
    for (const auto& [currency, whole] : read_groups(connection, scope, days, {}, "true")) {
      bills[currency] = whole.front();
    }
  }
  std::vector<std::string> currencies;
  for (const auto& [currency, bill] : bills) currencies.push_back(currency);
  std::vector<Breakdown> breakdowns;
  for (const std::string& currency : currency_order(project, currencies)) {
    breakdowns.push_back(breakdown_of(currency, std::move(groups[currency]), bills[currency],
                                      !question.where.empty()));
  }
  return breakdowns;
}

void order_and_cut(Breakdown* breakdown, const Question& question,
                   const std::vector<Column>& columns, const CellsOf& cells_of) {
  std::vector<Group>& groups = breakdown->groups;
  if (question.sort.empty()) {
    // Groups come in the order of their labels, which decides between equals.
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& a, const Group& b) { return a.cost > b.cost; });
  } else {
    const bool descending = question.sort.front() == '-';
    const size_t column = find_column(columns, question.sort.substr(descending ? 1 : 0));
    sort_by_column(&groups, column, descending, breakdown->total, cells_of);
  }
  if (question.limit <= 0) return;
  const auto limit = std::min(groups.size(), static_cast<size_t>(question.limit));
  breakdown->other_groups = static_cast<int64_t>(groups.size() - limit);
  for (size_t i = limit; i < groups.size(); ++i) breakdown->others.add(groups[i]);
  groups.resize(limit);
}

std::string breakdown_name(std::string_view command, const Question& question) {
  std::string name = fmt::format("{}:{}", command, fmt::join(question.by, ","));
  for (const auto& [column, glob] : question.where) {
    name += fmt::format("+{}={}", column, encode_filter(glob));
  }
  return name;
}

std::vector<Column> label_columns(Command command, const Question& question) {
  std::vector<Column> columns;
  for (const Grouping* grouping : groupings_of(command, question)) {
    columns.push_back(text_column(std::string(grouping->name), std::string(grouping->heading)));
  }
  return columns;
}

void add_rows(const Breakdown& breakdown, Command command, const Question& question,
              const CellsOf& cells_of, TracedTable* traced) {
  const size_t labels = question.by.size();
  const bool of_states = command == Command::kWaste;
  const std::string base = all_of(
      {"currency = " + store::quote_text(breakdown.currency), where_sql(command, question.where)});
  for (const Group& group : breakdown.groups) {
    Row row{.key = key_of(group.labels)};
    std::vector<std::string> conditions = {base};
    Behind behind{.of_states = of_states, .currency = breakdown.currency};
    for (size_t i = 0; i < labels; ++i) {
      row.cells.emplace_back(group.labels[i]);
      conditions.push_back(equals_sql(question.by[i], group.labels[i]));
      if (question.by[i] == "model") behind.model = group.labels[i];
      if (question.by[i] == "stage") behind.stage = group.labels[i];
    }
    for (Value& value : cells_of(group, breakdown.total)) row.cells.push_back(std::move(value));
    behind.sql = all_of(conditions);
    traced->add(std::move(row), behind);
  }
  if (breakdown.other_groups > 0) {
    traced->add({.key = "others",
                 .cells = row_cells(fmt::format("{} others", breakdown.other_groups), labels,
                                    cells_of(breakdown.others, breakdown.total))},
                {});
  }
  if (breakdown.is_filtered) {
    traced->add({.key = "filtered",
                 .cells = row_cells("left out by --where", labels,
                                    cells_of(breakdown.filtered, breakdown.total))},
                {.sql = all_of({"currency = " + store::quote_text(breakdown.currency),
                                fmt::format("NOT ({})", where_sql(command, question.where))}),
                 .of_states = of_states,
                 .currency = breakdown.currency});
  }
  traced->add({.key = "total",
               .is_total = true,
               .cells = row_cells("the bill", labels, cells_of(breakdown.total, breakdown.total))},
              {.sql = "currency = " + store::quote_text(breakdown.currency),
               .of_states = of_states,
               .currency = breakdown.currency});
}

}  // namespace tare::measures
