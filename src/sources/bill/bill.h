// The door of bills: a source's files to one store file a billing period.
#pragma once

#include <vector>

#include "sources/discover.h"
#include "sources/sources.h"

namespace tare::sources {

// Of Azure's two exports the actual one's load reads both, and the amortised one's nothing.
//
// Brings one source of a bill format up to date. Only the billing periods that a new, changed or
// removed file touches are written again. Throws UserError: what TextTable and find_bill_columns
// throw, no-usable-rows, cost-too-large, two-deliveries (R08).
SourceResult load_bill_source(const Project& project, const Source& source,
                              const std::vector<FoundFile>& files, const store::Catalog& before,
                              const LoadOptions& options, const Progress& progress);

}  // namespace tare::sources
