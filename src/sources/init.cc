#include "sources/init.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "sources/bill/currencies.h"
#include "sources/bill/native/json_lines.h"
#include "sources/formats.h"
#include "sources/text_table.h"

namespace tare::sources {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFiles = 10'000;
constexpr size_t kMaxSampled = 100;  // files that are looked into beyond their header

struct SeenFile {
  std::string path;  // relative to the folder, with '/'
  bool is_table = false;
  Verdict verdict;
};

bool is_skipped(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.empty() || name.front() == '.' || name.front() == '_' || name == "node_modules" ||
         name == "tare.yaml";
}

// The names that a source's folder is read for (sources/discover.h).
bool has_table_name(const fs::path& path) {
  std::string suffix = path.extension().string();
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return suffix == ".csv" || suffix == ".tsv" || suffix == ".txt" || suffix == ".gz" ||
         suffix == ".parquet";
}

bool has_json_name(const std::string& path) {
  return path.ends_with(".json") || path.ends_with(".jsonl") || path.ends_with(".ndjson");
}

// Files below a folder in the order of their names; false where there are too many.
bool walk(const fs::path& folder, const fs::path& relative, std::vector<SeenFile>& files) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!is_skipped(at->path())) entries.push_back(at->path());
  }
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    const fs::path shown = relative / entry.filename();
    if (fs::is_directory(fs::symlink_status(entry, error))) {
      if (!walk(entry, shown, files)) return false;
    } else if (fs::is_regular_file(entry, error)) {
      if (files.size() == kMaxFiles) return false;
      files.push_back({shown.generic_string(), has_table_name(entry), {}});
    }
  }
  return true;
}

Verdict recognise_file(const fs::path& folder, const SeenFile& file) {
  if (!can_be_written(file.path))
    return {Certainty::kNone, "", "its name can't be written here", ""};
  if (!file.is_table && !has_json_name(file.path))
    return {Certainty::kNone, "", "not a .csv, .tsv, .txt, .gz or .parquet file", ""};
  try {
    const std::string path = (folder / file.path).string();
    const std::vector<std::string> names = json_line_names(path, file.path);
    if (!names.empty()) return recognise_header(names, file.path);
    if (!file.is_table) return {Certainty::kNone, "", "not JSON lines", ""};
    const TextTable table = TextTable::peek(path, file.path);
    return recognise_header(table.header(), file.path);
  } catch (const UserError& error) {
    return {Certainty::kNone, "", error.message(), ""};
  }
}

std::string parent_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// For each folder ("" is the project's): the one format of all its tables, or "" where they differ.
struct FolderFormat {
  std::string format;
  int64_t files = 0;
  bool mixed = false;
};
std::map<std::string, FolderFormat> formats_of_folders(const std::vector<SeenFile>& files) {
  std::map<std::string, FolderFormat> folders;
  for (const SeenFile& file : files) {
    if (!file.is_table) continue;
    const bool sure = file.verdict.certainty == Certainty::kSure;
    std::string folder = file.path;
    do {
      folder = parent_of(folder);
      FolderFormat& seen = folders[folder];
      seen.mixed = seen.mixed || !sure || (seen.files > 0 && seen.format != file.verdict.format);
      seen.format = file.verdict.format;
      ++seen.files;
    } while (!folder.empty());
  }
  return folders;
}

// The largest folder around a file whose tables are all of its format, where naming the folder says
// more than naming the file: several files, or a bill, which grows by the month.
std::string source_path(const SeenFile& file, const std::map<std::string, FolderFormat>& folders) {
  std::string best = file.path;
  std::string folder = file.path;
  do {
    folder = parent_of(folder);
    const FolderFormat& seen = folders.at(folder);
    if (seen.mixed) break;
    const bool grows = find_format(seen.format)->kind == SourceKind::kBill && !folder.empty();
    if (seen.files > 1 || grows) best = folder.empty() ? "." : folder + "/";
  } while (!folder.empty());
  return best;
}

