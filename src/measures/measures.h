// The door of measures: questions to an open store, answered as result tables. Nothing here
// formats.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/table.h"
#include "measures/closing.h"
#include "store/store.h"

namespace tare::measures {

// What every reporting command takes. The period is of the usage view: by charge period start.
struct Question {
  std::optional<Span> period;  // whole months; empty: the newest month with lines
  CostBasis basis = CostBasis::kEffective;
  std::vector<std::string> by;                             // grouping columns, command-specific
  std::vector<std::pair<std::string, std::string>> where;  // column -> glob; all must match
  std::string sort;   // a column, "-column" descending; "" the command's own order
  int64_t limit = 0;  // 0: all; the rest is summed in a row "others"
  // For machine formats: all tables, stages and runs. A page that people read is one screen.
  bool full = false;
};

// The monthly page: bill -> accounts -> models x stages -> outcomes -> waste -> identities ->
// findings.
Document report(store::Store& store, const Project& project, const Question& question);
// Attributed cost by any of model, stage, run, team, pool, account, resource, service, region, day,
// month, evidence, source; allocation cost and usage cost.
Document cost(store::Store& store, const Project& project, const Question& question);
// Billed device-time and money by state; by any of model, stage, run, team, pool, resource, reason,
// month.
Document waste(store::Store& store, const Project& project, const Question& question);
// Months that were closed, in the order in which they were noted; `as_of`: the day on which the
// answer is to hold, "" now.
struct Closings {
  std::vector<ClosedMonth> journal;
  std::string as_of;
};
// The three reconciliations; `reconciled` is the exit code's answer.
struct Reconciliation {
  Document document;
  bool reconciled = true;
};
// From the summaries of lines and postings, or, with `verify`, from each of them again.
// With `as_of`, only what the months were closed with by then; throws UserError period-not-closed
// where none was.
Reconciliation reconcile(store::Store& store, const Project& project, const Question& question,
                         bool verify = false, const Closings& closings = {});
// What was wrong in the data; with `code` one kind with its subjects, with `rows` its examples.
Document findings(store::Store& store, const Project& project, const std::string& code, bool rows);
// Lineage of a figure: a figure id, an account, a run, a model or a bill line id. Throws UserError
// figure-unknown with the nearest ids.
Document explain(store::Store& store, const Project& project, const Question& question,
                 const std::string& subject);

// Makes the view focus_row on the store's connection: the bill as FOCUS 1.2 Cost and Usage rows,
// one a posting, of these billing periods (empty: all). `scratch` is a folder in which a file
// stands for as long as the view is read.
void make_focus_rows(store::Store& store, const std::optional<Span>& billing_periods,
                     const std::string& scratch);

// The words that `by` and `where` take, for help and completions.
const std::vector<std::string>& cost_groupings();
const std::vector<std::string>& waste_groupings();

}  // namespace tare::measures
