#include "sources/bill/native/json_lines.h"

#include <filesystem>
#include <fstream>
#include <map>

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
  explicit LineReader(const NativeFormat& format) : format_(format), cells(format.columns.size()) {}

 private:
  const NativeFormat& format_;

 public:
  std::vector<std::string> cells;

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
    if (depth_ == 0 && capture_ < 0) {
      ++depth_;
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
      path_.resize(depth_ - 1);
      path_.push_back(name);
    }
    return true;
  }
  bool end_object() override { return close('}'); }
  bool start_array(size_t) override { return depth_ > 0 && open('['); }
  bool end_array() override { return close(']'); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  std::string joined() const {
    std::string name;
    for (const std::string& part : path_) name += (name.empty() ? "" : ".") + part;
    return name;
  }

  int wanted() {
    const std::string name = joined();
    const auto known = places_.find(name);
    if (known != places_.end()) return known->second;
    const auto at = find_native_column(format_, name);
    return places_[name] = at ? static_cast<int>(*at) : -1;
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
    ++depth_;
    return true;
  }

  bool close(char bracket) {
    if (capture_ < 0) {
      --depth_;
      if (depth_ > 0) path_.resize(depth_ - 1);
      return true;
    }
    captured_ += bracket;
    fresh_ = false;
    if (--nested_ > 0) return true;
    if (capture_ != kNobody) cells[static_cast<size_t>(capture_)] = captured_;
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
    if (depth_ == 0) return false;
    const int column = wanted();
    if (column >= 0 && !(bare && text == "null")) cells[static_cast<size_t>(column)] = text;
    return true;
  }

  static constexpr int kNobody = INT32_MAX;  // a list that no column wants
  size_t depth_ = 0;
  std::vector<std::string> path_;
  int capture_ = -1, nested_ = 0;
  bool fresh_ = true;
  std::string captured_;
  std::map<std::string, int> places_;

 public:
  void restart() {
    for (std::string& cell : cells) cell.clear();
    depth_ = 0;
    path_.clear();
    capture_ = -1;
    nested_ = 0;
  }
};

// One line, whatever stands in the cell.
void append_cell(std::string& out, std::string_view cell) {
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  out += '"';
}

class Flattener {
 public:
  Flattener(const NativeFormat& format, std::ofstream& out) : reader_(format), out_(out) {
    for (const NativeColumn& column : format.columns) {
      if (!text_.empty()) text_ += ',';
      append_cell(text_, column.names.substr(0, column.names.find('|')));
    }
    text_ += '\n';
  }

  void add(std::string_view line) {
    reader_.restart();
    if (trim(line).empty()) {
      text_ += '\n';
    } else if (LineJson::sax_parse(line.begin(), line.end(), &reader_)) {
      for (size_t i = 0; i < reader_.cells.size(); ++i) {
        if (i > 0) text_ += ',';
        append_cell(text_, reader_.cells[i]);
      }
      text_ += '\n';
    } else {
      append_cell(text_, line);
      text_ += '\n';
    }
    if (text_.size() > kMostKept) write();
  }

  void write() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

 private:
  static constexpr size_t kMostKept = size_t{1} << 20;
  LineReader reader_;
  std::ofstream& out_;
  std::string text_;
};

}  // namespace

FlatLines::~FlatLines() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

std::unique_ptr<FlatLines> flatten_json_lines(const std::string& path,
                                              const std::string& shown_path,
                                              const NativeFormat& format,
                                              const std::string& directory) {
  ByteSource bytes(path, shown_path, true);
  std::string_view block = bytes.next();
  const size_t first = block.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || block[first] != '{') return nullptr;
  std::filesystem::create_directories(directory);
  const std::string flat = directory + "/lines-" + to_text(hash128(path)) + ".part";
  std::ofstream out(flat, std::ios::binary | std::ios::trunc);
  auto lines = std::make_unique<FlatLines>(flat);
  Flattener flattener(format, out);
  std::string rest;
  if (block.starts_with("\xEF\xBB\xBF")) block.remove_prefix(3);
  for (; !block.empty(); block = bytes.next()) {
    for (size_t end = block.find('\n'); end != std::string_view::npos; end = block.find('\n')) {
      rest += block.substr(0, end);
      flattener.add(rest);
      rest.clear();
      block.remove_prefix(end + 1);
    }
    rest += block;
  }
  if (!rest.empty()) flattener.add(rest);
  flattener.write();
  out.close();
  if (!out) {
    throw UserError("input-output", "'" + flat + "' can't be written: is the disk full?", "",
                    place_at(shown_path));
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
