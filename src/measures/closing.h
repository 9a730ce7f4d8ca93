// Closed months: what a billing period came to on the day when somebody closed it, and what has
// been corrected since. The records stand in the project's journal; here they are values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/instant.h"
#include "base/money.h"
#include "ledger/ledger.h"
#include "store/store.h"

namespace tare::measures {

struct ClosedTotal {
  std::string source, issuer, invoice_id, currency;
  int64_t lines = 0;
  // "billed_cost" and so on; of a cost that no line knows there is none.
  std::map<std::string, Money> costs;

  std::optional<Money> cost(const std::string& column) const;  // empty where no line knows it
  auto key() const { return std::tie(source, issuer, invoice_id, currency); }
  bool operator==(const ClosedTotal&) const = default;
};

struct ClosedInput {
  std::string source, file, sha256;
  bool operator==(const ClosedInput&) const = default;
};

struct ClosedMonth {
  Month month;
  std::string day;                  // as of which it was closed: "2026-09-04"
  std::string version;              // of tare
  std::vector<ClosedInput> inputs;  // those with rows of the month, sorted
  std::vector<ClosedTotal> totals;  // sorted by key
};

// How an invoice is shown: "not-invoiced" where it has no id yet.
std::string invoice_label(const std::string& invoice_id);

// What a billing period comes to now, of an audit of the store, dated by the newest instant in the
// data; of no version.
ClosedMonth month_now(const store::Store& store, const std::vector<ledger::Conservation>& audit,
                      Month month);

// The same as a record to keep; of a month that was closed before, even without lines. Throws
// UserError period-without-bill where it has no lines, and not-reconciled where postings differ
// from lines: such a month can't be closed.
ClosedMonth close_month(store::Store& store, Month month, const std::string& day,
                        const std::string& version, bool closed_before);

// The record of a month that counts on a day ("" now): the last one that is not later. Null: none.
const ClosedMonth* closed_by(const std::vector<ClosedMonth>& journal, Month month,
                             const std::string& day);

}  // namespace tare::measures
