// tare synth: a made company of any size, with its truth.
#include "synth/synth.h"

#include <filesystem>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/progress_line.h"
#include "cli/session.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

// Throws where what stands there is in the way.
void check_folder(const fs::path& folder, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    throw UserError("folder-missing", "'" + folder.string() + "' is not a folder");
  }
  if (!force && !fs::is_empty(folder, error)) {
    throw UserError("folder-not-empty", "the folder '" + folder.string() + "' is not empty",
                    "name a new folder, or give --force to write into it");
  }
}

Document document_of(const synth::Written& written, const std::string& folder) {
  Table table;
  table.id = "synth/files";
  table.title = "files";
  table.columns = {{.name = "what", .heading = "what", .align = Align::kLeft, .shown_sum_of = {}},
                   {.name = "rows", .heading = "rows", .shown_sum_of = {}}};
  for (const auto& [name, rows] : written) {
    Row row;
    row.key = name;
    row.cells = {name, rows};
    table.rows.push_back(std::move(row));
  }
  Document document;
  document.command = "synth";
  document.facts = {{"written", folder}};
  document.tables.push_back(std::move(table));
  document.next_step = "tare -C " + folder + " load";
  return document;
}

}  // namespace

int run_synth(const Options& options) {
  const fs::path folder = (fs::path(options.directory) / options.operand(0)).lexically_normal();
  check_folder(folder, options.force);
  synth::Wanted wanted = options.world;
  wanted.folder = folder.string();
  wanted.threads = options.threads;
  ProgressLine line(progress_terminal(!options.quiet && !options.no_progress));
  const synth::Written written = synth::write_world(wanted, line.callback());
  line.erase();
  answer(document_of(written, folder.string()), options);
  return kDone;
}

}  // namespace tare::cli
