// A CSV reader as plain as can be: whole text in, cells out, a quoted cell where a quote begins it.
// What the fast readers make of a file is compared with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::fuzz {

using Cells = std::vector<std::string>;

struct PlainTable {
  std::vector<Cells> rows;  // the header is the first; lines without a byte are none
  bool broken = false;      // a quote that is not closed, or text after a closing quote
};

inline PlainTable read_plainly(std::string_view text, char delimiter) {
  PlainTable table;
  Cells cells;
  std::string cell;
  bool quoted = false, after_quote = false, any = false;
  const auto end_cell = [&] {
    cells.push_back(cell);
    cell.clear();
    after_quote = false;
  };
  const auto end_row = [&] {
    if (any) {
      end_cell();
      table.rows.push_back(cells);
    }
    cells.clear();
    any = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += c;
        ++i;
      } else {
        quoted = false;
        after_quote = true;
      }
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      end_row();
    } else if (c == delimiter) {
      any = true;
      end_cell();
    } else if (c == '"' && cell.empty() && !after_quote) {
      any = quoted = true;
    } else {
      table.broken = table.broken || after_quote;
      any = true;
      cell += c;
    }
  }
  table.broken = table.broken || quoted;
  end_row();
  return table;
}

}  // namespace tare::fuzz
