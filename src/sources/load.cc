// Which reader a source's format has.
#include "sources/bill/bill.h"
#include "sources/bill/format.h"
#include "sources/discover.h"
#include "sources/plain/plain.h"
#include "sources/sources.h"

namespace tare::sources {

SourceResult load_source(const Project& project, const Source& source, const store::Catalog& before,
                         const LoadOptions& options, const Progress& progress) {
  const std::vector<FoundFile> files = find_files(project, source);
  if (find_bill_format(source.format) != nullptr) {
    return load_bill_source(project, source, files, before, options, progress);
  }
  TARE_ASSERT(find_plain_format(source.format) != nullptr,
              "read_project lets only formats pass that are read: " + source.format);
  return load_plain_source(project, source, files, before, options, progress);
}

}  // namespace tare::sources
