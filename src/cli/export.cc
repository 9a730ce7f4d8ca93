// tare export: the store for other tools. Here parquet, every promised view as a file; focus, the
// bill, is in export_focus.cc.
#include <filesystem>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/export_files.h"
#include "cli/progress_line.h"
#include "cli/promised_views.h"
#include "cli/session.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

struct Written {
  std::string view;
  int64_t rows = 0;
};

std::string file_name(std::string_view view) { return std::string(view) + ".parquet"; }

Written write_view(store::Connection& connection, std::string_view view, const fs::path& folder) {
  const fs::path path = folder / file_name(view);
  // Sorted by every column, so that the content does not depend on how the store came to be.
  const std::string sql = "COPY (SELECT * FROM " + std::string(view) + " ORDER BY ALL) TO " +
                          store::quote_text(path.string()) + " (FORMAT parquet, COMPRESSION zstd)";
  store::QueryError error;
  const std::optional<store::Result> result = connection.try_query(sql, &error);
  if (!result) fail_to_write(path, error.message);
  sync_path(path);
  return {std::string(view), result->i64(0, 0)};
}

// All at once where the target is new or empty. Into a folder with files of others, one by one:
// each is the old or the new one, whole.
void put_in_place(const fs::path& aside, const fs::path& target, bool into_others) {
  sync_path(aside);
  if (!into_others) {
    rename_or_fail(aside, target);
  } else {
    for (const std::string_view view : kPromisedViews) {
      rename_or_fail(aside / file_name(view), target / file_name(view));
    }
    std::error_code error;
    fs::remove(aside, error);
    sync_path(target);
  }
  sync_path(target.parent_path());
}

Document document_of(const std::vector<Written>& files, const fs::path& target) {
  Table table;
  table.id = "export/files";
  table.title = "files";
  table.columns = {{.name = "file", .heading = "file", .align = Align::kLeft, .shown_sum_of = {}},
                   {.name = "rows", .heading = "rows", .shown_sum_of = {}}};
  for (const Written& written : files) {
    Row row;
    row.key = written.view;
    row.cells = {file_name(written.view), written.rows};
    table.rows.push_back(std::move(row));
  }
  Document document;
  document.command = "export";
  document.facts = {{"written", target.string()}};
  document.tables.push_back(std::move(table));
  return document;
}

// Whether the target holds anything. Throws where that is in the way.
bool has_files(const fs::path& target, const Options& options) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) return false;
  if (!fs::is_directory(status)) {
    throw UserError("folder-missing", "'" + target.string() + "' is not a folder");
  }
  const bool empty = fs::is_empty(target, error);
  if (error) fail_to_write(target, error.message());
  if (!empty && !options.force) {
    throw UserError("folder-not-empty", "the folder '" + target.string() + "' is not empty",
                    "name a new folder, or give --force to replace the views' files in it");
  }
  return !empty;
}

}  // namespace

int run_export(const Options& options) {
  if (options.operand(0) == "focus") return run_export_focus(options);
  if (options.first_month || options.last_month || options.newest_month) {
    throw UserError("usage", "'tare export parquet' writes all months and takes no period",
                    "'tare export focus' takes one");
  }
  Session session = open_session(options);
  const fs::path shown = (fs::path(options.directory) / options.operand(1)).lexically_normal();
  const fs::path target = canonical_target(shown);
  const bool into_others = has_files(shown, options);
  const fs::path aside = fresh_folder_beside(target);
  std::vector<Written> files;
  ProgressLine line(progress_terminal(!options.quiet && !options.no_progress));
  try {
    for (const std::string_view view : kPromisedViews) {
      line.show({.stage = "writing " + file_name(view)});
      files.push_back(write_view(session.store.connection(), view, aside));
    }
    put_in_place(aside, target, into_others);
  } catch (...) {
    std::error_code error;
    fs::remove_all(aside, error);
    throw;
  }
  line.erase();
  answer(document_of(files, shown), options);
  return kDone;
}

}  // namespace tare::cli
