#include "measures/evidence.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "base/errors.h"
#include "measures/cube.h"
#include "measures/groupings.h"
#include "measures/idle.h"
#include "measures/rates_used.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

std::string shown() { return std::to_string(kShownParts); }

std::string instant_at(const store::Result& answer, size_t row, size_t column) {
  if (answer.is_null(row, column)) return "";
  const int64_t ns = answer.i64(row, column);
  return ns == kNoEnd ? "" : to_text(ns);
}

std::optional<Money> optional_money_at(const store::Result& answer, size_t row, size_t column) {
  if (answer.is_null(row, column)) return std::nullopt;
  return money_at(answer, row, column);
}

Value known(const std::optional<Money>& money) { return money ? Value(*money) : Value(Unknown{}); }

std::string others_label(int64_t groups, int64_t listed) {
  return fmt::format("{} others", groups - listed);
}

void add_account_table(const Evidence& evidence, const std::string& selection,
                       const std::string& currency) {
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_accounts_sql(), {{"selection", selection}, {"shown", shown()}}));
  Table table;
  table.id = "explain/postings:" + currency;
  table.title = "Postings, by account and rule";
  table.columns = {text_column("account", "account"),
                   text_column("evidence", "evidence"),
                   text_column("rule", "rule"),
                   number_column("postings", "count", 0),
                   number_column("held_hours", "held h", kHourDecimals),
                   number_column("billed_hours", "billed h", kHourDecimals),
                   number_column("cost", "cost " + currency)};
  std::set<store::Rule> rules;
  int64_t postings = 0;
  int128 held = 0, billed = 0;
  Money cost;
  for (size_t row = 0; row < answer.rows(); ++row) {
    const auto rule = static_cast<store::Rule>(answer.i64(row, 2));
    rules.insert(rule);
    const std::string name(store::rule_name(rule));
    table.rows.push_back({.key = key_of({answer.text(row, 0), answer.text(row, 1), name}),
                          .cells = {answer.text(row, 0), answer.text(row, 1), name,
                                    count_at(answer, row, 3), time_value(sum_at(answer, row, 4)),
                                    time_value(sum_at(answer, row, 5)), money_at(answer, row, 6)}});
    postings += count_at(answer, row, 3);
    held += sum_at(answer, row, 4);
    billed += sum_at(answer, row, 5);
    cost += money_at(answer, row, 6);
  }
  if (answer.rows() == 0) return;
  const int64_t all = count_at(answer, 0, 9);
  const int128 all_held = sum_at(answer, 0, 10), all_billed = sum_at(answer, 0, 11);
  const Money all_cost = money_at(answer, 0, 12);
  const int64_t groups = count_at(answer, 0, 8);
  if (groups > kShownParts) {
    table.rows.push_back(
        {.key = "others",
         .cells = {others_label(groups, kShownParts), "", "", all - postings,
                   time_value(all_held - held), time_value(all_billed - billed), all_cost - cost}});
  }
  table.rows.push_back(
      {.key = "total",
       .is_total = true,
       .cells = {"total", "", "", all, time_value(all_held), time_value(all_billed), all_cost}});
  for (const store::Rule rule : rules) {
    table.notes.push_back(
        fmt::format("{}: {}", store::rule_name(rule), store::rule_sentence(rule)));
  }
  evidence.document.tables.push_back(std::move(table));
}

// Leaves out the columns that only programs get, and their cells.
void keep_screen_columns(Table* table, std::initializer_list<std::string_view> only_full) {
  for (const std::string_view name : only_full) {
    const auto found = std::find_if(table->columns.begin(), table->columns.end(),
                                    [&](const Column& column) { return column.name == name; });
    TARE_ASSERT(found != table->columns.end(), name);
    const auto index = found - table->columns.begin();
    table->columns.erase(found);
    for (Row& row : table->rows) row.cells.erase(row.cells.begin() + index);
  }
}

