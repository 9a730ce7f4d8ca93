// Any bytes as a line of JSON: what is an object makes a row of the format's cells, the same that a
// plain look into the object finds; anything else makes one cell, and each a line of its own.

#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "sources/bill/formats.h"
#include "sources/bill/native/json_lines.h"
#include "sources/csv_scan.h"

namespace {

using Json = nlohmann::json;

// Where the names of members are written as the format has them, and stand once.
std::string plain_cell(const Json& object, std::string_view name) {
  const Json* at = &object;
  while (!name.empty()) {
    const size_t end = std::min(name.find('.'), name.size());
    if (!at->is_object() || !at->contains(name.substr(0, end))) return "";
    at = &(*at)[std::string(name.substr(0, end))];
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return at->is_string() ? at->get<std::string>() : "";
}

// Whether all names are parts of the format's, as it writes them, and stand once: other spellings
// and names that stand twice are another matter.
bool is_plain(const std::string& line, const tare::sources::NativeFormat& format) {
  std::set<std::string> parts;
  for (const auto& column : format.columns) {
    std::stringstream names{std::string(column.names)};
    for (std::string part; std::getline(names, part, '.');) parts.insert(part);
  }
  bool plain = true;
  std::vector<std::set<std::string>> open;
  const Json whole = Json::parse(
      line,
      [&](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start) open.emplace_back();
        if (event == Json::parse_event_t::object_end) open.pop_back();
        if (event == Json::parse_event_t::key) {
          const auto name = value.get<std::string>();
          plain = plain && parts.contains(name) && open.back().insert(name).second;
        }
        return true;
      },
      false);
  return plain && !whole.is_discarded();
}

std::string as_cell(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\0') c = ' ';
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace tare::sources;
  std::string line(bytes, bytes + count);
  if (line.find('\n') != std::string::npos) return 0;
  const NativeFormat& format = *kGcpDetailedFormat.native;
  JsonRows rows(format);
  std::string csv;
  rows.append_row(line, csv);
  TARE_ASSERT(csv.find('\n') == csv.size() - 1, "a line a row");
  TARE_ASSERT(csv.find('\0') == std::string::npos, "text");
  csv.pop_back();
  const Json json = Json::parse(line, nullptr, false);
  TARE_ASSERT(rows.has_objects() == json.is_object(), "an object makes a row");
  const auto cells = split_record(csv, ',');
  if (!json.is_object()) {
    TARE_ASSERT(cells.size() == 1, "anything else is one cell");
    return 0;
  }
  TARE_ASSERT(cells.size() == format.columns.size(), "a cell a column");
  if (!is_plain(line, format)) return 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string plain = plain_cell(json, format.columns[i].names);
    if (!plain.empty()) TARE_ASSERT(cells[i].text == as_cell(plain), "the same text");
  }
  return 0;
}
