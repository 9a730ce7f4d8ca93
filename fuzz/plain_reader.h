// A CSV reader as plain as can be: whole text in, cells out, by the rules that
// sources/csv_scan.h states. What the fast readers make of a file is compared with it.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.h"

namespace tare::fuzz {

struct PlainRow {
  std::vector<std::string> cells;
  bool broken = false;  // text after a closing quote

  // Whether it can be told which cell belongs to which of so many columns: empty cells beyond them
  // say nothing.
  bool fits(size_t columns) const {
    return !broken && cells.size() >= columns &&
           std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(columns), cells.end(),
                       [](const std::string& cell) { return cell.empty(); });
  }
};

struct PlainTable {
  std::vector<PlainRow> rows;  // lines without a byte are none
  bool unclosed = false;       // the last row has a quote without an end, and is left out
};

class PlainReader {
 public:
  PlainReader(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

  PlainTable read() {
    while (at_ < text_.size() && !table_.unclosed) read_row();
    return std::move(table_);
  }

 private:
  bool at_line_end() const {
    return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r';
  }

  void read_row() {
    PlainRow row;
    const bool empty = at_line_end();
    while (!table_.unclosed) {
      read_cell(&row);
      if (at_line_end()) break;
      ++at_;  // the delimiter
    }
    if (!empty && !table_.unclosed) table_.rows.push_back(row);
    if (text_.substr(at_).starts_with("\r\n")) ++at_;
    ++at_;
  }

  void read_cell(PlainRow* row) {
    std::string cell;
    size_t quote = at_;
    while (quote < text_.size() && text_[quote] == ' ') ++quote;
    if (quote < text_.size() && text_[quote] == '"') {
      at_ = quote + 1;
      read_quoted(&cell);
      while (at_ < text_.size() && text_[at_] == ' ') ++at_;
      row->broken = row->broken || (!at_line_end() && text_[at_] != delimiter_);
    }
    for (; !at_line_end() && text_[at_] != delimiter_; ++at_) cell += text_[at_];
    row->cells.push_back(cell);
  }

  void read_quoted(std::string* cell) {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] != '"') {
        *cell += text_[at_];
        continue;
      }
      const size_t next = std::min(text_.find_first_not_of(' ', at_ + 1), text_.size());
      if (next == text_.size() || text_[next] != '"') {
        ++at_;
        return;
      }
      // Twice, it is one; after spaces, it opens the cell again.
      *cell += next == at_ + 1 ? "\"" : std::string(next - at_ - 1, ' ');
      at_ = next;
    }
    table_.unclosed = true;
  }

  std::string_view text_;
  char delimiter_;
  size_t at_ = 0;
  PlainTable table_;
};

inline std::string_view without_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

// The header and the rows of a file whose first row may begin with a byte-order mark of its own,
// which is left out: a mark alone is then a line without a byte.
inline PlainTable read_plainly(const std::string& header, std::string_view rows, char delimiter) {
  while (!rows.empty() && (rows.front() == '\n' || rows.front() == '\r')) rows.remove_prefix(1);
  rows = without_mark(rows);
  return PlainReader(header + "\n" + std::string(rows), delimiter).read();
}

inline std::string trimmed(const std::string& text) {
  const char* const space = " \t\r\n";
  const size_t first = text.find_first_not_of(space);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

// R01.
inline bool is_unknown(const std::string& text) {
  std::string lower;
  for (const char c : text) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower.empty() || lower == "null";
}

// A sum of money that can be larger than money.
class PlainSum {
 public:
  void add(Money amount) {
    units_ += amount.stored().units;
    atto_ += amount.stored().atto;
  }
  void add(const PlainSum& other) { add_stored(other.units_, other.atto_); }
  void add_stored(int128 units, int128 atto) {
    units_ += units;
    atto_ += atto;
  }
  bool operator==(const PlainSum& other) const {
    const int128 atto = atto_ - other.atto_;
    return atto % Money::kAttoPerUnit == 0 && units_ + atto / Money::kAttoPerUnit == other.units_;
  }

 private:
  int128 units_ = 0, atto_ = 0;
};

}  // namespace tare::fuzz