void group(const std::vector<SeenFile>& files, InitFacts* facts) {
  const std::map<std::string, FolderFormat> folders = formats_of_folders(files);
  std::map<std::pair<SourceKind, std::string>, InitSource> sources;
  for (const SeenFile& file : files) {
    if (file.verdict.certainty != Certainty::kSure) {
      facts->others.emplace_back(file.path, file.verdict);
      continue;
    }
    const SourceKind kind = find_format(file.verdict.format)->kind;
    const std::string path = source_path(file, folders);
    InitSource& source = sources[{kind, path}];
    source = {std::string(kind_key(kind)), file.verdict.format, path, file.verdict.why,
              source.files + 1};
  }
  for (auto& [key, source] : sources) facts->sources.push_back(std::move(source));
}

// The currency of most rows, of bills first and else of invoices; the first by name among equals.
void find_currency(const fs::path& folder, const std::vector<SeenFile>& files, InitFacts* facts) {
  const std::vector<std::pair<std::string, std::string>> columns = {
      {"focus", "BillingCurrency"}, {"bill", "currency"}, {"invoices", "currency"}};
  for (const auto& [format, column] : columns) {
    std::map<std::string, std::pair<int64_t, std::string>> rows_of;  // rows, and the first file
    size_t sampled = 0;
    for (const SeenFile& file : files) {
      if (file.verdict.certainty != Certainty::kSure || file.verdict.format != format) continue;
      if (++sampled > kMaxSampled) break;
      for (const auto& row : sample_rows((folder / file.path).string(), {column})) {
        if (!is_iso_4217(row[0])) continue;
        auto& [rows, first_file] = rows_of[row[0]];
        if (rows++ == 0) first_file = file.path;
      }
    }
    int64_t most = 0;
    for (const auto& [currency, seen] : rows_of) {
      if (seen.first <= most) continue;
      most = seen.first;
      facts->currency = currency;
      facts->currency_from = seen.second;
    }
    if (most > 0) return;
  }
}

void find_outcomes(const fs::path& folder, const std::vector<SeenFile>& files, InitFacts* facts) {
  size_t sampled = 0;
  for (const SeenFile& file : files) {
    if (file.verdict.certainty != Certainty::kSure || file.verdict.format != "outcomes") continue;
    if (++sampled > kMaxSampled) return;
    for (const auto& row : sample_rows((folder / file.path).string(), {"model", "outcome"})) {
      if (row[0].empty() || row[1].empty() || row[1] == "predictions") continue;
      facts->outcomes[row[0]].insert(row[1]);
    }
  }
}

}  // namespace

InitPlan plan_init(const std::string& directory) {
  std::error_code error;
  const fs::path folder = directory.empty() ? fs::path(".") : fs::path(directory);
  if (!fs::is_directory(folder, error)) {
    throw UserError("folder-missing", "there is no folder '" + folder.string() + "'");
  }
  std::vector<SeenFile> files;
  InitFacts facts;
  facts.cut = !walk(folder, "", files);
  for (SeenFile& file : files) {
    file.verdict = recognise_file(folder, file);
    file.is_table = file.is_table || file.verdict.certainty == Certainty::kSure;
  }
  // Without a trailing slash, which would make the name empty.
  facts.project = (fs::weakly_canonical(folder) / "").parent_path().filename().string();
  if (!can_be_written(facts.project)) facts.project = "project";
  group(files, &facts);
  find_currency(folder, files, &facts);
  find_outcomes(folder, files, &facts);
  InitPlan plan;
  for (const auto& [path, is_table, verdict] : files) {
    const bool is_later = verdict.certainty == Certainty::kLater;
    const bool fits = is_later || verdict.certainty == Certainty::kSure;
    plan.files.push_back({path, fits ? verdict.format : "",
                          verdict.why + (is_later ? "; not read by this version" : "")});
  }
  plan.yaml = init_yaml(facts);
  return plan;
}

}  // namespace tare::sources
