// tare load: brings the store up to date with the sources. Nothing that a reader can see changes
// until the new catalog is in place; what a stopped or failed load left behind is removed by the
// next one.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "cli/catalog_difference.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/progress_line.h"
#include "cli/session.h"
#include "ledger/ledger.h"
#include "sources/sources.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

struct Load {
  Project project;
  std::string store_directory;
  store::Catalog before, next;
  sources::LoadOptions read;
  std::map<std::string, std::vector<std::string>> files_read;  // by source
  std::map<std::string, std::vector<std::string>> left_out;    // by source: no manifest names them
  std::vector<std::string> sources_removed;
  Difference difference = Difference::kNone;
  bool rebuilt = false;
};

// A catalog that can't be read is no reason to refuse the load that replaces it.
store::Catalog catalog_before(const std::string& store_directory, const Options& options) {
  try {
    return store::read_catalog(store_directory);
  } catch (const UserError&) {
    if (!options.full_refresh && !options.verify) throw;
    return {};
  }
}

Load begin(const Options& options) {
  const std::string directory = sources::find_project(options.directory);
  Load load;
  load.project = sources::read_project(directory);
  if (load.project.sources.empty()) {
    throw UserError("no-sources", "tare.yaml names no sources, so there is nothing to load",
                    "name files under 'sources:', or let 'tare init --force' look for them",
                    Place{.file = (fs::path(directory) / "tare.yaml").lexically_normal().string(),
                          .source_line = ""});
  }
  load.store_directory = store::store_directory(directory);
  load.read = {.threads = options.threads,
               .full_refresh = options.full_refresh,
               .verify = options.verify,
               .dry_run = options.dry_run};
  return load;
}

// Files of the store that were deleted by hand or are damaged: then nothing of it is taken over.
bool store_is_whole(const Load& load, const Options& options, const Progress& progress) {
  for (const store::StoreFile& file : load.before.files) {
    const std::string path = (fs::path(load.store_directory) / file.name).string();
    std::error_code error;
    if (!fs::exists(path, error)) {
      say("'" + file.name + "' is missing in the store; everything is read again", options);
      return false;
    }
    if (!options.verify) continue;
    progress({.stage = "verifying " + file.name});
    if (!store::verify_file(path)) {
      say("'" + file.name + "' of the store is damaged; everything is read again", options);
      return false;
    }
  }
  return true;
}

void read_sources(Load& load, const Progress& progress) {
  for (const Source& source : load.project.sources) {
    sources::SourceResult result =
        sources::load_source(load.project, source, load.before, load.read, progress);
    std::ranges::move(result.inputs, std::back_inserter(load.next.inputs));
    std::ranges::move(result.files, std::back_inserter(load.next.files));
    load.files_read[source.name] = std::move(result.will_read);
    load.left_out[source.name] = std::move(result.left_out);
  }
}

void sort_catalog(store::Catalog& catalog) {
  std::ranges::sort(catalog.inputs, {}, [](const store::InputFile& input) {
    return std::tie(input.source, input.file);
  });
  std::ranges::sort(catalog.files, {}, &store::StoreFile::name);
}

std::vector<std::string> removed_sources(const Load& load) {
  std::set<std::string> gone;
  for (const store::InputFile& input : load.before.inputs) gone.insert(input.source);
  for (const Source& source : load.project.sources) gone.erase(source.name);
  return {gone.begin(), gone.end()};
}

void build(Load& load, const Options& options, const Progress& progress) {
  load.next.tool_version = options.version;
  load.next.project = load.project.name;
  load.next.policy_hash = to_text(load.project.policy_hash);
  read_sources(load, progress);
  sort_catalog(load.next);
  std::ranges::move(sources::price_machines(load.project, load.next, load.before, load.read),
                    std::back_inserter(load.next.files));
  sort_catalog(load.next);
  load.sources_removed = removed_sources(load);
  ledger::PostResult posted =
      ledger::post(load.project, load.store_directory, load.next, load.before,
                   {.threads = options.threads, .full_refresh = load.read.full_refresh}, progress);
  std::ranges::move(posted.files, std::back_inserter(load.next.files));
  load.next.horizon_ns = posted.horizon_ns;
  load.rebuilt = posted.rebuilt;
  sort_catalog(load.next);
}

