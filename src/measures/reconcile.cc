// tare reconcile: three checks against the bill, never mixed up. (a) conservation: postings equal
// the lines, and every row of a file is accounted for; (b) invoices: the lines against what was
// issued; (c) covering sets: what a commitment cost against what it covered.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/errors.h"
#include "ledger/ledger.h"
#include "measures/groupings.h"
#include "measures/rates_used.h"
#include "measures/reconcile_parts.h"
#include "measures/scope.h"

namespace tare::measures {
namespace {

using store::InputFile;

constexpr std::string_view kConserved = "conserved";

std::string period_text(int64_t start_ns) { return to_text(month_of(start_ns)); }

// The four cost columns of one (source, issuer, invoice, billing period, currency).
struct Audited {
  const ledger::Conservation* billed = nullptr;
  std::vector<const ledger::Conservation*> broken;
};
using AuditKey = std::tuple<std::string, int64_t, std::string, std::string, std::string>;

std::map<AuditKey, Audited> by_invoice(const std::vector<ledger::Conservation>& audit,
                                       const std::optional<Months>& months) {
  std::map<AuditKey, Audited> groups;
  for (const ledger::Conservation& check : audit) {
    if (months && !months->span().contains(check.billing_period_start_ns)) continue;
    Audited& group = groups[{check.currency, check.billing_period_start_ns, check.issuer,
                             check.invoice_id, check.source}];
    if (check.cost_column.starts_with("billed")) group.billed = &check;
    if (!check.conserved()) group.broken.push_back(&check);
  }
  return groups;
}

std::string verdict_of(const Audited& group) {
  if (group.broken.empty()) return std::string(kConserved);
  std::vector<std::string> columns;
  for (const auto* check : group.broken) columns.push_back(check->cost_column);
  return fmt::format("NOT conserved: {}", fmt::join(columns, ", "));
}

bool is_rate_card(const Project& project, const std::string& source) {
  return std::any_of(project.sources.begin(), project.sources.end(), [&](const Source& of) {
    return of.kind == SourceKind::kRateCards && of.name == source;
  });
}

Row conservation_row(const Project& project, const AuditKey& key, const Audited& group) {
  const auto& [currency, start_ns, issuer, invoice_id, source] = key;
  const std::string invoice =
      is_rate_card(project, source) ? "rate card" : invoice_label(invoice_id);
  const ledger::Conservation none;
  const ledger::Conservation& billed = group.billed == nullptr ? none : *group.billed;
  return {
      .key = key_of({period_text(start_ns), invoice, issuer, source, currency}),
      .adds_up = false,
      .cells = {invoice, period_text(start_ns), source, currency, billed.line_count, billed.lines,
                billed.postings, billed.postings - billed.lines, verdict_of(group)}};
}

bool add_conservation(const Checks& checks, const std::vector<ledger::Conservation>& audit,
                      Document* document) {
  Table table;
  table.id = checks.id("conservation");
  table.title = "(a) Conservation: what was posted equals the bill, exactly";
  table.columns = {
      text_column("invoice", "invoice"),       text_column("period", "period"),
      text_column("source", "source"),         text_column("currency", "currency"),
      number_column("lines", "lines", 0),      number_column("billed", "billed"),
      number_column("posted", "posted"),       number_column("difference", "difference"),
      text_column("verdict", "all four costs")};
  bool conserved = true;
  for (const auto& [key, group] : by_invoice(audit, checks.months)) {
    conserved = conserved && group.broken.empty();
    table.rows.push_back(conservation_row(checks.project, key, group));
  }
  table.notes =
      conversion_notes(checks.store.connection(), checks.periods_sql(), checks.project.currency);
  document->tables.push_back(std::move(table));
  return conserved;
}

// A month is closed when somebody closed it, else open as long as the data end within it.
void add_periods(const Checks& checks, const std::vector<ledger::Conservation>& audit,
                 const Closings& closings, Document* document) {
  std::map<int64_t, int64_t> lines;  // by start
  for (const auto& [key, group] : by_invoice(audit, checks.months)) {
    lines[std::get<1>(key)] += group.billed == nullptr ? 0 : group.billed->line_count;
  }
  Table table;
  table.id = checks.id("periods");
  table.title = "Billing periods: open while the data end in them, then preliminary until closed";
  table.columns = {text_column("period", "period"), text_column("status", "status"),
                   text_column("closed_on", "closed on"), number_column("lines", "lines", 0)};
  for (const auto& [start_ns, count] : lines) {
    const Month month = month_of(start_ns);
    const ClosedMonth* closed = closed_by(closings.journal, month, "");
    const bool over = checks.store.catalog().horizon_ns >= span_of(month).end_ns;
    table.rows.push_back(
        {.key = to_text(month),
         .adds_up = false,
         .cells = {to_text(month),
                   closed != nullptr ? "closed"
                   : over            ? "preliminary"
                                     : "open",
                   closed != nullptr ? Value(closed->day) : Value(Unknown{}), count}});
  }
  document->tables.push_back(std::move(table));
}

bool is_accounted(const InputFile& input) {
  return input.rows_in == input.rows_used + input.rows_netted + input.rows_quarantined;
}

struct FilesVerdict {
  bool accounted = true;
  int64_t quarantined = 0;           // rows of the bill
  int64_t invoices_quarantined = 0;  // rows of issued totals
};

FilesVerdict add_files(const Checks& checks, Document* document) {
  Table table;
  table.id = checks.id("files");
  table.title = "(a) Files: every row was used, netted or quarantined";
  table.columns = {text_column("file", "file"),
                   text_column("source", "source"),
                   number_column("rows", "rows", 0),
                   number_column("used", "used", 0),
                   number_column("netted", "netted", 0),
                   number_column("quarantined", "quarantined", 0),
                   number_column("lines", "lines out", 0),
                   text_column("verdict", "verdict")};
  FilesVerdict verdict;
  for (const InputFile& input : checks.store.catalog().inputs) {
    const bool accounted = is_accounted(input);
    verdict.accounted = verdict.accounted && accounted;
    if (input.kind == "bill") verdict.quarantined += input.rows_quarantined;
    if (input.kind == "invoices") verdict.invoices_quarantined += input.rows_quarantined;
    table.rows.push_back({.key = key_of({input.source, input.file}),
                          .adds_up = false,
                          .cells = {input.file, input.source, input.rows_in, input.rows_used,
                                    input.rows_netted, input.rows_quarantined, input.lines_out,
                                    accounted ? "accounted" : "ROWS ARE MISSING"}});
  }
  document->tables.push_back(std::move(table));
  return verdict;
}

std::vector<std::pair<std::string, std::string>> reconcile_facts(const Checks& checks) {
  return {{"project", checks.project.name},
          {"billing_periods", checks.months ? checks.months->text() : "all"},
          {"currency", checks.project.currency}};
}

}  // namespace

std::string Checks::id(std::string_view name) const {
  return months ? fmt::format("{}/reconcile/{}", months->text(), name)
                : fmt::format("reconcile/{}", name);
}

std::string Checks::periods_sql() const {
  if (!months) return "true";
  return fmt::format("billing_period_start_ns >= {} AND billing_period_start_ns < {}",
                     months->span().start_ns, months->span().end_ns);
}

Reconciliation reconcile(store::Store& store, const Project& project, const Question& question,
                         bool verify, const Closings& closings) {
  Checks checks{.store = store, .project = project, .months = std::nullopt};
  if (question.period) checks.months = make_scope(store, project, question).months;
  Reconciliation answer;
  Document& document = answer.document;
  document.command = "reconcile";
  document.facts = reconcile_facts(checks);
  if (!closings.as_of.empty()) {
    document.facts.emplace_back("as_of", closings.as_of);
    add_closed_months(checks, {}, closings, &document);
    if (!document.tables.empty()) return answer;
    throw UserError("period-not-closed",
                    "no month that was asked for was closed by " + closings.as_of,
                    "'tare close MONTH' notes what a month comes to");
  }
  const std::vector<ledger::Conservation> audit =
      verify ? ledger::audit(store.connection()) : ledger::audit_summaries(store.connection());
  if (checks.months && by_invoice(audit, checks.months).empty()) {
    throw UserError("period-without-bill", "the bill has nothing in " + checks.months->text(),
                    "without --month, tare reconcile shows all billing periods");
  }
  const bool conserved = add_conservation(checks, audit, &document);
  if (!conserved) add_unbalanced_lines(checks, &document);
  add_periods(checks, audit, closings, &document);
  add_closed_months(checks, audit, closings, &document);
  const FilesVerdict files = add_files(checks, &document);
  const bool invoiced = add_invoices(checks, &document);
  if (files.quarantined > 0) add_quarantined(checks, &document);
  add_commitments(checks, &document);
  std::vector<std::string> failures;
  if (!conserved) failures.emplace_back("postings differ from the bill");
  const int64_t unlike = verify ? ledger::count_false_conversions(store.connection()) : 0;
  if (unlike > 0) {
    failures.push_back(fmt::format("{} converted lines are not the bill's at their rates", unlike));
  }
  if (!files.accounted) failures.emplace_back("rows of a file are unaccounted for");
  if (!invoiced) failures.emplace_back("an invoice is out of tolerance");
  if (files.quarantined > 0) {
    failures.push_back(fmt::format("{} rows of the bill are quarantined", files.quarantined));
  }
  if (files.invoices_quarantined > 0) {
    failures.push_back(fmt::format("{} issued totals are quarantined", files.invoices_quarantined));
  }
  answer.reconciled = failures.empty();
  document.notes.push_back(answer.reconciled
                               ? "reconciled"
                               : fmt::format("NOT reconciled: {}", fmt::join(failures, "; ")));
  if (files.quarantined + files.invoices_quarantined > 0) document.next_step = "tare findings";
  return answer;
}

}  // namespace tare::measures