// Rows "n others" and "total", empty but for their label and `column`.
void add_sums(Table* table, size_t column, std::string others, const Value& rest,
              const Value& all) {
  const auto add = [&](std::string key, std::string label, const Value& value, bool total) {
    Row row{.key = std::move(key), .is_total = total};
    for (const Column& each : table->columns) {
      const bool is_text = each.align == Align::kLeft;
      row.cells.push_back(is_text ? Value(std::string()) : Value(Unknown{}));
    }
    row.cells.front() = std::move(label);
    row.cells[column] = value;
    table->rows.push_back(std::move(row));
  };
  if (!others.empty()) add("others", std::move(others), rest, false);
  add("total", "total", all, true);
}

// Returns the runs that were listed.
std::vector<std::string> add_run_table(const Evidence& evidence, const std::string& selection,
                                       const std::string& currency) {
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_runs_sql(), {{"selection", selection}, {"shown", shown()}}));
  std::vector<std::string> runs;
  Table table;
  table.id = "explain/runs:" + currency;
  table.title = "Runs";
  table.columns = {text_column("run", "run"),
                   text_column("attempt", "attempt"),
                   text_column("state", "state"),
                   text_column("start", "start"),
                   text_column("end", "end"),
                   text_column("end_known_by", "end known by"),
                   number_column("cost", "cost " + currency)};
  Money cost;
  for (size_t row = 0; row < answer.rows(); ++row) {
    const std::string run = answer.text(row, 0);
    const bool is_run = run != "-";
    if (is_run && (runs.empty() || runs.back() != run)) runs.push_back(run);
    const std::string attempt = answer.is_null(row, 1) ? "" : answer.text(row, 1);
    table.rows.push_back({.key = key_of({run, attempt.empty() ? "-" : attempt}),
                          .cells = {is_run ? run : "(no run)", attempt, answer.text(row, 2),
                                    instant_at(answer, row, 3), instant_at(answer, row, 4),
                                    answer.text(row, 5), money_at(answer, row, 6)}});
    cost += money_at(answer, row, 6);
  }
  if (runs.empty()) return runs;
  const int64_t groups = count_at(answer, 0, 8);
  const Money all = money_at(answer, 0, 9);
  add_sums(&table, table.columns.size() - 1,
           groups > kShownParts ? others_label(groups, kShownParts) : "", all - cost, all);
  if (!evidence.full) keep_screen_columns(&table, {"end_known_by"});
  evidence.document.tables.push_back(std::move(table));
  return runs;
}

void add_hold_table(const Evidence& evidence, const std::vector<std::string>& runs,
                    const std::string& currency) {
  if (runs.empty()) return;
  std::vector<std::string> quoted;
  for (const std::string& run : runs) quoted.push_back(store::quote_text(run));
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_holds_sql(),
           {{"runs", fmt::format("{}", fmt::join(quoted, ", "))}, {"shown", shown()}}));
  if (answer.rows() == 0) return;
  Table table;
  table.id = "explain/holds:" + currency;
  table.title = "What these runs held, the longest first";
  table.columns = {text_column("run", "run"),
                   text_column("attempt", "attempt"),
                   text_column("resource", "resource"),
                   number_column("devices", "devices", 0),
                   text_column("start", "from"),
                   text_column("end", "to"),
                   number_column("held_hours", "held h", kHourDecimals)};
  for (size_t row = 0; row < answer.rows(); ++row) {
    table.rows.push_back(
        {.key = key_of({answer.text(row, 0), answer.text(row, 1), answer.text(row, 2)}),
         .adds_up = false,
         .cells = {answer.text(row, 0), answer.text(row, 1), answer.text(row, 2),
                   count_at(answer, row, 3), instant_at(answer, row, 4), instant_at(answer, row, 5),
                   time_value(sum_at(answer, row, 6))}});
  }
  const int64_t all = count_at(answer, 0, 7);
  if (all > kShownParts) {
    table.notes.push_back(
        fmt::format("{} more: tare sql \"FROM hold WHERE run_id = '...'\"", all - kShownParts));
  }
  if (!evidence.full) keep_screen_columns(&table, {"attempt", "devices"});
  evidence.document.tables.push_back(std::move(table));
}

