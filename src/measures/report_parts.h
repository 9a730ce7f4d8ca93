// The tables of the monthly page. Each is made from one currency's part of the cube.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/ledger.h"
#include "measures/cube.h"
#include "measures/exact.h"
#include "measures/idle.h"
#include "measures/outcomes.h"
#include "measures/traced.h"

namespace tare::measures {

// What the tables of one currency share.
struct Page {
  store::Store& store;
  const Project& project;
  const Scope& scope;
  std::string currency;
  Cube cube;                // of this currency
  Money bill, bill_before;  // all of it
  ModelSums models, models_before;
  const std::vector<ledger::Conservation>& audit;  // of all currencies
  IdleSpread idle, idle_before;
  OutcomeCounts outcomes, outcomes_before;
  std::map<std::string, int64_t> retrains, retrains_before;

  std::string id(std::string_view name) const { return table_id(scope, project, name, currency); }
  std::string money_heading(std::string_view what) const {
    return std::string(what) + " " + currency;
  }
  Rational min_coverage() const { return rational_of_decimal(project.policy.min_coverage); }
  Rational flat_ratio() const { return rational_of_decimal(project.policy.flat_ratio); }
  std::string currency_sql() const { return "currency = " + store::quote_text(currency); }
  // The postings of this currency for which all of `conditions` hold.
  Behind behind(std::vector<std::string> conditions) const;
  Behind behind_states(std::vector<std::string> conditions) const;
};

// (model, stage) of all postings to models now or before, the costlier model first, then the
// costlier stage.
struct ModelStages {
  std::string model;
  Money cost, cost_before;
  struct Stage {
    std::string stage;
    Money cost, cost_before;
  };
  std::vector<Stage> stages;
};
std::vector<ModelStages> model_stages(const Page& page);

// The kinds of accounts as the page tells them apart: by the first part of the account's name, but
// models that no rule names are a kind of their own.
struct AccountKind {
  std::string_view name;
  std::string_view label;
};
std::span<const AccountKind> account_kinds();
bool is_of(const Cell& cell, std::string_view kind);
std::vector<std::string> kind_sql(std::string_view kind);

// A page that people read leaves out what has a table of its own elsewhere; `full` leaves out
// nothing.
TracedTable bill_table(const Page& page);
TracedTable accounts_table(const Page& page);
TracedTable rates_table(const Page& page, bool full);
TracedTable models_table(const Page& page, bool full);
TracedTable unit_costs_table(const Page& page);
TracedTable outcomes_table(const Page& page);
TracedTable utilisation_table(const Page& page);
TracedTable states_table(const Page& page);
TracedTable identities_table(const Page& page);
TracedTable run_identities_table(const Page& page);
TracedTable top_findings_table(const Page& page);

}  // namespace tare::measures
