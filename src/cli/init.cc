#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/session.h"
#include "sources/sources.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  throw UserError("file-not-written",
                  "'" + path.string() + "' can't be written: " + std::strerror(error));
}

// Aside, then renamed: whoever edits the old file never finds half of the new one.
void write_file(const fs::path& path, std::string_view text) {
  const fs::path aside = path.string() + ".part";
  const int fd = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) fail_to_write(path, errno);
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error == 0 && ::fsync(fd) != 0) error = errno;
  ::close(fd);
  if (error == 0 && ::rename(aside.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(aside.c_str());
  fail_to_write(path, error);
}

Document document_of(const sources::InitPlan& plan, const fs::path& yaml) {
  Table table;
  table.id = "init/files";
  table.title = "files";
  table.columns = {
      {.name = "file", .heading = "file", .align = Align::kLeft, .shown_sum_of = {}},
      {.name = "format", .heading = "format", .align = Align::kLeft, .shown_sum_of = {}},
      {.name = "why", .heading = "recognised by", .align = Align::kLeft, .shown_sum_of = {}}};
  size_t recognised = 0;
  for (const sources::Recognised& file : plan.files) {
    Row row;
    row.key = file.path;
    const Value format = file.format.empty() ? Value(Unknown{}) : Value(file.format);
    row.cells = {file.path, format, file.why};
    table.rows.push_back(std::move(row));
    if (!file.format.empty()) ++recognised;
  }
  Document document;
  document.command = "init";
  document.facts = {{"written", yaml.string()},
                    {"files recognised",
                     std::to_string(recognised) + " of " + std::to_string(plan.files.size())}};
  document.tables.push_back(std::move(table));
  document.next_step = recognised > 0 ? "look through tare.yaml, then: tare load"
                                      : "name the files under 'sources:' in tare.yaml";
  return document;
}

}  // namespace

int run_init(const Options& options) {
  const fs::path directory = (fs::path(options.directory) / options.operand(0)).lexically_normal();
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw UserError("folder-missing", "there is no folder '" + directory.string() + "'");
  }
  const fs::path yaml = (directory / "tare.yaml").lexically_normal();
  if (fs::exists(fs::symlink_status(yaml, error)) && !options.force) {
    throw UserError("file-exists", "'" + yaml.string() + "' is already there",
                    "'--force' replaces it");
  }
  const sources::InitPlan plan = sources::plan_init(directory.string());
  write_file(yaml, plan.yaml);
  answer(document_of(plan, yaml), options);
  return kDone;
}

}  // namespace tare::cli
