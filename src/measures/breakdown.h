// Money and device time by the words of a question: what `tare cost` and `tare waste` share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measures/cube.h"
#include "measures/groupings.h"
#include "measures/traced.h"

namespace tare::measures {

struct Group {
  std::vector<std::string> labels;  // one a grouping of the question
  Money cost;
  DeviceUse devices, nodes;  // empty where the question needs the summary by day
  void add(const Group& other);
  DeviceUse all_time() const;
};

struct Breakdown {
  std::string currency;
  std::vector<Group> groups;  // in the order that the question asks for, cut to its limit
  Group others;               // the sum of what the limit cut off
  int64_t other_groups = 0;
  Group filtered;  // what --where left out
  bool is_filtered = false;
  Group total;  // of all: the bill
};

// One a currency, the project's first. Throws UserError grouping-unknown.
std::vector<Breakdown> read_breakdowns(store::Connection& connection, const Project& project,
                                       const Scope& scope, Command command,
                                       const Question& question);

// The cells after the labels, one a value column.
using CellsOf = std::function<std::vector<Value>(const Group& group, const Group& total)>;

// Orders by question.sort (a column's name, "-" before it for descending), else by cost, the
// largest first; then cuts to question.limit. Throws UserError sort-unknown.
void order_and_cut(Breakdown* breakdown, const Question& question,
                   const std::vector<Column>& columns, const CellsOf& cells_of);

// "cost:model,stage", with "+team=ri*" for each filter: what goes into the table's id.
std::string breakdown_name(std::string_view command, const Question& question);

// Fills rows: the groups, others, what the filter left out, and the total, which is the bill.
void add_rows(const Breakdown& breakdown, Command command, const Question& question,
              const CellsOf& cells_of, TracedTable* traced);

// Columns of the labels.
std::vector<Column> label_columns(Command command, const Question& question);

}  // namespace tare::measures
