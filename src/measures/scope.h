// A question made definite: which usage months, on which cost basis; and the relations that SQL of
// this folder reads.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measures/measures.h"

namespace tare::measures {

struct Months {
  Month first, last;  // both included
  Span span() const;
  int32_t count() const { return last.index - first.index + 1; }
  Months before() const;     // as many months, just before
  std::string text() const;  // "2026-08", "2026-06..2026-08"
  bool contains(int32_t month) const { return first.index <= month && month <= last.index; }
};

struct Scope {
  Months months;
  CostBasis basis = CostBasis::kEffective;
  // Sources with a basis of their own in tare.yaml; none where the question names another basis
  // than the project's.
  std::map<std::string, CostBasis> source_bases;
  // The front of every table id: "2026-08", and "2026-08@list" where the basis is not the
  // project's.
  std::string prefix;
  int64_t horizon_ns = 0;

  // Which rows of measure_state, and which of measure_day and measure_posting, are in the months.
  std::string state_months_sql() const;
  std::string day_months_sql() const;
  std::string day_months_sql(const Months& of) const;
};

CostBasis default_basis(const Project& project);

// The newest usage month with lines where the question names none. Throws UserError no-lines,
// period-not-months. Creates the relations measure_account, measure_state, measure_day and
// measure_posting on the store's connection.
Scope make_scope(store::Store& store, const Project& project, const Question& question);

// "2026-08/models", "2026-08/models:EUR" for another currency than the project's.
// SQL over relations with a `source`: what a rate card says, and no bill.
std::string rate_card_sources_sql(const Project& project);

std::string table_id(const Scope& scope, const Project& project, std::string_view name,
                     std::string_view currency);

// The facts that stand above every answer.
std::vector<std::pair<std::string, std::string>> facts(store::Store& store, const Project& project,
                                                       const Scope& scope);

// The currencies in order: the project's first, then the others by name.
std::vector<std::string> currency_order(const Project& project, std::vector<std::string> found);

// A note that names the other currencies, or "" where there is only one.
std::string other_currencies_note(const std::vector<std::string>& ordered);

}  // namespace tare::measures
