// The facts that the timeline is built from, read back from the store: runs, holds, resources,
// aliases, the dims of all bill files, and how far each kind of record reaches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/store.h"
#include "timeline/timeline.h"

namespace tare::timeline {

// Outcomes of one model and day that have several rows in one or more sources.
struct RepeatedOutcome {
  std::string model, outcome, source;  // "" where they come from several sources
  int64_t day_ns = 0;
  int64_t rows = 0;  // beyond the first
};

struct Facts {
  std::vector<RunRow> runs;
  std::vector<HoldRow> holds;
  std::vector<ResourceRow> resources;
  std::vector<AliasRow> aliases;
  std::vector<DeviceUsageRow> usage;  // sorted by (resource, device, start, end)
  std::vector<BillFile> bills;        // sorted by name
  std::map<std::pair<std::string, int32_t>, int64_t> requests;  // (model, month index) -> count
  std::vector<RepeatedOutcome> repeated_outcomes;               // sorted
  int64_t newest_sign_ns = INT64_MIN;                           // newest telemetry end or request
};

// Attaches the catalog's bill and facts files to `connection` and reads the small tables whole.
Facts read_facts(store::Connection& connection, const std::string& store_directory,
                 const store::Catalog& catalog);

}  // namespace tare::timeline