Row line_row(const Evidence& evidence, const store::Result& answer, size_t row,
             const std::string& file) {
  const std::array<std::optional<Money>, 3> costs = {optional_money_at(answer, row, 11),
                                                     optional_money_at(answer, row, 13),
                                                     optional_money_at(answer, row, 15)};
  const auto basis = static_cast<size_t>(evidence.basis);
  const std::optional<Money> whole = basis < costs.size() && costs[basis] ? costs[basis] : costs[0];
  return {.key = answer.text(row, 0),
          .cells = {answer.text(row, 0), instant_at(answer, row, 3), instant_at(answer, row, 4),
                    answer.text(row, 8), answer.text(row, 5), answer.text(row, 6),
                    answer.text(row, 7), money_at(answer, row, 9), known(whole), known(costs[0]),
                    known(costs[1]), known(costs[2]), file}};
}

void add_line_table(const Evidence& evidence, const std::string& selection,
                    const std::string& currency) {
  constexpr size_t kCostColumn = 7;
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_lines_sql(), {{"selection", selection}, {"shown", shown()}}));
  if (answer.rows() == 0) return;
  Table table;
  table.id = "explain/lines:" + currency;
  table.title = fmt::format("Bill lines, and how much of each belongs here, {}", currency);
  table.columns = {text_column("line", "bill line"),
                   text_column("start", "charge from"),
                   text_column("end", "to"),
                   text_column("category", "category"),
                   text_column("service", "service"),
                   text_column("sku", "sku"),
                   text_column("resource", "resource"),
                   number_column("cost", "of it"),
                   number_column("line_cost", "the line"),
                   number_column("billed", "billed"),
                   number_column("effective", "effective"),
                   number_column("list", "list"),
                   text_column("file", "file")};
  Money cost;
  std::set<std::string> files;
  for (size_t row = 0; row < answer.rows(); ++row) {
    const std::string file =
        files_of(evidence.store.catalog(), answer.text(row, 1), answer.text(row, 2));
    files.insert(file);
    cost += money_at(answer, row, 9);
    table.rows.push_back(line_row(evidence, answer, row, file));
  }
  const int64_t lines = count_at(answer, 0, 17);
  const Money all = money_at(answer, 0, 18);
  add_sums(&table, kCostColumn, lines > kShownParts ? others_label(lines, kShownParts) : "",
           all - cost, all);
  if (!evidence.full) {
    keep_screen_columns(
        &table, {"end", "category", "service", "resource", "billed", "effective", "list", "file"});
    table.notes.push_back(fmt::format("these lines stand in {}", fmt::join(files, ", ")));
  }
  evidence.document.tables.push_back(std::move(table));
}

// The rates at which the lines of these postings were converted; nothing where none was.
void add_rate_table(const Evidence& evidence, const std::string& selection,
                    const std::string& currency) {
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_rates_sql(), {{"selection", selection}, {"shown", shown()}}));
  if (answer.rows() == 0) return;
  Table table;
  table.id = "explain/rates:" + currency;
  table.title = "Rates at which bill lines in other currencies were converted";
  table.columns = {text_column("rate", "rate"), number_column("lines", "lines", 0),
                   number_column("cost", "cost " + currency)};
  int64_t lines = 0;
  Money cost;
  for (size_t row = 0; row < answer.rows(); ++row) {
    const UsedRate rate{answer.text(row, 0), currency, answer.i64(row, 1), money_at(answer, row, 2),
                        answer.i64(row, 4) != 0};
    table.rows.push_back(
        {.key = key_of({rate.from, day_text(rate.day_ns)}),
         .cells = {rate_text(rate), count_at(answer, row, 5), money_at(answer, row, 6)}});
    lines += count_at(answer, row, 5);
    cost += money_at(answer, row, 6);
  }
  const int64_t rates = count_at(answer, 0, 8), all_lines = count_at(answer, 0, 9);
  const Money all = money_at(answer, 0, 10);
  if (rates > kShownParts) {
    table.rows.push_back(
        {.key = "others",
         .cells = {others_label(rates, kShownParts), all_lines - lines, all - cost}});
  }
  table.rows.push_back({.key = "total", .is_total = true, .cells = {"total", all_lines, all}});
  evidence.document.tables.push_back(std::move(table));
}

}  // namespace

