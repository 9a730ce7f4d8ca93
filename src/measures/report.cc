// The monthly page: bill, accounts, models by stage, what the money bought, what the device time
// was, and what was wrong in the data; a set of tables a currency.
#include "measures/report.h"

#include <algorithm>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "measures/report_parts.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

std::string source_basis_note(const Scope& scope) {
  std::vector<std::string> sources;
  for (const auto& [source, basis] : scope.source_bases) {
    sources.push_back(fmt::format("{} ({})", source, to_text(basis)));
  }
  if (sources.empty()) return "";
  return fmt::format("sources with a cost basis of their own in tare.yaml: {}",
                     fmt::join(sources, ", "));
}

std::string preliminary_note(const Page& page) {
  const bool preliminary = std::any_of(page.outcomes.begin(), page.outcomes.end(),
                                       [](const auto& entry) { return entry.second.preliminary; });
  if (!preliminary) return "";
  return fmt::format("preliminary: labels of {} are younger than {} days, and trends leave it out",
                     page.scope.months.text(), page.project.policy.maturity_days);
}

struct Parts {
  bool full = false, runs = false, findings = false;
};

void add_tables(const Page& page, Parts parts, TracedDocument* report) {
  const bool full = parts.full;
  report->tables.push_back(bill_table(page));
  report->tables.push_back(rates_table(page, full));
  if (full) report->tables.push_back(accounts_table(page));
  report->tables.push_back(models_table(page, full));
  report->tables.push_back(unit_costs_table(page));
  if (full) report->tables.push_back(outcomes_table(page));
  report->tables.push_back(utilisation_table(page));
  report->tables.push_back(states_table(page));
  if (full) report->tables.push_back(identities_table(page));
  if (full && parts.runs) report->tables.push_back(run_identities_table(page));
  if (parts.findings) report->tables.push_back(top_findings_table(page));
}

bool is_empty(const TracedTable& traced) { return traced.table.rows.empty(); }

}  // namespace

std::string no_lines_note(store::Store& store, const Project& project, const Scope& scope) {
  const Scope newest = make_scope(
      store, project,
      {.period = {}, .basis = scope.basis, .by = {}, .where = {}, .sort = "", .limit = 0});
  return fmt::format("no bill line begins in {}; the newest month with lines is {}",
                     scope.months.text(), newest.months.text());
}

std::vector<std::string> scope_notes(store::Store& store, const Scope& scope,
                                     const std::vector<std::string>& currencies) {
  std::vector<std::string> notes;
  const store::Result missing = store.connection().query(
      fill(embedded::missing_sql(), {{"months", scope.state_months_sql()}}));
  for (size_t row = 0; row < missing.rows(); ++row) {
    const Money amount = money_at(missing, row, 1);
    if (amount.is_zero()) continue;
    notes.push_back(fmt::format(
        "{} {} of the {} cost is unknown in the bill and stands in as billed",
        to_text_rounded(amount, 2), missing.text_or_empty(row, 0), to_text(scope.basis)));
  }
  const store::Result cards = store.connection().query(
      fill(embedded::rate_card_sql(), {{"first_month", std::to_string(scope.months.first.index)},
                                       {"last_month", std::to_string(scope.months.last.index)}}));
  for (size_t row = 0; row < cards.rows(); ++row) {
    notes.push_back(fmt::format("{} {} is by rate card, not billed: {} machine days",
                                to_text_rounded(money_at(cards, row, 2), 2), cards.text(row, 0),
                                count_at(cards, row, 1)));
  }
  for (std::string note : {other_currencies_note(currencies), source_basis_note(scope)}) {
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

TracedDocument traced_report(store::Store& store, const Project& project, const Question& question,
                             bool runs) {
  const Scope scope = make_scope(store, project, question);
  const Cube cube = Cube::read(store.connection(), scope);
  const std::vector<std::string> currencies = currency_order(project, cube.currencies());
  TracedDocument report;
  report.document.command = "report";
  report.document.facts = facts(store, project, scope);
  if (currencies.empty()) report.note(no_lines_note(store, project, scope));
  const std::vector<ledger::Conservation> audit = ledger::audit_summaries(store.connection());
  const Span now = scope.months.span();
  const Span before = scope.months.before().span();
  store::Connection& connection = store.connection();
  const auto everything = [](const Cell&) { return true; };
  for (const std::string& currency : currencies) {
    const Cube own = cube.in_currency(currency);
    const Page page{.store = store,
                    .project = project,
                    .scope = scope,
                    .currency = currency,
                    .cube = own,
                    .bill = sum_cost(own.now(), everything),
                    .bill_before = sum_cost(own.before(), everything),
                    .models = sum_models(own.now()),
                    .models_before = sum_models(own.before()),
                    .audit = audit,
                    .idle = spread_idle(own.now()),
                    .idle_before = spread_idle(own.before()),
                    .outcomes = read_outcomes(connection, project, scope.horizon_ns, now),
                    .outcomes_before = read_outcomes(connection, project, scope.horizon_ns, before),
                    .retrains = read_retrains(connection, scope.months),
                    .retrains_before = read_retrains(connection, scope.months.before())};
    const bool first = currency == currencies.front();
    add_tables(page, {.full = question.full, .runs = runs, .findings = first}, &report);
    if (first) report.note(preliminary_note(page));
  }
  for (std::string& note : scope_notes(store, scope, currencies)) report.note(std::move(note));
  std::erase_if(report.tables, is_empty);
  report.document.next_step = fmt::format("tare waste --month {}", scope.months.text());
  return report;
}

Document report(store::Store& store, const Project& project, const Question& question) {
  return traced_report(store, project, question, true).finish();
}

}  // namespace tare::measures
