// From a source's `path:` to files, and what is known of a file without reading it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace tare::sources {

struct FoundFile {
  std::string path;   // absolute
  std::string shown;  // relative to the project where it lies below it: InputFile::file, messages
  int64_t size = 0;
  int64_t mtime_ns = 0, ctime_ns = 0;
};

// A file, a folder or a glob (* and ? within a name, ** for folders), relative to the project's
// folder. A folder or a glob leaves out names that begin with '.' or '_' (manifests, markers); a
// folder is searched through and gives its .csv, .tsv, .txt, .gz and .parquet files. Sorted by
// shown path. Throws UserError file-missing, with the entry of tare.yaml as place, when there is
// none.
std::vector<FoundFile> find_files(const Project& project, const Source& source);
// The same, and none where there is none.
std::vector<FoundFile> look_for_files(const Project& project, const Source& source);
// The same for one file. Throws UserError file-missing.
FoundFile describe_file(const Project& project, const std::string& path);
// The path as messages and the catalog show it.
std::string shown_path(const Project& project, const std::string& absolute);

// The input of `before` that is this file of this source, or null.
const store::InputFile* known_input(const store::Catalog& before, const Source& source,
                                    const FoundFile& file);
// Whether size, times and reader are as they were; with `verify` the bytes' hash too.
bool is_unchanged(const FoundFile& file, const store::InputFile& known,
                  const std::string& reader_hash, bool verify);
// The file's sha256, lower-case hex.
std::string file_sha256(const FoundFile& file);
// An input with source, kind, format, file, size and times filled in.
store::InputFile input_of(const Source& source, const FoundFile& file,
                          const std::string& reader_hash);

}  // namespace tare::sources
