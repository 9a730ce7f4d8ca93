// tare export parquet: every promised view as a file that other tools read.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/console.h"
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

[[noreturn]] void fail_to_write(const fs::path& path, const std::string& why) {
  throw UserError("export-not-written", "'" + path.string() + "' can't be written: " + why);
}

std::string file_name(std::string_view view) { return std::string(view) + ".parquet"; }

void sync_path(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail_to_write(path, std::strerror(errno));
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  if (error != 0) fail_to_write(path, std::strerror(error));
}

// The folder in which the files are made, beside the one where they will stand. What an interrupted
// export left in it goes first; it is ours by its name.
fs::path fresh_folder_beside(const fs::path& target) {
  const fs::path aside = target.parent_path() / ("." + target.filename().string() + ".tare-part");
  std::error_code error;
  fs::remove_all(aside, error);
  if (!fs::create_directories(aside, error)) fail_to_write(aside, error.message());
  return aside;
}

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

void rename_or_fail(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail_to_write(to, std::strerror(errno));
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
  Session session = open_session(options);
  const fs::path shown = (fs::path(options.directory) / options.operand(1)).lexically_normal();
  // Without a slash at its end, so that its last part is its name.
  fs::path target = fs::weakly_canonical(fs::absolute(shown));
  if (!target.has_filename()) target = target.parent_path();
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
