// The ledger's door: posts every bill line to accounts, exactly, and proves it.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "store/store.h"

namespace tare::ledger {

struct PostResult {
  std::vector<store::StoreFile> files;  // the timeline's file and one ledger file a bill file
  int64_t horizon_ns = 0;
  bool rebuilt = false;  // false: everything derived was up to date
};

struct PostOptions {
  int threads = 2;
  bool full_refresh = false;
};

// Brings everything derived up to date with the bill and facts files that `catalog` names: builds
// the timeline, posts lines, writes summaries. `before` tells which derived files can stay (same
// derived_from). Postings sum to lines per (issuer, invoice, billing period, currency) and cost
// column: asserted here while posting, and audited again in SQL on what was written.
PostResult post(const Project& project, const std::string& store_directory,
                const store::Catalog& catalog, const store::Catalog& before,
                const PostOptions& options, const Progress& progress);

// The first proof's twin, in SQL, on a store. One row per (issuer, invoice, billing period,
// currency) and cost column.
struct Conservation {
  std::string source, issuer, invoice_id, currency, cost_column;
  int64_t billing_period_start_ns = 0;
  Money lines, postings;
  int64_t line_count = 0, unknown_lines = 0;  // unknown: lines whose cost in this column is null
  bool conserved() const { return lines == postings; }
  bool operator==(const Conservation&) const = default;
};
// Lines are taken as they were posted: what was converted counts in the currency of its postings.
// Re-adds every line and every posting of an open store.
std::vector<Conservation> audit(store::Connection& connection);
// The same from what sources summed of the lines and the ledger of its postings; a load has checked
// that they sum to the same.
std::vector<Conservation> audit_summaries(store::Connection& connection);
// Converted lines of an open store that are not what their own costs and their rate make of them.
int64_t count_false_conversions(store::Connection& connection);

}  // namespace tare::ledger
