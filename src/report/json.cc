#include <nlohmann/json.hpp>

#include "base/decimal_text.h"
#include "base/printable.h"
#include "report/cell_text.h"
#include "report/formats.h"

namespace tare {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

// Bytes that are not UTF-8 as \xNN, so that any name makes valid JSON; all else as it is.
std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const std::string_view bytes = text.substr(0, point.bytes);
    out += point.valid ? std::string(bytes) : printable(bytes);
    text.remove_prefix(point.bytes);
  }
  return out;
}

Json json_of(const Ratio& ratio) {
  if (!is_known(ratio)) return nullptr;
  return {{"value", ratio_text(ratio)},
          {"numerator", integer_text(ratio.numerator)},
          {"denominator", integer_text(ratio.denominator)}};
}

struct CellJson {
  Json operator()(const Unknown&) const { return nullptr; }
  Json operator()(const std::string& text) const { return valid_utf8(text); }
  Json operator()(int64_t count) const { return count; }
  Json operator()(const Money& amount) const { return to_text(amount); }
  Json operator()(const MoneyRange& range) const {
    return {{"low", to_text(range.low)}, {"high", to_text(range.high)}};
  }
  Json operator()(const Ratio& ratio) const { return json_of(ratio); }
  Json operator()(const RatioRange& range) const {
    return {{"low", json_of(range.low)}, {"high", json_of(range.high)}};
  }
  Json operator()(const Price& price) const { return price_text(price); }
  // Beyond what JSON readers take for a number (292 years of one device), text with all its digits.
  Json operator()(const DeviceTime& time) const {
    const auto ns = static_cast<int64_t>(time.ns);
    if (ns == time.ns) return ns;
    return integer_text(time.ns);
  }
  Json operator()(const LowerBound& bound) const { return {{"above", to_text(bound.amount)}}; }
  Json operator()(bool yes) const { return yes; }
};

Json row_json(const Table& table, const Row& row) {
  Json json = {{"key", valid_utf8(row.key)}, {"depth", row.depth}};
  if (row.is_total) json["total"] = true;
  if (!row.adds_up) json["adds_up"] = false;
  Json cells = Json::object();
  Json ids = Json::object();
  const std::string row_prefix = valid_utf8(row_id(table, row)) + "/";
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const std::string name = valid_utf8(table.columns[i].name);
    cells[name] = std::visit(CellJson{}, row.cells[i]);
    if (is_figure(row.cells[i])) ids[name] = row_prefix + name;
  }
  json["cells"] = std::move(cells);
  json["ids"] = std::move(ids);
  if (!row.note.empty()) json["note"] = valid_utf8(row.note);
  return json;
}

void add_notes(Json& json, const std::vector<std::string>& notes) {
  if (notes.empty()) return;
  Json all = Json::array();
  for (const std::string& note : notes) all.push_back(valid_utf8(note));
  json["notes"] = std::move(all);
}

Json table_json(const Table& table) {
  Json json = {{"id", valid_utf8(table.id)}, {"title", valid_utf8(table.title)}};
  Json columns = Json::array();
  for (const Column& column : table.columns) {
    columns.push_back({{"name", valid_utf8(column.name)}, {"heading", valid_utf8(column.heading)}});
  }
  json["columns"] = std::move(columns);
  Json rows = Json::array();
  for (const Row& row : table.rows) rows.push_back(row_json(table, row));
  json["rows"] = std::move(rows);
  add_notes(json, table.notes);
  return json;
}

}  // namespace

void write_json(std::string& out, const Document& document) {
  Json json = {{"schema_version", kSchemaVersion}, {"command", valid_utf8(document.command)}};
  Json facts = Json::object();
  for (const auto& [name, value] : document.facts) facts[valid_utf8(name)] = valid_utf8(value);
  json["facts"] = std::move(facts);
  Json tables = Json::array();
  for (const Table& table : document.tables) tables.push_back(table_json(table));
  json["tables"] = std::move(tables);
  add_notes(json, document.notes);
  constexpr int kIndent = 2;
  constexpr bool kOnlyAscii = true;  // a terminal may show it: no control sequence beyond ASCII
  out += json.dump(kIndent, ' ', kOnlyAscii);
  out += '\n';
}

}  // namespace tare
