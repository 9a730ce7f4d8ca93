// The door of plain files: tables that anyone can bring in by hand (model.md). One format is one
// table of columns and one function that makes a row; everything else is shared.
#pragma once

#include <vector>

#include "sources/discover.h"
#include "sources/plain/format.h"
#include "sources/sources.h"

namespace tare::sources {

// Brings one source of a plain format up to date. `files` is what discover() found. All files of a
// source make one store file, which is kept while none of them changed.
SourceResult load_plain_source(const Project& project, const Source& source,
                               const std::vector<FoundFile>& files, const store::Catalog& before,
                               const LoadOptions& options, const Progress& progress);

}  // namespace tare::sources
