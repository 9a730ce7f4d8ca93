// The facts that the timeline is built from, read back from the store: runs, holds, resources,
// aliases, the dims of all bill files, and how far each kind of record reaches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/store.h"
#include "timeline/timeline.h"

namespace tare::timeline {

struct Facts {
  std::vector<RunRow> runs;
  std::vector<HoldRow> holds;
  std::vector<ResourceRow> resources;
  std::vector<AliasRow> aliases;
  std::vector<DeviceUsageRow> usage;  // sorted by (resource, device, start, end)
  std::vector<BillFile> bills;        // sorted by name
  std::map<std::pair<std::string, int32_t>, int64_t> requests;  // (model, month index) -> count
  int64_t newest_sign_ns = INT64_MIN;                           // newest telemetry end or request
};

// Attaches the catalog's bill and facts files to `connection` and reads the small tables whole.
Facts read_facts(store::Connection& connection, const std::string& store_directory,
                 const store::Catalog& catalog);

}  // namespace tare::timeline
