#include "sources/bill/native/export_time.h"

#include <algorithm>

#include "sources/bill/native/cells.h"
#include "sources/bill/native/json_lines.h"
#include "sources/byte_source.h"
#include "sources/text_table.h"

namespace tare::sources {
namespace {

constexpr std::string_view kExportTime = "export_time";

// The texts after "export_time": of a file's lines, without reading the rest of them.
std::string newest_of_lines(const std::string& path, const std::string& shown_path) {
  ByteSource bytes(path, shown_path, false);
  std::string newest, rest;
  const std::string key = '"' + std::string(kExportTime) + '"';
  const auto note = [&](std::string_view lines) {
    for (size_t at = lines.find(key); at != std::string_view::npos; at = lines.find(key, at + 1)) {
      const size_t open = lines.find('"', at + key.size());
      if (open == std::string_view::npos) return;
      const size_t close = lines.find('"', open + 1);
      if (close == std::string_view::npos) return;
      newest = std::max(newest, utc_text(lines.substr(open + 1, close - open - 1)));
    }
  };
  for (std::string_view block = bytes.next(); !block.empty(); block = bytes.next()) {
    rest.append(block);
    const size_t whole = rest.rfind('\n') + 1;  // 0 where no line ends yet
    note(std::string_view(rest).substr(0, whole));
    rest.erase(0, whole);
  }
  note(rest);
  return newest;
}

std::string newest_of_table(const std::string& path, const std::string& shown_path) {
  const TextTable table = TextTable::open(path, shown_path);
  const auto& header = table.header();
  const auto at = std::find_if(header.begin(), header.end(), [](const std::string& name) {
    return folded_word(name) == kExportTime;
  });
  if (at == header.end()) return "";
  store::Database database({.threads = 1});
  store::Connection connection = database.connect();
  std::string newest;
  store::Stream stream = table.stream(connection, {static_cast<int>(at - header.begin())});
  std::string last;
  while (const store::Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      if (!chunk->valid(0, row) || chunk->text(0, row) == last) continue;
      last = chunk->text(0, row);
      newest = std::max(newest, utc_text(last));
    }
  }
  return newest;
}

}  // namespace

std::string newest_export_time(const std::string& path, const std::string& shown_path) {
  const bool lines = !json_line_names(path, shown_path).empty();
  std::string newest =
      lines ? newest_of_lines(path, shown_path) : newest_of_table(path, shown_path);
  if (!newest.empty()) return newest;
  throw UserError("missing-column",
                  "'" + shown_path + "' says of no row when it was exported: it has no '" +
                      std::string(kExportTime) + "'",
                  "export that column too, or write 'newest: folder'", place_at(shown_path));
}

}  // namespace tare::sources
