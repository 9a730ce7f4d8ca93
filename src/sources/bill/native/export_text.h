// A provider's export for tests, made row by row: columns by name, and what most rows say is said
// once.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tare::sources {

using ExportRow = std::map<std::string, std::string>;

class ExportText {
 public:
  explicit ExportText(std::vector<std::string> columns, ExportRow usual = {})
      : columns_(std::move(columns)), usual_(std::move(usual)) {}

  ExportText& add(const ExportRow& own) {
    ExportRow row = usual_;
    for (const auto& [column, cell] : own) row[column] = cell;
    rows_.push_back(std::move(row));
    return *this;
  }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<ExportRow>& rows() const { return rows_; }
  std::vector<ExportRow>& rows() { return rows_; }

  std::string csv() const { return header() + body(0, rows_.size()); }
  std::string header() const {
    std::string text;
    for (const std::string& column : columns_) text += (text.empty() ? "" : ",") + column;
    return text + "\n";
  }
  std::string body(size_t from, size_t to) const {
    std::string text;
    for (size_t i = from; i < to; ++i) {
      for (size_t column = 0; column < columns_.size(); ++column) {
        const auto cell = rows_[i].find(columns_[column]);
        text += column > 0 ? "," : "";
        if (cell != rows_[i].end()) text += quoted(cell->second);
      }
      text += '\n';
    }
    return text;
  }

 private:
  static std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string text = "\"";
    for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string{c};
    return text + '"';
  }

  std::vector<std::string> columns_;
  ExportRow usual_;
  std::vector<ExportRow> rows_;
};

// SQL of an amount without the zeros at its end; nothing where it is unknown.
inline std::string shown(const std::string& column) {
  return "rtrim(rtrim(CAST(" + column + " AS VARCHAR), '0'), '.')";
}
// The same of several, with '|' between them.
inline std::string shown_costs() {
  return shown("billed_cost") + ", " + shown("effective_cost") + ", " + shown("list_cost") + ", " +
         shown("contracted_cost");
}

}  // namespace tare::sources
