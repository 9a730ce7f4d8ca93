#include "base/decimal_text.h"
#include "base/printable.h"
#include "report/cell_text.h"
#include "report/formats.h"

namespace tare {
namespace {

// Control characters and bad UTF-8 as \xNN, but for the three that CSV can hold in quotes.
std::string safe_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find_first_of("\t\r\n");
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += text[end];
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

// Whether a spreadsheet would run the text as a formula; a number or a lone dash it would not.
bool is_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos)
    return false;
  return text != "-" && !parse_decimal(text).ok();
}

// A text cell. One that a spreadsheet would run as a formula gets an apostrophe before it.
std::string text_cell(std::string_view text) {
  std::string safe = safe_text(text);
  if (is_formula(safe)) safe.insert(safe.begin(), '\'');
  return quoted(safe);
}

struct CellCsv {
  std::string operator()(const Unknown&) const { return ""; }
  std::string operator()(const std::string& text) const { return text_cell(text); }
  std::string operator()(int64_t count) const { return std::to_string(count); }
  std::string operator()(const Money& amount) const { return to_text(amount); }
  std::string operator()(const MoneyRange& range) const {
    return to_text(range.low) + ".." + to_text(range.high);
  }
  std::string operator()(const Ratio& ratio) const {
    return is_known(ratio) ? ratio_text(ratio) : "";
  }
  std::string operator()(const RatioRange& range) const {
    if (!is_known(range.low) || !is_known(range.high)) return "";
    return ratio_text(range.low) + ".." + ratio_text(range.high);
  }
  std::string operator()(const Price& price) const { return price_text(price); }
  std::string operator()(const DeviceTime& time) const { return integer_text(time.ns); }
  std::string operator()(const LowerBound& bound) const { return ">" + to_text(bound.amount); }
  std::string operator()(bool yes) const { return yes ? "true" : "false"; }
};

std::string level_of(const Row& row) {
  if (row.is_total) return "total";
  return row.adds_up ? std::to_string(row.depth) : "thereof";
}

void write_csv_table(std::string& out, const Table& table, const Style& style) {
  std::vector<std::string> fields;
  auto end_line = [&] {
    for (size_t i = 0; i < fields.size(); ++i) out += (i == 0 ? "" : ",") + fields[i];
    out += '\n';
    fields.clear();
  };
  for (const Column& column : table.columns) fields.push_back(text_cell(column.name));
  if (table.keyed) fields.insert(fields.end(), {"row_key", "row_level"});
  if (table.keyed && style.ids) fields.emplace_back("row_id");
  end_line();
  for (const Row& row : table.rows) {
    for (const Value& cell : row.cells) fields.push_back(std::visit(CellCsv{}, cell));
    if (table.keyed) fields.insert(fields.end(), {text_cell(row.key), level_of(row)});
    if (table.keyed && style.ids) fields.push_back(text_cell(row_id(table, row)));
    end_line();
  }
}

}  // namespace

void write_csv(std::string& out, const Document& document, const Style& style) {
  const bool several = document.tables.size() > 1;
  bool first = true;
  for (const Table& table : document.tables) {
    if (!first) out += '\n';
    first = false;
    if (several) out += "# " + printable(table.id) + "\n";
    write_csv_table(out, table, style);
  }
  if (document.tables.empty()) out += '\n';
}

}  // namespace tare
