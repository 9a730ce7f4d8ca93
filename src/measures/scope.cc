#include "measures/scope.h"

#include <algorithm>
#include <initializer_list>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "base/errors.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

// Whether a trustworthy sign saw the device work: lost time may have been busy or not.
std::string busy_sql() {
  std::vector<int> busy;
  for (size_t index = 0; index < store::kStates; ++index) {
    const auto state = static_cast<store::State>(index);
    if (store::is_busy(state) && state != store::State::kLost)
      busy.push_back(static_cast<int>(index));
  }
  return fmt::format("(entry.state IN ({}) OR (entry.state = {} AND entry.busy_known))",
                     fmt::join(busy, ", "), static_cast<int>(store::State::kLost));
}

// Half a pair ("units" or "atto") of a cost.
using HalfOf = std::string (*)(CostBasis basis, std::string_view half);

// A sum on a basis, with its fallback to billed where the basis's own cost is unknown.
std::string summed(CostBasis basis, std::string_view half) {
  if (basis == CostBasis::kBilled) return fmt::format("entry.billed_{}", half);
  return fmt::format("entry.{0}_{1} + entry.{0}_missing_{1}", to_text(basis), half);
}

// The part of such a sum that is a fallback.
std::string fallen_back(CostBasis basis, std::string_view half) {
  if (basis == CostBasis::kBilled) return "CAST(0 AS BIGINT)";
  return fmt::format("entry.{}_missing_{}", to_text(basis), half);
}

// The same of one posting, whose costs are null where unknown.
std::string single(CostBasis basis, std::string_view half) {
  return fmt::format("coalesce(entry.{}_{}, entry.billed_{})", to_text(basis), half, half);
}

std::string by_source(const Scope& scope, HalfOf half_of, std::string_view half) {
  std::string whole = half_of(scope.basis, half);
  if (scope.source_bases.empty()) return whole;
  std::string sql = "CASE entry.source";
  for (const auto& [source, basis] : scope.source_bases) {
    sql += fmt::format(" WHEN {} THEN {}", store::quote_text(source), half_of(basis, half));
  }
  return fmt::format("{} ELSE {} END", sql, whole);
}

Blanks all_of_them(std::initializer_list<Blanks> lists) {
  Blanks all;
  for (const Blanks& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

void create_relations(store::Connection& connection, const Scope& scope) {
  connection.query(embedded::account_words_sql());
  connection.query(embedded::bill_relation_sql());
  const Blanks costs = {{"cost_units", by_source(scope, summed, "units")},
                        {"cost_atto", by_source(scope, summed, "atto")}};
  const Blanks missing = {{"missing_units", by_source(scope, fallen_back, "units")},
                          {"missing_atto", by_source(scope, fallen_back, "atto")}};
  const Blanks busy = {{"busy", busy_sql()}};
  connection.query(fill(embedded::month_relation_sql(), all_of_them({costs, missing, busy})));
  connection.query(fill(embedded::state_relation_sql(), all_of_them({costs, busy})));
  connection.query(fill(embedded::day_relation_sql(), all_of_them({costs, missing})));
  connection.query(
      fill(embedded::posting_relation_sql(), {{"cost_units", by_source(scope, single, "units")},
                                              {"cost_atto", by_source(scope, single, "atto")}}));
}

Months newest_month(store::Connection& connection) {
  const store::Result newest = connection.query(embedded::last_month_sql());
  if (newest.rows() == 0 || newest.is_null(0, 0)) {
    throw UserError("no-lines", "the store has no bill line that could be read",
                    "name a bill under sources: in tare.yaml, then tare load");
  }
  const Month month{static_cast<int32_t>(newest.i64(0, 0))};
  return {month, month};
}

Months months_of(Span period) {
  const Months months{month_of(period.start_ns), month_of(period.end_ns - 1)};
  if (period.empty() || months.span() != period) {
    throw UserError("period-not-months",
                    fmt::format("the period from {} to {} is not made of whole months",
                                day_text(period.start_ns), day_text(period.end_ns)),
                    "money is kept by UTC month: begin and end on the first of a month");
  }
  return months;
}

}  // namespace

Span Months::span() const { return {span_of(first).start_ns, span_of(last).end_ns}; }

Months Months::before() const { return {Month{first.index - count()}, Month{first.index - 1}}; }

std::string Months::text() const {
  return first == last ? to_text(first) : to_text(first) + ".." + to_text(last);
}

std::string Scope::state_months_sql() const {
  return fmt::format("month BETWEEN {} AND {}", months.first.index, months.last.index);
}

std::string Scope::day_months_sql() const { return day_months_sql(months); }

std::string Scope::day_months_sql(const Months& of) const {
  return fmt::format("at_ns >= {} AND at_ns < {}", of.span().start_ns, of.span().end_ns);
}

CostBasis default_basis(const Project& project) {
  return project.basis.value_or(CostBasis::kEffective);
}

Scope make_scope(store::Store& store, const Project& project, const Question& question) {
  Scope scope;
  scope.basis = question.basis;
  if (question.basis == default_basis(project)) {
    for (const Source& source : project.sources) {
      const bool differs = source.basis && *source.basis != scope.basis;
      if (source.kind == SourceKind::kBill && differs)
        scope.source_bases[source.name] = *source.basis;
    }
  }
  create_relations(store.connection(), scope);
  scope.months = question.period ? months_of(*question.period) : newest_month(store.connection());
  scope.prefix = scope.months.text();
  if (question.basis != default_basis(project))
    scope.prefix += fmt::format("@{}", to_text(scope.basis));
  scope.horizon_ns = store.catalog().horizon_ns;
  return scope;
}

std::string rate_card_sources_sql(const Project& project) {
  std::vector<std::string> names;
  for (const Source& source : project.sources) {
    if (source.kind == SourceKind::kRateCards) names.push_back(store::quote_text(source.name));
  }
  return names.empty() ? "false" : fmt::format("source IN ({})", fmt::join(names, ", "));
}

std::string table_id(const Scope& scope, const Project& project, std::string_view name,
                     std::string_view currency) {
  if (currency == project.currency) return fmt::format("{}/{}", scope.prefix, name);
  return fmt::format("{}/{}:{}", scope.prefix, name, currency);
}

std::vector<std::pair<std::string, std::string>> facts(store::Store& store, const Project& project,
                                                       const Scope& scope) {
  return {{"project", project.name},
          {"period", scope.months.text()},
          {"basis", std::string(to_text(scope.basis))},
          {"currency", project.currency},
          {"data_until", scope.horizon_ns == 0 ? "" : to_text(scope.horizon_ns)},
          {"policy", store.catalog().policy_hash.substr(0, 12)}};
}

std::vector<std::string> currency_order(const Project& project, std::vector<std::string> found) {
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::stable_partition(found.begin(), found.end(),
                        [&](const std::string& currency) { return currency == project.currency; });
  return found;
}

std::string other_currencies_note(const std::vector<std::string>& ordered) {
  if (ordered.size() < 2) return "";
  const std::vector<std::string> others(ordered.begin() + 1, ordered.end());
  return fmt::format("currencies are never added up: {} {} in tables of {} own",
                     fmt::join(others, ", "), others.size() == 1 ? "stands" : "stand",
                     others.size() == 1 ? "its" : "their");
}

}  // namespace tare::measures
