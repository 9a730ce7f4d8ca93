// The second proof of conservation, in SQL, over any relations that look like a store's.
#pragma once

#include <string>
#include <vector>

#include "ledger/ledger.h"

namespace tare::ledger {

struct RowRelations {
  std::string lines, dims, postings, posting_dims;
};
std::vector<Conservation> audit_rows(store::Connection& connection, const RowRelations& relations);

struct SummaryRelations {
  std::string line_sums, month_costs;
};
std::vector<Conservation> audit_sums(store::Connection& connection,
                                     const SummaryRelations& relations);

// Of one sealed ledger file (attached as `ledger_alias`) against its bill file: from every line and
// posting, and from the summaries of both.
std::vector<Conservation> audit_file(store::Connection& connection, const std::string& bill_alias,
                                     const std::string& ledger_alias);
std::vector<Conservation> audit_summaries(store::Connection& connection,
                                          const std::string& bill_alias,
                                          const std::string& ledger_alias);

}  // namespace tare::ledger
