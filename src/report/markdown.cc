#include <algorithm>

#include "base/printable.h"
#include "report/cell_text.h"
#include "report/formats.h"
#include "report/shown_numbers.h"

namespace tare {
namespace {

// Text that means nothing but itself: no markup, no HTML, and no mention, issue reference or link
// that a forge would make of a name. (Those are found after the markup is read, so that only
// something between their characters prevents them.)
std::string plain(std::string_view text) {
  constexpr std::string_view kNothing = "<!-- -->";
  const std::string safe = printable(text);
  std::string out;
  for (size_t i = 0; i < safe.size(); ++i) {
    const char c = safe[i];
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_{}[]|~$!#").find(c) != std::string_view::npos) out += '\\';
      out += c;
      const std::string_view rest = std::string_view(safe).substr(i);
      if (c == '@' || c == '#' || rest.starts_with("://") || rest.starts_with("www.")) {
        out += kNothing;
      }
    }
  }
  return out;
}

// A list's item, which must not open a list of its own.
std::string item(std::string_view text) {
  std::string out = plain(text);
  const size_t digits = std::min(out.find_first_not_of("0123456789"), out.size());
  if (digits < out.size() &&
      std::string_view(digits > 0 ? ".)" : "-+").find(out[digits]) != std::string_view::npos) {
    out.insert(digits, 1, '\\');
  }
  return "- " + out + "\n";
}

std::string named(const std::string& name, const std::string& value) { return name + ": " + value; }

std::string label_of(const Row& row, const std::string& text) {
  std::string label;
  for (int i = 0; i < row.depth; ++i) label += "&nbsp;&nbsp;";
  label += text;
  return label;
}

void write_row(std::string& out, const Table& table, const Row& row,
               const std::vector<std::optional<int128>>& units,
               const std::vector<std::optional<int128>>& high, const Style& style) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    std::string text = plain(people_text(row.cells[i], table.columns[i], units[i], high[i]));
    if (row.is_total && !text.empty()) text.insert(0, "**").append("**");
    out += "| " + (i == 0 ? label_of(row, text) : text) + " ";
  }
  if (style.ids) out += "| " + plain(row_id(table, row)) + " ";
  out += "|\n";
}

void write_markdown_table(std::string& out, const Table& table, const Style& style) {
  out += "\n### " + plain(table.title) + "\n\n";
  for (const Column& column : table.columns) out += "| " + plain(column.heading) + " ";
  out += style.ids ? "| id |\n" : "|\n";
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const bool left = i == 0 || table.columns[i].align == Align::kLeft;
    out += left ? "| --- " : "| ---: ";
  }
  out += style.ids ? "| --- |\n" : "|\n";
  const ShownUnits units = shown_units(table);
  const ShownUnits high = shown_high_units(table, units);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    write_row(out, table, table.rows[i], units[i], high[i], style);
  }
  std::string notes;
  for (const Row& row : table.rows) {
    if (!row.note.empty()) notes += item(named(row.key, row.note));
  }
  for (const std::string& note : table.notes) notes += item(note);
  if (!notes.empty()) out += "\n" + notes;
}

}  // namespace

void write_markdown(std::string& out, const Document& document, const Style& style) {
  out += "## tare " + plain(document.command) + "\n";
  if (!document.facts.empty()) out += '\n';
  for (const auto& [name, value] : document.facts) out += item(named(name, value));
  for (const Table& table : document.tables) write_markdown_table(out, table, style);
  if (!document.notes.empty()) out += '\n';
  for (const std::string& note : document.notes) out += item(note);
}

}  // namespace tare
