// The second proof of conservation, in SQL, over one bill file and its ledger file.
#pragma once

#include <string>
#include <vector>

#include "ledger/ledger.h"

namespace tare::ledger {

// Of one sealed ledger file (attached as `ledger_alias`) against its bill file: from every line and
// posting, and from the summaries of both.
std::vector<Conservation> audit_file(store::Connection& connection, const std::string& bill_alias,
                                     const std::string& ledger_alias);
std::vector<Conservation> audit_summaries(store::Connection& connection,
                                          const std::string& bill_alias,
                                          const std::string& ledger_alias);

// Lines of the file whose converted costs are not their own at the rate that they name; 0.
int64_t count_false_conversions(store::Connection& connection, const std::string& bill_alias,
                                const std::string& ledger_alias);

}  // namespace tare::ledger
