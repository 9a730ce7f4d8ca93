// tare explain: from a figure, an account, a run, a model or a bill line back to postings, rules,
// runs and bill rows.
#include <algorithm>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "base/errors.h"
#include "measures/evidence.h"
#include "measures/explain_figure.h"
#include "measures/groupings.h"
#include "measures/rates_used.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

constexpr size_t kHexDigits = 32;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// A bill line's id as the views print it, with its dashes, or "" where the text is none.
std::string line_id_of(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (c != '-') digits += c;
  }
  if (digits.size() != kHexDigits || !std::all_of(digits.begin(), digits.end(), is_hex)) return "";
  return fmt::format("{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4),
                     digits.substr(12, 4), digits.substr(16, 4), digits.substr(20));
}

Row fact_row(std::string key, std::string value) {
  return {.key = key, .adds_up = false, .cells = {key, std::move(value)}};
}

std::string optional_text(const store::Result& answer, size_t column) {
  return answer.is_null(0, column) ? "unknown" : to_text(money_at(answer, 0, column));
}

// What the line was converted to and at which rate, where it was.
void add_conversion(const store::Result& answer, Table* table) {
  if (answer.is_null(0, 23)) return;
  const UsedRate rate{answer.text(0, 8), answer.text(0, 22), answer.i64(0, 23),
                      money_at(answer, 0, 24), answer.i64(0, 26) != 0};
  table->rows.push_back(fact_row("rate", rate_text(rate)));
  size_t column = 27;
  for (const char* cost : {"billed", "effective", "list", "contracted"}) {
    table->rows.push_back(fact_row(fmt::format("{}_converted", cost),
                                   fmt::format("{} {}", optional_text(answer, column), rate.to)));
    column += 2;
  }
}

bool add_line(const Evidence& evidence, const std::string& line) {
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::explain_line_sql(), {{"line", store::quote_text(line)}}));
  if (answer.rows() == 0) return false;
  Table table;
  table.id = "explain/line";
  table.title = "Bill line " + line;
  table.columns = {text_column("what", ""), text_column("is", "")};
  const std::string currency = answer.text(0, 8);
  const std::string files =
      files_of(evidence.store.catalog(), answer.text(0, 0), answer.text(0, 1));
  table.rows = {
      fact_row("source", answer.text(0, 0)),
      fact_row("file", files),
      fact_row("billing_period", answer.text(0, 1)),
      fact_row("charge_period",
               fmt::format("{} to {}", to_text(answer.i64(0, 2)), to_text(answer.i64(0, 3)))),
      fact_row("category", answer.text(0, 4)),
      fact_row("service", answer.text(0, 5)),
      fact_row("resource", answer.text(0, 6)),
      fact_row("sku", answer.text(0, 7)),
      fact_row("invoice", answer.text(0, 9)),
      fact_row("tags", answer.text(0, 10)),
      fact_row("consumed", fmt::format("{} {}", optional_text(answer, 19), answer.text(0, 21))),
      fact_row("billed", fmt::format("{} {}", optional_text(answer, 11), currency)),
      fact_row("effective", fmt::format("{} {}", optional_text(answer, 13), currency)),
      fact_row("list", fmt::format("{} {}", optional_text(answer, 15), currency)),
      fact_row("contracted", fmt::format("{} {}", optional_text(answer, 17), currency))};
  add_conversion(answer, &table);
  // Of a line by a rate card: the card, and each part of the price.
  const std::string further = answer.text(0, 35);
  if (further.find("\"x_rate_card\"") != std::string::npos)
    table.rows.push_back(fact_row("rate_card", further));
  evidence.document.tables.push_back(std::move(table));
  return true;
}

std::vector<std::string> kinds_of(store::Store& store, const std::string& subject) {
  const store::Result answer = store.connection().query(
      fill(embedded::explain_subject_sql(), {{"subject", store::quote_text(subject)}}));
  std::vector<std::string> kinds;
  for (size_t row = 0; row < answer.rows(); ++row) kinds.push_back(answer.text(row, 0));
  return kinds;
}

std::string subject_sql(const std::string& kind, const std::string& subject) {
  const std::string quoted = store::quote_text(subject);
  if (kind == "account") return "account = " + quoted;
  if (kind == "run") return "run_id = " + quoted;
  return fmt::format("kind = 'model' AND model = {}", quoted);
}

std::vector<std::string> currencies_of(const Evidence& evidence, const std::string& selection) {
  const store::Result answer = evidence.store.connection().query(
      fill(embedded::selection_currencies_sql(), {{"selection", selection}}));
  std::vector<std::string> found;
  for (size_t row = 0; row < answer.rows(); ++row) found.push_back(answer.text(row, 0));
  return currency_order(evidence.project, found);
}

[[noreturn]] void fail_unknown(store::Store& store, const std::string& subject) {
  const store::Result answer = store.connection().query(embedded::explain_names_sql());
  std::vector<std::string> names;
  for (size_t row = 0; row < answer.rows(); ++row) names.push_back(answer.text(row, 0));
  const std::string near = nearest_word_in(subject, names);
  throw UserError("figure-unknown",
                  fmt::format("'{}' is no figure, account, run, model or bill line", subject),
                  near.empty() ? "tare report --ids shows the ids of its figures"
                               : fmt::format("did you mean '{}'?", near));
}

void explain_name(const Evidence& evidence, const Scope& scope, const Question& question,
                  const std::string& subject) {
  const std::vector<std::string> kinds = kinds_of(evidence.store, subject);
  if (kinds.empty()) fail_unknown(evidence.store, subject);
  const std::string& kind = kinds.front();
  evidence.document.facts.emplace_back(kind, subject);
  if (kinds.size() > 1) {
    evidence.document.notes.push_back(
        fmt::format("'{}' is also the name of a {}", subject, kinds.back()));
  }
  // Every posting of an account, run or model, in whatever month, unless a period is asked for.
  const std::string of_subject = subject_sql(kind, subject);
  const std::string postings =
      all_of({of_subject, question.period ? scope.day_months_sql() : "true"});
  const std::string states =
      all_of({of_subject, question.period ? scope.state_months_sql() : "true"});
  const std::vector<std::string> currencies = currencies_of(evidence, postings);
  for (const std::string& currency : currencies) {
    const std::string own = "currency = " + store::quote_text(currency);
    add_postings(evidence, all_of({postings, own}), currency);
    add_device_time(evidence, all_of({states, own}), currency);
  }
  if (currencies.empty()) {
    evidence.document.notes.push_back(fmt::format("no bill line was posted to '{}'", subject));
  }
}

}  // namespace

Document explain(store::Store& store, const Project& project, const Question& question,
                 const std::string& subject) {
  Document document;
  document.command = "explain";
  if (looks_like_figure(subject)) {
    explain_figure(store, project, question, subject, &document);
    return document;
  }
  const Scope scope = make_scope(store, project, question);
  document.facts = {{"project", project.name}, {"basis", std::string(to_text(scope.basis))}};
  const Evidence evidence{.store = store,
                          .project = project,
                          .document = document,
                          .basis = scope.basis,
                          .full = question.full};
  const std::string line = line_id_of(subject);
  if (!line.empty() && add_line(evidence, line)) {
    document.facts.emplace_back("bill_line", line);
    const std::string of_line = fmt::format("line = CAST({} AS UUID)", store::quote_text(line));
    for (const std::string& currency : currencies_of(evidence, of_line)) {
      add_postings(evidence, of_line, currency);
    }
    return document;
  }
  explain_name(evidence, scope, question, subject);
  return document;
}

}  // namespace tare::measures