std::string files_of(const store::Catalog& catalog, const std::string& source,
                     const std::string& period) {
  std::vector<std::string> files;
  for (const store::InputFile& input : catalog.inputs) {
    const bool has_period =
        input.periods.empty() ||
        std::find(input.periods.begin(), input.periods.end(), period) != input.periods.end();
    if (input.source == source && has_period) files.push_back(input.file);
  }
  if (files.size() > 3) return fmt::format("{} and {} more", files.front(), files.size() - 1);
  return fmt::format("{}", fmt::join(files, ", "));
}

void add_postings(const Evidence& evidence, const std::string& selection,
                  const std::string& currency) {
  add_account_table(evidence, selection, currency);
  add_hold_table(evidence, add_run_table(evidence, selection, currency), currency);
  add_line_table(evidence, selection, currency);
  add_rate_table(evidence, selection, currency);
}

void add_device_time(const Evidence& evidence, const std::string& selection,
                     const std::string& currency) {
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_states_sql(), {{"selection", selection}, {"shown", shown()}}));
  if (answer.rows() == 0) return;
  Table table;
  table.id = "explain/device-time:" + currency;
  table.title = "Billed device time, by account and state";
  table.columns = {text_column("account", "account"), text_column("state", "state"),
                   number_column("hours", "billed h", kHourDecimals),
                   number_column("cost", "cost " + currency)};
  int128 billed = 0;
  Money cost;
  for (size_t row = 0; row < answer.rows(); ++row) {
    table.rows.push_back({.key = key_of({answer.text(row, 0), answer.text(row, 1)}),
                          .cells = {answer.text(row, 0), answer.text(row, 1),
                                    time_value(sum_at(answer, row, 2)), money_at(answer, row, 3)}});
    billed += sum_at(answer, row, 2);
    cost += money_at(answer, row, 3);
  }
  const int64_t groups = count_at(answer, 0, 5);
  const int128 all_billed = sum_at(answer, 0, 6);
  const Money all_cost = money_at(answer, 0, 7);
  if (groups > kShownParts) {
    table.rows.push_back({.key = "others",
                          .cells = {others_label(groups, kShownParts), "",
                                    time_value(all_billed - billed), all_cost - cost}});
  }
  table.rows.push_back(
      {.key = "total", .is_total = true, .cells = {"total", "", time_value(all_billed), all_cost}});
  for (size_t index = 0; index < store::kStates; ++index) {
    const auto state = static_cast<store::State>(index);
    const bool used = std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
      const auto* text = std::get_if<std::string>(&row.cells[1]);
      return text != nullptr && *text == store::state_name(state);
    });
    if (used) {
      table.notes.push_back(
          fmt::format("{}: {}", store::state_name(state), store::state_sentence(state)));
    }
  }
  evidence.document.tables.push_back(std::move(table));
}