// The generation tells readers that files were replaced; new times of the same bytes replace none.
void put_in_place(Load& load) {
  load.difference = difference_of(load.before, load.next);
  const bool first = load.before.generation == 0;
  if (load.difference == Difference::kNone && !first) return;
  const bool same_content = load.difference != Difference::kContent && !first;
  load.next.generation = load.before.generation + (same_content ? 0 : 1);
  store::write_catalog(load.store_directory, load.next);
}

// After a failure what the new store had begun is only in the way. The catalog may have been
// replaced by then, and whether that lasts only the disk knows: the files of both are kept.
void clear_after_failure(const Load& load) {
  if (load.before.generation == 0) return;
  try {
    store::Catalog kept = store::read_catalog(load.store_directory);
    std::ranges::copy(load.before.files, std::back_inserter(kept.files));
    store::remove_unreferenced(load.store_directory, kept);
  } catch (const std::exception&) {
    return;  // the failure that brought us here is the one to tell
  }
}

Column text_column(std::string name, std::string heading) {
  return {.name = std::move(name),
          .heading = std::move(heading),
          .align = Align::kLeft,
          .shown_sum_of = {}};
}

Column count_column(std::string name, std::string heading) {
  return {.name = std::move(name), .heading = std::move(heading), .shown_sum_of = {}};
}

struct Counts {
  int64_t files = 0, read = 0, rows_in = 0, used = 0, netted = 0, quarantined = 0;
};

void add(Counts& sum, const Counts& counts) {
  sum.files += counts.files;
  sum.read += counts.read;
  sum.rows_in += counts.rows_in;
  sum.used += counts.used;
  sum.netted += counts.netted;
  sum.quarantined += counts.quarantined;
}

Counts counts_of(const Load& load, const std::string& source) {
  Counts counts;
  const auto read = load.files_read.find(source);
  counts.read = read == load.files_read.end() ? 0 : static_cast<int64_t>(read->second.size());
  for (const store::InputFile& input : load.next.inputs) {
    if (input.source != source) continue;
    add(counts, {.files = 1,
                 .rows_in = input.rows_in,
                 .used = input.rows_used,
                 .netted = input.rows_netted,
                 .quarantined = input.rows_quarantined});
  }
  return counts;
}

Row row_of(const std::string& label, const Counts& counts) {
  Row row;
  row.key = label;
  row.cells = {label,       counts.files,  counts.read,       counts.rows_in,
               counts.used, counts.netted, counts.quarantined};
  return row;
}

Table sources_table(const Load& load, Counts* total) {
  Table table;
  table.id = "load/sources";
  table.title = "sources";
  table.columns = {text_column("source", "source"),
                   count_column("files", "files"),
                   count_column("files_read", "read"),
                   count_column("rows_in", "rows in"),
                   count_column("rows_used", "used"),
                   count_column("rows_netted", "netted"),
                   count_column("rows_quarantined", "quarantined")};
  for (const Source& source : load.project.sources) {
    const Counts counts = counts_of(load, source.name);
    table.rows.push_back(row_of(source.name, counts));
    add(*total, counts);
  }
  Row row = row_of("total", *total);
  row.is_total = true;
  table.rows.push_back(std::move(row));
  return table;
}

std::string findings_text(store::Store& store) {
  const store::Result counts = store.connection().query(
      "SELECT count(DISTINCT code) FILTER (severity = 'error'),"
      " count(DISTINCT code) FILTER (severity = 'warning'),"
      " count(DISTINCT code) FILTER (severity = 'info') FROM finding");
  const int64_t errors = counts.i64(0, 0), warnings = counts.i64(0, 1), notes = counts.i64(0, 2);
  const auto counted = [](int64_t count, const char* word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
  };
  if (errors + warnings + notes == 0) return "none";
  return counted(errors, "error") + ", " + counted(warnings, "warning") + ", " +
         counted(notes, "note");
}

bool read_anything(const Load& load) {
  return std::ranges::any_of(load.files_read, [](const auto& of) { return !of.second.empty(); });
}

std::string change_text(const Load& load) {
  switch (load.difference) {
    case Difference::kNone:
      return read_anything(load) ? "all was read again, and nothing has changed"
                                 : "nothing has changed since the last load";
    case Difference::kTimes:
      return "the files have new times and the same content";
    case Difference::kContent:
      break;
  }
  return load.rebuilt ? "the store is up to date, postings and all" : "the store is up to date";
}

