#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_runs {

enum Column {
  kRunId,
  kModel,
  kStage,
  kState,
  kStart,
  kEnd,
  kAttempt,
  kParentRunId,
  kTeam,
  kName,
  kExperiment,
  kLastCheckpoint,
  kExitReason,
  kRowsIn,
  kCostCenter,
  kColumns
};

constexpr auto kTable = std::to_array<PlainColumn>({
    {"run_id", Need::kCell, CellType::kText, "the run's name, the same in holds and tags"},
    {"model", Need::kColumn, CellType::kText, "the model; where empty, rules may name it"},
    {"stage", Need::kColumn, CellType::kText,
     "training, serving, features, evaluation, or a word of yours"},
    {"state", Need::kColumn, CellType::kText,
     "running, finished, failed, cancelled, preempted or lost"},
    {"start", Need::kCell, CellType::kTime, "when it began"},
    {"end", Need::kColumn, CellType::kTime, "when it ended; empty: still running, or unknown"},
    {"attempt", Need::kOptional, CellType::kCount, "of a retried run: 0, 1, ..."},
    {"parent_run_id", Need::kOptional, CellType::kText, "the run that this one is part of"},
    {"team", Need::kOptional, CellType::kText, "who pays"},
    {"name", Need::kOptional, CellType::kText, "a name for people"},
    {"experiment", Need::kOptional, CellType::kText, "the experiment it belongs to"},
    {"last_checkpoint", Need::kOptional, CellType::kTime,
     "the last save from which it could be resumed"},
    {"exit_reason", Need::kOptional, CellType::kText, "why it ended, such as out-of-memory"},
    {"rows_in", Need::kOptional, CellType::kCount, "rows of data it read"},
    {"cost_center", Need::kOptional, CellType::kText, "the cost center"},
});
static_assert(kTable.size() == kColumns);

constexpr auto kStates = std::to_array<std::string_view>(
    {"running", "finished", "failed", "cancelled", "preempted", "lost"});

// A state of another name is unknown, and the run is kept: its cost does not hang on its state.
std::string known_state(RowReader& in) {
  std::string state = in.text_or_empty(kState);
  for (char& c : state) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::find(kStates.begin(), kStates.end(), state) != kStates.end()) return state;
  in.note("run-state-unknown", kState);
  return "";
}

void make_row(RowReader& in, RowWriter& out) {
  RunRow row;
  row.run_id = in.text_or_empty(kRunId);
  row.attempt = static_cast<int32_t>(in.count(kAttempt, INT32_MAX).value_or(0));
  row.parent_run_id = in.text_or_empty(kParentRunId);
  row.model = in.text_or_empty(kModel);
  row.stage = in.text_or_empty(kStage);
  row.team = in.text_or_empty(kTeam);
  row.name = in.text_or_empty(kName);
  row.experiment = in.text_or_empty(kExperiment);
  row.state = known_state(in);
  row.exit_reason = in.text_or_empty(kExitReason);
  row.cost_center = in.text_or_empty(kCostCenter);
  row.start_ns = in.time(kStart).value_or(0);
  row.end_ns = in.time(kEnd);
  row.last_checkpoint_ns = in.time(kLastCheckpoint);
  row.rows_in = in.count(kRowsIn);
  if (!in.rejected() && row.end_ns && *row.end_ns < row.start_ns) {
    in.reject("run-end-before-start", kEnd);
  }
  if (in.rejected()) return;
  out.text(row.run_id)
      .small(row.attempt)
      .text(row.parent_run_id)
      .text(row.model)
      .text(row.stage)
      .text(row.team)
      .text(row.name)
      .text(row.experiment)
      .text(row.state)
      .text(row.exit_reason)
      .text(row.cost_center)
      .number(row.start_ns)
      .number(row.end_ns)
      .number(row.last_checkpoint_ns)
      .number(row.rows_in)
      .end();
}

}  // namespace of_runs
}  // namespace

constinit const PlainFormat kRunsFormat = {
    "runs", SourceKind::kRuns,  "runs and their attempts", of_runs::kTable,
    "run",  store::run_columns, of_runs::make_row};

}  // namespace tare::sources