void add_idle(const Evidence& evidence, const Scope& scope, const Behind& behind) {
  const Cube cube = Cube::read(evidence.store.connection(), scope).in_currency(behind.currency);
  const bool any_model = behind.model.empty() || behind.model.front() == '(';
  Table table;
  table.id = "explain/idle:" + behind.currency;
  table.title = "Idle of each pool and month, spread by what was posted in it";
  table.columns = {text_column("pool", "pool"),
                   text_column("month", "month"),
                   text_column("model", "model"),
                   text_column("stage", "stage"),
                   number_column("idle", "the pool's idle"),
                   number_column("posted", "posted here"),
                   number_column("all_posted", "posted to all"),
                   number_column("share", "share " + behind.currency)};
  Money sum;
  for (const PoolIdle& pool : spread_idle(cube.now()).pools) {
    Money posted;
    for (const PoolIdle::Part& part : pool.parts) posted += part.weight;
    for (const PoolIdle::Part& part : pool.parts) {
      const bool model_matches = any_model || part.model == behind.model;
      const bool stage_matches =
          behind.stage.empty() || behind.stage == "-" || part.stage == behind.stage;
      if (!model_matches || !stage_matches) continue;
      const std::string month = to_text(Month{pool.month});
      table.rows.push_back({.key = key_of({month, pool.pool, part.model, part.stage}),
                            .cells = {pool.pool, month, part.model, part.stage, pool.idle,
                                      part.weight, posted, part.idle}});
      sum += part.idle;
    }
  }
  table.rows.push_back({.key = "total",
                        .is_total = true,
                        .cells = {"total", "", "", "", Unknown{}, Unknown{}, Unknown{}, sum}});
  evidence.document.tables.push_back(std::move(table));
}

void add_outcomes(const Evidence& evidence, const Months& months, const std::string& model,
                  const std::string& outcome) {
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_outcomes_sql(), {{"model", store::quote_text(model)},
                                              {"outcome", store::quote_text(outcome)},
                                              {"start_ns", std::to_string(months.span().start_ns)},
                                              {"end_ns", std::to_string(months.span().end_ns)}}));
  Table table;
  table.id = "explain/outcomes";
  table.title = fmt::format("Counts of {} of {}, by day", outcome, model);
  table.columns = {text_column("day", "day"), text_column("source", "source"),
                   number_column("count", "count", 0), number_column("low", "95 % low", 0),
                   number_column("high", "high", 0)};
  Money sum;
  for (size_t row = 0; row < answer.rows(); ++row) {
    const Money count = money_at(answer, row, 2);
    sum += count;
    table.rows.push_back({.key = key_of({day_text(answer.i64(row, 0)), answer.text(row, 1)}),
                          .cells = {day_text(answer.i64(row, 0)), answer.text(row, 1), count,
                                    known(optional_money_at(answer, row, 4)),
                                    known(optional_money_at(answer, row, 6))}});
  }
  table.rows.push_back(
      {.key = "total", .is_total = true, .cells = {"total", "", sum, Unknown{}, Unknown{}}});
  evidence.document.tables.push_back(std::move(table));
}

void add_retrains(const Evidence& evidence, const Months& months, const std::string& model) {
  constexpr int kShownRuns = 100;
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_retrains_sql(), {{"model", store::quote_text(model)},
                                              {"start_ns", std::to_string(months.span().start_ns)},
                                              {"end_ns", std::to_string(months.span().end_ns)},
                                              {"shown", std::to_string(kShownRuns)}}));
  Table table;
  table.id = "explain/retrains";
  table.title = fmt::format("Retrains of {}: finished top-level training runs that ended in {}",
                            model, months.text());
  table.columns = {text_column("run", "run"), text_column("start", "start"),
                   text_column("end", "end"), number_column("runs", "runs", 0)};
  for (size_t row = 0; row < answer.rows(); ++row) {
    table.rows.push_back({.key = key_part(answer.text(row, 0)),
                          .cells = {answer.text(row, 0), instant_at(answer, row, 1),
                                    instant_at(answer, row, 2), int64_t{1}}});
  }
  const int64_t all = answer.rows() == 0 ? 0 : count_at(answer, 0, 3);
  if (all > kShownRuns) {
    table.rows.push_back(
        {.key = "others", .cells = {others_label(all, kShownRuns), "", "", all - kShownRuns}});
  }
  table.rows.push_back({.key = "total", .is_total = true, .cells = {"total", "", "", all}});
  evidence.document.tables.push_back(std::move(table));
}

}  // namespace tare::measures
