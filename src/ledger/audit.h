// The second proof of conservation, in SQL, over any relations that look like a store's.
#pragma once

#include <string>
#include <vector>

#include "ledger/ledger.h"

namespace tare::ledger {

struct AuditRelations {
  std::string lines, dims, postings, posting_dims;
};
std::vector<Conservation> audit_relations(store::Connection& connection,
                                          const AuditRelations& relations);

// Audits one sealed ledger file (attached as `ledger_alias`) against its bill file.
std::vector<Conservation> audit_file(store::Connection& connection, const std::string& bill_alias,
                                     const std::string& ledger_alias);

}  // namespace tare::ledger
