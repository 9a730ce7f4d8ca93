#include <algorithm>

#include "base/printable.h"
#include "report/cell_text.h"
#include "report/formats.h"
#include "report/shown_numbers.h"
#include "report/wrapped_lines.h"

namespace tare {
namespace {

constexpr size_t kGap = 2;         // spaces between columns
constexpr size_t kIndent = 2;      // spaces a depth
constexpr size_t kNarrowest = 16;  // a text column is not wrapped below this
constexpr size_t kNoLimit = 1'000'000;

using Lines = std::vector<std::string>;

void append_line(std::string& out, std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

std::string bold(const std::string& text, const Style& style) {
  return style.colour ? "\x1b[1m" + text + "\x1b[0m" : text;
}

size_t widest(const Lines& lines) {
  size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

size_t longest_word(std::string_view text) {
  size_t longest = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    longest = std::max(longest, display_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

void append_wrapped(std::string& out, std::string_view text, size_t indent, size_t limit) {
  const size_t width = limit > indent + kNarrowest ? limit - indent : kNarrowest;
  for (const std::string& line : wrapped_lines(printable(text), width)) {
    append_line(out, std::string(indent, ' ') + line);
  }
}

// One column of a table, each cell already in lines.
struct TextColumn {
  bool left = false;
  bool wraps = false;  // texts only, so that a narrower column cuts no number
  Lines heading;
  std::vector<Lines> cells;
  std::vector<size_t> indents;
  size_t width = 0;

  size_t cells_width() const {
    size_t most = 0;
    for (size_t i = 0; i < cells.size(); ++i) most = std::max(most, indents[i] + widest(cells[i]));
    return most;
  }
  void measure() { width = std::max(widest(heading), cells_width()); }

  // To about two lines, and never narrower than the cells or a word.
  void wrap_heading() {
    const size_t half = (widest(heading) + 1) / 2;
    const size_t room = std::max({cells_width(), longest_word(heading.front()), half, size_t{1}});
    heading = wrapped_lines(heading.front(), room);
    measure();
  }
  void wrap_to(size_t most) {
    heading = wrapped_lines(heading.front(), most);
    for (size_t i = 0; i < cells.size(); ++i) {
      const size_t room = most > indents[i] + kNarrowest / 2 ? most - indents[i] : kNarrowest / 2;
      cells[i] = wrapped_lines(cells[i].front(), room);
    }
    measure();
  }
};

std::vector<TextColumn> columns_of(const Table& table, const Style& style) {
  const ShownUnits units = shown_units(table);
  const ShownUnits high = shown_high_units(table, units);
  std::vector<TextColumn> columns;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    TextColumn column;
    column.left = c == 0 || table.columns[c].align == Align::kLeft;
    column.wraps = !table.rows.empty();
    column.heading = {printable(table.columns[c].heading)};
    for (size_t r = 0; r < table.rows.size(); ++r) {
      const Row& row = table.rows[r];
      column.cells.push_back(
          {printable(people_text(row.cells[c], table.columns[c], units[r][c], high[r][c]))});
      column.indents.push_back(c == 0 ? kIndent * static_cast<size_t>(std::max(row.depth, 0)) : 0);
      column.wraps = column.wraps && !is_figure(row.cells[c]);
    }
    columns.push_back(std::move(column));
  }
  if (style.ids) {
    TextColumn ids;
    ids.left = true;
    ids.heading = {"id"};
    for (const Row& row : table.rows) ids.cells.push_back({printable(row_id(table, row))});
    ids.indents.assign(table.rows.size(), 0);
    columns.push_back(std::move(ids));
  }
  for (TextColumn& column : columns) column.measure();
  return columns;
}

size_t total_width(const std::vector<TextColumn>& columns) {
  size_t width = columns.empty() ? 0 : kGap * (columns.size() - 1);
  for (const TextColumn& column : columns) width += column.width;
  return width;
}

// Headings give way first, then the widest texts; numbers never do.
void fit(std::vector<TextColumn>& columns, size_t limit) {
  std::vector<std::pair<size_t, size_t>> by_room;  // how much the heading leaves above the cells
  by_room.reserve(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    by_room.emplace_back(columns[i].width - columns[i].cells_width(), i);
  }
  std::ranges::sort(by_room, std::ranges::greater{});
  for (const auto& [room, index] : by_room) {
    if (total_width(columns) <= limit) return;
    columns[index].wrap_heading();
  }
  for (size_t i = 0; i < columns.size() && total_width(columns) > limit; ++i) {
    const auto widest_text = std::ranges::max_element(
        columns, {}, [](const TextColumn& column) { return column.wraps ? column.width : 0; });
    const size_t excess = total_width(columns) - limit;
    const size_t width = widest_text->width;
    if (!widest_text->wraps || width <= kNarrowest) return;
    widest_text->wrap_to(width > excess + kNarrowest ? width - excess : kNarrowest);
    widest_text->wraps = false;
  }
}

void append_cell(std::string& line, const TextColumn& column, const std::string& text,
                 size_t indent) {
  const size_t padding = column.width - std::min(column.width, indent + display_width(text));
  line.append(column.left ? indent : padding, ' ');
  line += text;
  if (column.left) line.append(padding, ' ');
}

// The lines of a row (or, without one, of the headings, which stand at the bottom).
Lines lines_of(const std::vector<TextColumn>& columns, std::optional<size_t> row) {
  size_t height = 1;
  for (const TextColumn& column : columns) {
    height = std::max(height, (row ? column.cells[*row] : column.heading).size());
  }
  Lines lines(height);
  for (const TextColumn& column : columns) {
    const Lines& texts = row ? column.cells[*row] : column.heading;
    const size_t indent = row ? column.indents[*row] : 0;
    const size_t first = row ? 0 : height - texts.size();
    for (size_t i = 0; i < height; ++i) {
      const bool has_text = i >= first && i - first < texts.size();
      if (&column != &columns.front()) lines[i].append(kGap, ' ');
      append_cell(lines[i], column, has_text ? texts[i - first] : "", indent);
    }
  }
  for (std::string& line : lines) line.resize(line.find_last_not_of(' ') + 1);
  return lines;
}

void append_row(std::string& out, const std::vector<TextColumn>& columns, const Row& row,
                size_t index, const Style& style, size_t limit) {
  Lines lines = lines_of(columns, index);
  const std::string note = printable(row.note);
  const bool beside = !note.empty() && lines.size() == 1 &&
                      total_width(columns) + kGap + display_width(note) <= limit;
  if (beside) {
    const size_t used = display_width(lines.front());
    lines.front().append(total_width(columns) + kGap - used, ' ');
    lines.front() += note;
  }
  for (const std::string& line : lines) {
    out += row.is_total && !line.empty() ? bold(line, style) : line;
    out += '\n';
  }
  if (!note.empty() && !beside) {
    append_wrapped(out, note, columns.front().indents[index] + 2 * kIndent, limit);
  }
}

void append_rows(std::string& out, const Table& table, const std::vector<TextColumn>& columns,
                 const Style& style, size_t limit) {
  const std::string rule(total_width(columns), '-');
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    if (row.is_total && i > 0 && !table.rows[i - 1].is_total) out += rule + '\n';
    append_row(out, columns, row, i, style, limit);
    const bool opens = row.is_total && i == 0 && table.rows.size() > 1;
    if (opens && !table.rows[1].is_total) out += rule + '\n';
  }
}

void append_figure_names(std::string& out, const Table& table, size_t limit) {
  std::string names;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const bool has_figures =
        std::ranges::any_of(table.rows, [&](const Row& row) { return is_figure(row.cells[c]); });
    if (has_figures) names += " /" + table.columns[c].name;
  }
  if (names.empty()) return;
  append_wrapped(out, "a figure's id is its row's id and one of:" + names, kIndent, limit);
}

void append_table(std::string& out, const Table& table, const Style& style, size_t limit) {
  out += bold(printable(table.title), style) + '\n';
  if (table.rows.empty()) {
    out += "  (no rows)\n";
  } else {
    std::vector<TextColumn> columns = columns_of(table, style);
    fit(columns, limit);
    for (const std::string& line : lines_of(columns, std::nullopt)) out += line + '\n';
    append_rows(out, table, columns, style, limit);
    if (style.ids) append_figure_names(out, table, limit);
  }
  for (const std::string& note : table.notes) append_wrapped(out, note, kIndent, limit);
}

// "project: acme   month: 2026-08", as many on a line as fit.
void append_facts(std::string& out, const Document& document, size_t limit) {
  std::string line;
  for (const auto& [name, value] : document.facts) {
    const std::string fact = printable(name) + ": " + printable(value);
    if (!line.empty() && display_width(line) + 3 + display_width(fact) > limit) {
      append_line(out, std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : "   ") + fact;
  }
  if (!line.empty()) append_line(out, std::move(line));
}

}  // namespace

void write_text(std::string& out, const Document& document, const Style& style) {
  const size_t limit = style.width > 0 ? static_cast<size_t>(style.width) : kNoLimit;
  std::string text;
  const auto begin_block = [&] { text += text.empty() ? "" : "\n"; };
  append_facts(text, document, limit);
  for (const Table& table : document.tables) {
    begin_block();
    append_table(text, table, style, limit);
  }
  if (!document.notes.empty()) begin_block();
  for (const std::string& note : document.notes) append_wrapped(text, note, 0, limit);
  if (!document.next_step.empty()) {
    begin_block();
    append_line(text, "next: " + printable(document.next_step));  // to be copied whole
  }
  out += text.empty() ? "\n" : text;
}

}  // namespace tare
