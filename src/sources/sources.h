// The door of sources: bytes of the outside world to normal rows in store files. A format never
// knows what is done with its rows.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "store/store.h"

namespace tare::sources {

// --- the project file
// -----------------------------------------------------------------------------

// The folder with tare.yaml, at `start` or above it. Throws UserError no-project.
std::string find_project(const std::string& start);
// Reads and checks <directory>/tare.yaml. Unknown keys are errors with a did-you-mean and a place.
Project read_project(const std::string& directory);
// The JSON Schema of tare.yaml, from the same table of keys that the reader checks.
std::string project_json_schema();

// --- formats
// --------------------------------------------------------------------------------------

struct Format {
  std::string_view name;     // "focus"
  SourceKind kind;           // under which key of sources: it stands
  std::string_view summary;  // one line for help, docs and tare.yaml
};
const std::vector<Format>& formats();  // the table from which help and docs are printed

// --- loading
// --------------------------------------------------------------------------------------

struct LoadOptions {
  int threads = 2;
  bool full_refresh = false;  // read everything again
  bool verify = false;        // compare hashes, not only sizes and times
  bool dry_run = false;       // only say what would be read
};

// What one source contributes to the new catalog. Files named here exist in the store's folder.
struct SourceResult {
  std::vector<store::InputFile> inputs;
  std::vector<store::StoreFile> files;
  std::vector<std::string> will_read;  // shown paths that were read, or would be (dry run)
  std::vector<std::string> left_out;   // shown paths that lie beside manifests, and that none names
};

// Brings one source up to date: reads only what changed since `before`, keeps the store files of
// what did not. Throws UserError for what can't be used at all (exit 2); bad rows become findings
// inside the store files, quarantined rows are counted in the inputs.
SourceResult load_source(const Project& project, const Source& source, const store::Catalog& before,
                         const LoadOptions& options, const Progress& progress);

// What machines without a bill cost by their rate cards: bill files of the sources of rate cards,
// and a file of findings. `loaded` holds what all sources have loaded; files that would be the same
// are taken from `before`. Throws UserError cost-too-large.
std::vector<store::StoreFile> price_machines(const Project& project, const store::Catalog& loaded,
                                             const store::Catalog& before,
                                             const LoadOptions& options);

// --- tare init
// ------------------------------------------------------------------------------------

struct Recognised {
  std::string path;    // relative to the folder
  std::string format;  // "" where nothing fits
  std::string why;     // one line: by what it was recognised, or why not
};
struct InitPlan {
  std::vector<Recognised> files;
  std::string yaml;  // a commented tare.yaml
};
InitPlan plan_init(const std::string& directory);

}  // namespace tare::sources
