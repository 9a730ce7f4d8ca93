// tare findings: what was wrong in the data, by money; and the report's shortest form of it.
#include "embedded/measures.h"
#include <fmt/format.h>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "measures/finding_sums.h"
#include "measures/groupings.h"
#include "measures/report_parts.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

constexpr size_t kTopFindings = 3;

Value cost_value(const FindingSum& finding, const std::string& currency) {
  const auto found = finding.cost.find(currency);
  if (found == finding.cost.end()) return Unknown{};
  return found->second;
}

std::string severity_of(const FindingSum& finding) {
  const FindingKind* kind = known_kind(finding.code);
  return kind == nullptr ? "" : std::string(to_text(kind->severity));
}

std::string title_of(const FindingSum& finding) {
  const FindingKind* kind = known_kind(finding.code);
  return kind == nullptr ? "" : std::string(kind->title);
}

Table kinds_table(store::Store& store, const Project& project) {
  Table table;
  table.id = "findings";
  table.title = "What was wrong in the data";
  table.columns = {
      text_column("code", "code"),         text_column("severity", "severity"),
      number_column("rows", "rows", 0),    number_column("cost", "touches " + project.currency),
      text_column("other", "other money"), text_column("title", "what is wrong")};
  for (const FindingSum& finding : read_findings(store, project.currency, "")) {
    Row row{.key = key_part(finding.code), .adds_up = false};
    row.cells = {finding.code,
                 severity_of(finding),
                 finding.rows,
                 cost_value(finding, project.currency),
                 other_money(finding, project.currency),
                 title_of(finding)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table subjects_table(const std::vector<FindingSum>& found, const Project& project,
                     const std::string& code) {
  Table table;
  table.id = "findings/" + code;
  table.title = code;
  table.columns = {text_column("subject", "subject"), text_column("source", "source"),
                   number_column("rows", "rows", 0),
                   number_column("cost", "touches " + project.currency),
                   text_column("other", "other money")};
  for (const FindingSum& finding : found) {
    Row row{.key = key_of({finding.source, finding.subject}), .adds_up = false};
    row.cells = {finding.subject.empty() ? "-" : finding.subject, finding.source, finding.rows,
                 cost_value(finding, project.currency), other_money(finding, project.currency)};
    table.rows.push_back(std::move(row));
  }
  if (const FindingKind* kind = known_kind(code)) {
    table.title = fmt::format("{}: {}", code, kind->title);
    table.notes.push_back("what to do: " + std::string(kind->hint));
  }
  return table;
}

Table examples_table(store::Store& store, const std::string& code) {
  Table table;
  table.id = "findings/" + code + "/rows";
  table.title = "Rows of " + code;
  table.columns = {text_column("place", "place"), text_column("source", "source"),
                   text_column("subject", "subject"), number_column("cost", "cost"),
                   text_column("text", "the row's own text")};
  const store::Result answer = store.connection().query(
      fill(embedded::finding_examples_sql(), {{"code", store::quote_text(code)}}));
  for (size_t row = 0; row < answer.rows(); ++row) {
    const DecimalResult cost = parse_decimal(answer.text(row, 4));
    table.rows.push_back(
        {.key = std::to_string(row + 1),
         .adds_up = false,
         .cells = {answer.text(row, 2), answer.text(row, 0), answer.text(row, 1),
                   cost.ok() ? Value(cost.value) : Value(Unknown{}), answer.text(row, 3)}});
  }
  if (answer.rows() >= Findings::kMaxExamples) {
    table.notes.push_back(
        fmt::format("at most {} examples of each subject are kept", Findings::kMaxExamples));
  }
  return table;
}

void check_code(const std::string& code, bool found) {
  if (found || known_kind(code) != nullptr) return;
  std::vector<std::string> codes;
  for (const FindingKind& kind : finding_kinds()) codes.emplace_back(kind.code);
  const std::string near = nearest_word_in(code, codes);
  throw UserError("finding-unknown", fmt::format("there is no finding '{}'", code),
                  near.empty() ? "tare findings lists those of this store"
                               : fmt::format("did you mean '{}'?", near));
}

}  // namespace

TracedTable top_findings_table(const Page& page) {
  TracedTable traced{.kind = "findings", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("findings");
  table.title = "What was wrong in the data, by money (tare findings)";
  table.columns = {text_column("code", "finding"), number_column("rows", "rows", 0),
                   number_column("cost", page.money_heading("touches"))};
  const std::vector<FindingSum> found = read_findings(page.store, page.currency, "");
  FindingSum others;
  for (size_t i = 0; i < found.size(); ++i) {
    if (i >= kTopFindings) {
      others.rows += found[i].rows;
      continue;
    }
    traced.add({.key = key_part(found[i].code),
                .adds_up = false,
                .cells = {found[i].code, found[i].rows, cost_value(found[i], page.currency)}},
               {});
  }
  if (found.size() > kTopFindings) {
    traced.add(
        {.key = "others",
         .adds_up = false,
         .cells = {fmt::format("{} others", found.size() - kTopFindings), others.rows, Unknown{}}},
        {});
  }
  return traced;
}

Document findings(store::Store& store, const Project& project, const std::string& code, bool rows) {
  Document document{.command = "findings",
                    .facts = {{"project", project.name}},
                    .tables = {},
                    .notes = {},
                    .next_step = ""};
  if (code.empty()) {
    document.tables.push_back(kinds_table(store, project));
    const std::vector<Row>& kinds = document.tables.front().rows;
    if (kinds.empty()) document.notes.emplace_back("nothing was wrong in the data");
    if (!kinds.empty() && !rows) document.next_step = "tare findings CODE --rows";
    if (rows) {
      for (const FindingSum& finding : read_findings(store, project.currency, "")) {
        document.tables.push_back(examples_table(store, finding.code));
      }
    }
    return document;
  }
  const std::vector<FindingSum> found = read_findings(store, project.currency, code);
  check_code(code, !found.empty());
  document.tables.push_back(subjects_table(found, project, code));
  if (found.empty()) document.notes.emplace_back("this store has no such finding");
  if (rows) document.tables.push_back(examples_table(store, code));
  return document;
}

}  // namespace tare::measures
