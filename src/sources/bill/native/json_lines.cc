#include "sources/bill/native/json_lines.h"

#include <filesystem>
#include <fstream>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/hash128.h"
#include "sources/bill/tags.h"
#include "sources/byte_source.h"

namespace tare::sources {
namespace {

using LineJson = nlohmann::json;

// The wanted members of one object. Numbers stay as they were written.
class LineReader : public nlohmann::json_sax<LineJson> {
 public:
  explicit LineReader(const NativeFormat& format)
      : cells(format.columns.size()), seen(format.columns.size()), format_(format) {}

  std::vector<std::string> cells;
  std::vector<bool> seen;  // in any line

  bool null() override { return value("null", true); }
  bool boolean(bool flag) override { return value(flag ? "true" : "false", true); }
  bool number_integer(number_integer_t number) override {
    return value(std::to_string(number), true);
  }
  bool number_unsigned(number_unsigned_t number) override {
    return value(std::to_string(number), true);
  }
  bool number_float(number_float_t, const string_t& text) override { return value(text, true); }
  bool string(string_t& text) override { return value(text, false); }
  bool binary(binary_t&) override { return false; }

  bool start_object(size_t) override {
    if (ends_.empty() && capture_ < 0) {
      ends_.push_back(0);
      return true;
    }
    return open('{');
  }
  bool key(string_t& name) override {
    if (capture_ >= 0) {
      separate();
      append_json_string(captured_, name);
      captured_ += ':';
      fresh_ = true;
    } else {
      path_.resize(ends_.back());
      if (!path_.empty()) path_ += '.';
      path_ += name;
    }
    return true;
  }
  bool end_object() override { return close('}'); }
  bool start_array(size_t) override { return !ends_.empty() && open('['); }
  bool end_array() override { return close(']'); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  int wanted() {
    const auto known = places_.find(path_);
    if (known != places_.end()) return known->second;
    const auto at = find_native_column(format_, path_);
    if (places_.size() == kMostPlaces) places_.clear();
    return places_[path_] = at ? static_cast<int>(*at) : -1;
  }

  void take(int column, const std::string& text) {
    cells[static_cast<size_t>(column)] = text;
    seen[static_cast<size_t>(column)] = true;
  }

  void separate() {
    if (!fresh_) captured_ += ',';
    fresh_ = false;
  }

  // A list or object: of a wanted member it is kept as JSON, else its members are looked at.
  bool open(char bracket) {
    if (capture_ >= 0) {
      separate();
      captured_ += bracket;
      ++nested_;
      fresh_ = true;
      return true;
    }
    const int column = wanted();
    if (column >= 0 || bracket == '[') {
      capture_ = column >= 0 ? column : kNobody;
      captured_ = bracket;
      nested_ = 1;
      fresh_ = true;
      return true;
    }
    ends_.push_back(path_.size());
    return true;
  }

  bool close(char bracket) {
    if (capture_ < 0) {
      path_.resize(ends_.back());
      ends_.pop_back();
      return true;
    }
    captured_ += bracket;
    fresh_ = false;
    if (--nested_ > 0) return true;
    if (capture_ != kNobody) take(capture_, captured_);
    capture_ = -1;
    return true;
  }

  bool value(const std::string& text, bool bare) {
    if (capture_ >= 0) {
      separate();
      if (bare) {
        captured_ += text;
      } else {
        append_json_string(captured_, text);
      }
      return true;
    }
    if (ends_.empty()) return false;
    const int column = wanted();
    if (column >= 0) take(column, bare && text == "null" ? std::string() : text);
    return true;
  }

  static constexpr int kNobody = INT32_MAX;  // a list that no column wants
  static constexpr size_t kMostPlaces = 100'000;
  const NativeFormat& format_;
  std::string path_;          // of the member that was read last, its names joined
  std::vector<size_t> ends_;  // of the path of each open object
  int capture_ = -1, nested_ = 0;
  bool fresh_ = true;
  std::string captured_;
  std::unordered_map<std::string, int> places_;

 public:
  void restart() {
    for (std::string& cell : cells) cell.clear();
    ends_.clear();
    path_.clear();
    capture_ = -1;
    nested_ = 0;
  }
};

constexpr size_t kLongestLine = size_t{64} << 20;
constexpr size_t kMostKept = size_t{1} << 20;  // before it is written

// One line, whatever stands in the cell.
void append_cell(std::string& out, std::string_view cell, bool is_text = true) {
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    if (c == '\n' || c == '\r' || c == '\0') {
      out += ' ';
    } else {
      out += is_text || (c & 0x80) == 0 ? c : '?';
    }
  }
  out += '"';
}

}  // namespace

struct JsonRows::Impl {
  explicit Impl(const NativeFormat& native) : format(native), reader(native) {}
  const NativeFormat& format;
  LineReader reader;
  int64_t objects = 0;
};

JsonRows::JsonRows(const NativeFormat& format) : impl_(std::make_unique<Impl>(format)) {}
JsonRows::~JsonRows() = default;
const std::vector<bool>& JsonRows::seen() const { return impl_->reader.seen; }
bool JsonRows::has_objects() const { return impl_->objects > 0; }

void JsonRows::append_header(std::string& csv) const {
  for (const NativeColumn& column : impl_->format.columns) {
    if (&column != &impl_->format.columns.front()) csv += ',';
    append_cell(csv, column.names.substr(0, column.names.find('|')));
  }
  csv += '\n';
}

void JsonRows::append_row(std::string_view line, std::string& csv) {
  LineReader& reader = impl_->reader;
  reader.restart();
  if (trim(line).empty()) {
    csv += '\n';
  } else if (LineJson::sax_parse(line.begin(), line.end(), &reader)) {
    ++impl_->objects;
    for (size_t i = 0; i < reader.cells.size(); ++i) {
      if (i > 0) csv += ',';
      append_cell(csv, reader.cells[i]);
    }
    csv += '\n';
  } else {
    append_cell(csv, line, false);
    csv += '\n';
  }
}

FlatLines::~FlatLines() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

std::unique_ptr<FlatLines> flatten_json_lines(const std::string& path,
                                              const std::string& shown_path,
                                              const BillFormat& format, const Source& source,
                                              const std::string& directory) {
  ByteSource bytes(path, shown_path, true);
  std::string_view block = bytes.next();
  const size_t first = block.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || block[first] != '{') return nullptr;
  std::filesystem::create_directories(directory);
  const std::string flat = directory + "/lines-" + to_text(hash128(path)) + ".part";
  std::ofstream out(flat, std::ios::binary | std::ios::trunc);
  auto lines = std::make_unique<FlatLines>(flat);
  JsonRows rows(*format.native);
  std::string csv, rest;
  rows.append_header(csv);
  const auto write = [&] {
    out.write(csv.data(), static_cast<std::streamsize>(csv.size()));
    csv.clear();
  };
  const auto append = [&](std::string_view part) {
    if (rest.size() + part.size() > kLongestLine) {
      throw UserError("row-too-long", "a line of '" + shown_path + "' has more than 64 MiB",
                      "write an object a line", place_at(shown_path));
    }
    rest += part;
  };
  if (block.starts_with("\xEF\xBB\xBF")) block.remove_prefix(3);
  for (; !block.empty(); block = bytes.next()) {
    for (size_t end = block.find('\n'); end != std::string_view::npos; end = block.find('\n')) {
      append(block.substr(0, end));
      rows.append_row(rest, csv);
      if (csv.size() > kMostKept) write();
      rest.clear();
      block.remove_prefix(end + 1);
    }
    append(block);
  }
  if (!rest.empty()) rows.append_row(rest, csv);
  write();
  out.close();
  if (!out) {
    throw UserError("input-output", "'" + flat + "' can't be written: is the disk full?", "",
                    place_at(shown_path));
  }
  if (rows.has_objects()) {
    check_needed_columns(format, source, rows.seen(), place_at(shown_path, 1, 1));
  }
  lines->set_sha256(bytes.sha256());
  return lines;
}

std::vector<std::string> json_line_names(const std::string& path, const std::string& shown_path) {
  ByteSource bytes(path, shown_path, false);
  const std::string_view block = bytes.next();
  const size_t first = block.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || block[first] != '{') return {};
  const std::string_view line = block.substr(first, block.find('\n', first) - first);
  const LineJson json = LineJson::parse(line.begin(), line.end(), nullptr, false);
  std::vector<std::string> names;
  if (!json.is_object()) return names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  return names;
}

}  // namespace tare::sources
