#include "sources/discover.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string_view>

#include <sys/stat.h>

#include "base/glob.h"
#include "base/instant.h"
#include "sources/bill/native/native.h"
#include "sources/byte_source.h"
#include "sources/formats.h"

namespace tare::sources {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWildcards = "*?";

bool has_wildcard(std::string_view text) {
  return text.find_first_of(kWildcards) != std::string_view::npos;
}

// Manifests and markers stand beside data under such names.
bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.empty() || name.front() == '.' || name.front() == '_';
}

// JSON lines are one format's, and others' manifests end in .json too.
bool may_be_json_lines(const std::string& name, bool reads_json) {
  return reads_json &&
         (name.ends_with(".json") || name.ends_with(".jsonl") || name.ends_with(".ndjson"));
}

bool is_data_name(const fs::path& path, bool reads_json) {
  std::string suffix = path.extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view known : {".csv", ".tsv", ".txt", ".gz", ".parquet"}) {
    if (suffix == known) return true;
  }
  return may_be_json_lines(path.filename().string(), reads_json);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!is_hidden(at->path())) entries.push_back(at->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

void find_below(const fs::path& folder, bool reads_json, std::vector<fs::path>& found) {
  for (const fs::path& entry : entries_of(folder)) {
    // A link to a folder is not followed: it may lead back.
    if (fs::is_directory(fs::symlink_status(entry))) {
      find_below(entry, reads_json, found);
    } else if (fs::is_regular_file(entry) && is_data_name(entry, reads_json)) {
      found.push_back(entry);
    }
  }
}

// Matches the parts of a pattern from `part` on below `folder`.
void find_matching(const fs::path& folder, const std::vector<std::string>& parts, size_t part,
                   std::vector<fs::path>& found) {
  if (part == parts.size()) {
    if (fs::is_regular_file(folder)) found.push_back(folder);
    return;
  }
  const std::string& pattern = parts[part];
  if (pattern == "**") {
    find_matching(folder, parts, part + 1, found);
    for (const fs::path& entry : entries_of(folder)) {
      if (fs::is_directory(fs::symlink_status(entry))) find_matching(entry, parts, part, found);
    }
    return;
  }
  if (!has_wildcard(pattern)) {
    find_matching(folder / pattern, parts, part + 1, found);
    return;
  }
  for (const fs::path& entry : entries_of(folder)) {
    if (glob_matches(pattern, entry.filename().string()))
      find_matching(entry, parts, part + 1, found);
  }
}

std::vector<fs::path> find_pattern(const fs::path& pattern) {
  fs::path folder = pattern.is_absolute() ? pattern.root_path() : fs::path(".");
  std::vector<std::string> parts;
  for (const fs::path& part : pattern.relative_path()) {
    if (!part.empty() && part != ".") parts.push_back(part.string());
  }
  std::vector<fs::path> found;
  find_matching(folder, parts, 0, found);
  return found;
}

int64_t to_ns(const timespec& time) {
  return int64_t{time.tv_sec} * kNsPerSecond + int64_t{time.tv_nsec};
}

fs::path absolute_path(const Project& project, const std::string& path) {
  return (fs::absolute(project.directory) / path).lexically_normal();
}

UserError nothing_found(const Project& project, const Source& source, const fs::path& absolute) {
  const std::string shown = shown_path(project, absolute.string());
  if (has_wildcard(source.path)) {
    return {"file-missing", "no file matches '" + shown + "'", "check the pattern in 'path:'",
            source.place};
  }
  if (fs::is_directory(absolute)) {
    return {"file-missing",
            "folder '" + shown + "' holds no .csv, .tsv, .txt, .gz or .parquet file",
            "name a file or a pattern in 'path:'", source.place};
  }
  return {"file-missing", "there is no '" + shown + "'", "check 'path:'", source.place};
}

}  // namespace

std::string shown_path(const Project& project, const std::string& absolute) {
  const fs::path relative =
      fs::path(absolute).lexically_relative(fs::absolute(project.directory).lexically_normal());
  if (relative.empty() || *relative.begin() == "..") return absolute;
  return relative.generic_string();
}

FoundFile describe_file(const Project& project, const std::string& path) {
  FoundFile file;
  file.path = absolute_path(project, path).string();
  file.shown = shown_path(project, file.path);
  struct stat status{};
  if (stat(file.path.c_str(), &status) != 0) {
    throw UserError("file-missing", "can't open '" + file.shown + "': " + std::strerror(errno));
  }
  file.size = int64_t{status.st_size};
  file.mtime_ns = to_ns(status.st_mtim);
  file.ctime_ns = to_ns(status.st_ctim);
  return file;
}

std::vector<FoundFile> find_files(const Project& project, const Source& source) {
  std::vector<FoundFile> files = look_for_files(project, source);
  if (!files.empty()) return files;
  throw nothing_found(project, source, absolute_path(project, source.path));
}

std::vector<FoundFile> look_for_files(const Project& project, const Source& source) {
  const fs::path absolute = absolute_path(project, source.path);
  std::vector<fs::path> paths;
  // A name that exists is itself, whatever characters it has.
  if (fs::is_regular_file(absolute)) {
    paths.push_back(absolute);
  } else if (fs::is_directory(absolute)) {
    const BillFormat* bill = find_bill_format(source.format);
    find_below(absolute, bill != nullptr && bill->native != nullptr && bill->native->is_nested,
               paths);
  } else if (has_wildcard(source.path)) {
    paths = find_pattern(absolute);
  }
  std::vector<FoundFile> files;
  for (const fs::path& path : paths) files.push_back(describe_file(project, path.string()));
  std::sort(files.begin(), files.end(),
            [](const FoundFile& a, const FoundFile& b) { return a.shown < b.shown; });
  const auto same = [](const FoundFile& a, const FoundFile& b) { return a.path == b.path; };
  files.erase(std::unique(files.begin(), files.end(), same), files.end());
  return files;
}

const store::InputFile* known_input(const store::Catalog& before, const Source& source,
                                    const FoundFile& file) {
  for (const store::InputFile& input : before.inputs) {
    if (input.source == source.name && input.file == file.shown) return &input;
  }
  return nullptr;
}

bool is_unchanged(const FoundFile& file, const store::InputFile& known,
                  const std::string& reader_hash, bool verify) {
  if (known.reader_hash != reader_hash || known.size != file.size) return false;
  if (verify) return file_sha256(file) == known.sha256;
  return known.mtime_ns == file.mtime_ns && known.ctime_ns == file.ctime_ns;
}

std::string file_sha256(const FoundFile& file) {
  ByteSource bytes(file.path, file.shown, true, ByteSource::Unpack::kNo);
  while (!bytes.next().empty()) {
  }
  return bytes.sha256();
}

store::InputFile input_of(const Source& source, const FoundFile& file,
                          const std::string& reader_hash) {
  store::InputFile input;
  input.source = source.name;
  input.kind = kind_key(source.kind);
  input.format = source.format;
  input.file = file.shown;
  input.size = file.size;
  input.mtime_ns = file.mtime_ns;
  input.ctime_ns = file.ctime_ns;
  input.reader_hash = reader_hash;
  return input;
}

}  // namespace tare::sources
