// Which of a source's files count (R08): what a provider's manifest names, else all of them, in
// deliveries of which a newer one replaces an older one month by month where the source says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sources/discover.h"
#include "sources/sources.h"

namespace tare::sources {

struct DeliveryFile {
  FoundFile file;
  size_t delivery = 0;          // counted from the oldest; files of one belong together
  std::string manifest;         // the export and month whose manifest names it; "" none does
  std::optional<int64_t> rows;  // that its manifest says it has
};

// A folder or pattern with manifests (AWS's <export>-Manifest.json, Azure's manifest.json) gives
// what the newest manifest of each export and billing period names, and nothing else. Newest is,
// for Azure, the run submitted last; for AWS the execution named last, else the manifest nearest to
// the source's folder, as AWS replaces that one in place. Throws UserError two-deliveries where
// neither says, manifest-file-missing for a file that is named and not there, manifest-unreadable.
//
// Otherwise `newest: folder` or `newest: file` makes a delivery of each folder or file, older ones
// first by their names, numbers in them compared as numbers; `newest: export-time` of each folder,
// or of each file of one folder, by the newest export_time of its rows. Without it all are one
// delivery.
// `left_out`, where it is given, gets the files that no manifest names, newest or older.
std::vector<DeliveryFile> choose_deliveries(const Project& project, const Source& source,
                                            std::vector<FoundFile> files,
                                            std::vector<std::string>* left_out = nullptr);

// Azure's two exports of a project, the first with the first and so on (R09): the amortised source
// of an actual one, or the other way round; null where it stands alone.
const Source* paired_export(const Project& project, const Source& source);

}  // namespace tare::sources