std::string quarantine_text(int64_t rows) {
  return std::to_string(rows) + (rows == 1 ? " row is" : " rows are") +
         " in quarantine: counted, and in no total";
}

Document summary_of(const Load& load, store::Store& store) {
  Counts total;
  Document document;
  document.command = "load";
  document.tables.push_back(sources_table(load, &total));
  document.facts = {
      {"project", load.project.name},
      {"change", change_text(load)},
      {"files", std::to_string(total.read) + " read, " +
                    std::to_string(std::max<int64_t>(total.files - total.read, 0)) + " unchanged"},
      {"findings", findings_text(store)}};
  for (const std::string& source : load.sources_removed) {
    document.notes.push_back("source '" + source +
                             "' is no longer in tare.yaml; its rows are gone");
  }
  if (total.quarantined > 0) document.notes.push_back(quarantine_text(total.quarantined));
  document.next_step = total.quarantined > 0 ? "tare findings" : "tare report";
  return document;
}

int tell(const Load& load, const Options& options) {
  store::OpenOptions open;
  open.threads = options.threads;
  store::Store store = store::Store::open(load.project.directory, open);
  const Document summary = summary_of(load, store);
  int64_t quarantined = 0;
  for (const store::InputFile& input : load.next.inputs) quarantined += input.rows_quarantined;
  if (options.format != Format::kText) {
    answer(summary, options);
  } else if (load.difference == Difference::kNone && !options.verbose) {
    say(change_text(load), options);
    if (quarantined > 0)
      say(quarantine_text(quarantined) + "; 'tare findings' lists them", options);
  } else {
    say_document(summary, options);
  }
  const int strict = strict_exit(store, options);
  return quarantined > 0 ? kAnswerIsNo : strict;
}

// What lies beside manifests, and none of them names, may be a month that somebody counts on.
void say_left_out(const Load& load, const Options& options) {
  for (const auto& [source, files] : load.left_out) {
    if (files.empty()) continue;
    std::string text = "left out of '" + source + "', as no manifest names ";
    text += files.size() == 1 ? "it: " : "them: ";
    constexpr size_t kShown = 3;
    for (size_t i = 0; i < std::min(files.size(), kShown); ++i) {
      text += (i == 0 ? "'" : ", '") + files[i] + "'";
    }
    if (files.size() > kShown) text += " and " + std::to_string(files.size() - kShown) + " more";
    say(text, options);
  }
}

int dry_run(Load& load, const Options& options) {
  load.before = catalog_before(load.store_directory, options);
  read_sources(load, [](const ProgressEvent&) {});
  Table table;
  table.id = "load/would-read";
  table.title = "files that a load would read";
  table.columns = {text_column("source", "source"), text_column("file", "file")};
  for (const Source& source : load.project.sources) {
    for (const std::string& file : load.files_read[source.name]) {
      Row row;
      row.key = source.name + "/" + file;
      row.cells = {source.name, file};
      table.rows.push_back(std::move(row));
    }
  }
  Document document;
  document.command = "load";
  document.facts = {{"project", load.project.name}, {"dry_run", "nothing was written"}};
  if (table.rows.empty())
    document.notes.emplace_back("every file is unchanged since the last load");
  document.tables.push_back(std::move(table));
  answer(document, options);
  say_left_out(load, options);
  return kDone;
}

void say_files_read(const Load& load, const Options& options) {
  for (const auto& [source, files] : load.files_read) {
    for (const std::string& file : files) {
      std::string text = "read '";
      text.append(file).append("' for '").append(source).append("'");
      say_detail(text, options);
    }
  }
}

}  // namespace

int run_load(const Options& options) {
  Load load = begin(options);
  if (options.dry_run) return dry_run(load, options);
  const store::LoadLock lock(load.store_directory);
  load.before = catalog_before(load.store_directory, options);
  ProgressLine line(progress_terminal(!options.quiet && !options.no_progress));
  try {
    if (load.before.generation > 0) {
      store::remove_unreferenced(load.store_directory, load.before);
    }
    if (!store_is_whole(load, options, line.callback())) load.read.full_refresh = true;
    build(load, options, line.callback());
    put_in_place(load);
  } catch (...) {
    line.erase();
    clear_after_failure(load);
    throw;
  }
  store::remove_unreferenced(load.store_directory, load.next);
  line.erase();
  say_left_out(load, options);
  say_files_read(load, options);
  return tell(load, options);
}

}  // namespace tare::cli
