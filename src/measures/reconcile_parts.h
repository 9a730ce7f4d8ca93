// The checks of `tare reconcile` beyond conservation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "measures/measures.h"
#include "measures/scope.h"
#include "measures/traced.h"

namespace tare::measures {

struct Checks {
  store::Store& store;
  const Project& project;
  std::optional<Months> months;  // of billing periods; empty: all that are loaded

  std::string id(std::string_view name) const;
  std::string periods_sql() const;  // over billing_period_start_ns
};

// Lines whose postings differ from them: only asked for when the audit has failed.
void add_unbalanced_lines(const Checks& checks, Document* document);

// Issued totals against lines; false where one is out of tolerance.
bool add_invoices(const Checks& checks, Document* document);

// Rows of the bill that are in no total, with their readable money.
void add_quarantined(const Checks& checks, Document* document);

// Each commitment with what it covered; nothing where there is none.
void add_commitments(const Checks& checks, Document* document);

// The closed months, with what was corrected since; nothing where none is closed.
void add_closed_months(const Checks& checks, const std::vector<ledger::Conservation>& audit,
                       const Closings& closings, Document* document);

}  // namespace tare::measures
