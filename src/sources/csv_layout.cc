#include "sources/csv_layout.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "base/printable.h"
#include "sources/byte_source.h"
#include "sources/csv_scan.h"

namespace tare::sources {
namespace {

constexpr int64_t kRowsPerMark = 65'536;
constexpr int64_t kLongestRecord = int64_t{64} << 20;
constexpr size_t kMostRagged = 100'000;
constexpr std::string_view kAllDelimiters = ",;\t|";

std::string_view trim_cell(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

UserError not_text(const std::string& shown_path, const std::string& what, const std::string& hint,
                   int64_t line = 0, int64_t column = 0) {
  return {"not-text", "'" + shown_path + "' is " + what, hint, place_at(shown_path, line, column)};
}

// Kinds of files that are no text, by their first bytes.
void check_magic(std::string_view head, const std::string& shown_path) {
  const std::string utf8_hint = "write it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW";
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
    throw not_text(shown_path, "UTF-16 text", utf8_hint);
  }
  const size_t look = std::min<size_t>(head.size(), 64);
  if (std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(look), '\0') >
      static_cast<std::ptrdiff_t>(look / 4)) {
    throw not_text(shown_path, "UTF-16 text or no text at all", utf8_hint);
  }
  struct Magic {
    std::string_view bytes;
    const char *what, *hint;
  };
  for (const Magic& magic :
       {Magic{"PK\x03\x04", "a zip archive or a spreadsheet", "unpack it, or save it as CSV"},
        Magic{"\x28\xB5\x2F\xFD", "compressed by zstd", "unpack it, or pack it with gzip"},
        Magic{"BZh", "compressed by bzip2", "unpack it, or pack it with gzip"},
        Magic{"\xFD"
              "7zXZ",
              "compressed by xz", "unpack it, or pack it with gzip"}}) {
    if (head.starts_with(magic.bytes)) throw not_text(shown_path, magic.what, magic.hint);
  }
}

// Text that is not UTF-8, or holds a byte of zero, can't be kept: DuckDB would drop the row.
void check_text(const CsvScanner& record, const std::string& shown_path) {
  const std::string_view text = record.text();
  unsigned char all = 0;
  bool zero = false;
  for (const char c : text) {
    all = static_cast<unsigned char>(all | static_cast<unsigned char>(c));
    zero |= c == '\0';
  }
  if (all < 0x80 && !zero) return;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint point = first_code_point(rest);
    if (!point.valid || rest.front() == '\0') {
      const std::string_view before = text.substr(0, text.size() - rest.size());
      const size_t newline = before.rfind('\n');
      const size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
      throw not_text(shown_path,
                     rest.front() == '\0' ? "no text: it holds a zero byte" : "not UTF-8",
                     "write it as UTF-8: iconv -f LATIN1 -t UTF-8 FILE > NEW",
                     record.line() + std::count(before.begin(), before.end(), '\n'),
                     static_cast<int64_t>(before.size() - line_start) + 1);
    }
    rest.remove_prefix(point.bytes);
  }
}

// The physical line of a record's text, counted from 0.
std::string_view line_of(std::string_view record, int64_t line) {
  for (; line > 0; --line) record.remove_prefix(record.find('\n') + 1);
  return record.substr(0, record.find('\n'));
}

// The header's own record, found with `delimiter`.
struct Head {
  std::string text;
  int64_t line = 1, blank_lines = 0;
  bool found = false, unclosed = false;
};
Head find_head(std::string_view block, char delimiter) {
  CsvScanner scanner(delimiter);
  Head head;
  while (scanner.next(block) || scanner.finish()) {
    if (!trim_cell(scanner.text()).empty()) {
      head.text = scanner.text();
      head.line = scanner.line();
      head.found = true;
      return head;
    }
    ++head.blank_lines;
  }
  head.unclosed = scanner.unclosed();
  head.line = scanner.line();
  return head;
}

UserError quote_unclosed(const std::string& shown_path, int64_t line) {
  return {"quote-unclosed", "a quote in '" + shown_path + "' is never closed",
          "close it, or fetch the file again; nothing of it was loaded",
          place_at(shown_path, line, 1)};
}

UserError column_twice(const std::string& name, const Place& place) {
  return {"column-twice", "two columns are named '" + name + "'", "rename one of them", place};
}

void read_header(CsvLayout& layout, std::string_view block, const std::string& shown_path) {
  size_t most = 0;
  Head best;
  for (const char candidate : kAllDelimiters) {
    const Head head = find_head(block, candidate);
    if (head.unclosed) throw quote_unclosed(shown_path, head.line);
    const size_t cells = head.found ? split_record(head.text, candidate).size() : 0;
    if (cells <= most) continue;
    most = cells;
    best = head;
    layout.delimiter = candidate;
  }
  if (!best.found) {
    throw UserError("file-empty", "'" + shown_path + "' holds no text",
                    "export it again, with a header", place_at(shown_path));
  }
  layout.header_line = best.line;
  layout.header_text = best.text;
  layout.blank_lines_before = best.blank_lines;
  std::set<std::string> seen;
  bool letters = false;
  for (const CsvCell& cell : split_record(best.text, layout.delimiter)) {
    std::string name(trim_cell(cell.text));
    letters = letters || std::any_of(name.begin(), name.end(), [](unsigned char c) {
                return std::isalpha(c) != 0 || c >= 0x80;
              });
    if (name.empty()) name.append("column_").append(std::to_string(layout.header.size() + 1));
    if (!seen.insert(name).second) {
      Place place =
          place_at(shown_path, best.line + cell.line, cell.column, line_of(best.text, cell.line));
      place.caret_length = static_cast<int64_t>(name.size());
      throw column_twice(name, place);
    }
    layout.header.push_back(std::move(name));
  }
  if (!letters) {
    throw UserError("header-missing",
                    "'" + shown_path + "' has no header: its first line holds no names",
                    "put the names of the columns into the first line",
                    place_at(shown_path, best.line, 1, best.text));
  }
}

enum class RecordKind : uint8_t { kBlank, kRow, kRagged };

// Empty cells beyond the header's, as delimiters at the end of a line make them, say nothing;
// DuckDB leaves them out too.
bool only_empty_cells_beyond(const CsvScanner& record, const CsvLayout& layout) {
  const std::vector<CsvCell> cells = split_record(record.text(), layout.delimiter);
  return std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(layout.header.size()), cells.end(),
                     [](const CsvCell& cell) { return cell.text.empty(); });
}

RecordKind kind_of(const CsvScanner& record, const CsvLayout& layout) {
  const size_t columns = layout.header.size();
  if (record.blank() && columns > 1) return RecordKind::kBlank;
  if (record.broken() || record.cells() < columns) return RecordKind::kRagged;
  const bool fits = record.cells() == columns || only_empty_cells_beyond(record, layout);
  return fits ? RecordKind::kRow : RecordKind::kRagged;
}

std::string why_ragged(const CsvScanner& record, size_t columns) {
  if (record.broken()) return "text after a closing quote";
  return std::to_string(record.cells()) + (record.cells() == 1 ? " cell" : " cells") +
         ", the header has " + std::to_string(columns);
}

// Feeds every record after the header to `visit`, which returns false to stop.
template <typename Visit>
void each_record(ByteSource& bytes, std::string_view block, CsvScanner& scanner, Visit&& visit) {
  while (true) {
    while (scanner.next(block)) {
      if (!visit()) return;
    }
    block = bytes.next();
    if (block.empty()) break;
  }
  if (scanner.finish()) visit();
}

class LayoutScan {
 public:
  LayoutScan(const std::string& path, const std::string& shown_path)
      : shown_path_(shown_path), bytes_(path, shown_path, true) {}

  CsvLayout run() {
    std::string_view block = bytes_.next();
    check_magic(block, shown_path_);
    layout_.gzip = bytes_.is_gzip();
    read_header(layout_, block, shown_path_);
    CsvScanner scanner(layout_.delimiter);
    each_record(bytes_, block, scanner, [&] {
      take(scanner);
      return true;
    });
    if (scanner.unclosed()) throw quote_unclosed(shown_path_, scanner.line());
    if (scanner.lone_return_line() > 0) throw lone_return(scanner.lone_return_line());
    layout_.mixed_line_ends = scanner.mixed_line_ends();
    layout_.quoted_line_ends = scanner.quoted_line_ends();
    layout_.bytes = scanner.bytes_taken();
    layout_.sha256 = bytes_.sha256();
    return std::move(layout_);
  }

 private:
  UserError lone_return(int64_t line) const {
    return {"line-ends-mixed",
            "'" + shown_path_ + "' has lines that end in CR LF, and this one ends in CR alone",
            "write it with one kind of line end: such a row can't be told from the next one",
            place_at(shown_path_, line)};
  }

  void take(CsvScanner& record) {
    check_text(record, shown_path_);
    layout_.longest_record =
        std::max(layout_.longest_record, static_cast<int64_t>(record.text().size()));
    if (layout_.longest_record > kLongestRecord) {
      throw UserError("row-too-long", "a row of '" + shown_path_ + "' has more than 64 MiB",
                      "look for a quote that is not closed", place_at(shown_path_, record.line()));
    }
    if (header_seen_) {
      take_row(record);
    } else {
      header_seen_ = record.line() == layout_.header_line;
    }
    // A mark at the first row would else be part of its first cell.
    if (header_seen_ && !first_seen_) record.allow_mark();
  }

  void take_row(const CsvScanner& record) {
    const RecordKind kind = kind_of(record, layout_);
    if (kind == RecordKind::kBlank) {
      if (!first_seen_) ++layout_.blank_lines_after;
      return;
    }
    if (!first_seen_ && record.mark_seen()) {
      layout_.second_bom = true;
      layout_.first_row_fits = kind == RecordKind::kRow;
      for (CsvCell& cell : split_record(record.text(), layout_.delimiter)) {
        layout_.first_row.push_back(std::move(cell.text));
      }
    }
    first_seen_ = true;
    if (kind == RecordKind::kRagged) {
      if (layout_.ragged.size() == kMostRagged) throw too_many_ragged();
      layout_.ragged.push_back(
          {record.line(), std::string(record.text()), why_ragged(record, layout_.header.size())});
      return;
    }
    if (layout_.rows % kRowsPerMark == 0) {
      layout_.marks.push_back(
          {layout_.rows, record.bytes_taken() - record.record_bytes(), record.line()});
    }
    ++layout_.rows;
  }

  UserError too_many_ragged() const {
    const RaggedRow& first = layout_.ragged.front();
    return {"rows-ragged",
            "more than " + std::to_string(kMostRagged) + " rows of '" + shown_path_ +
                "' do not fit its header; the first has " + first.why,
            "look for unquoted commas and line breaks",
            place_at(shown_path_, first.line, 1, first.text)};
  }

  std::string shown_path_;
  ByteSource bytes_;
  CsvLayout layout_;
  bool header_seen_ = false, first_seen_ = false;
};

// The physical line of `record` on which its cell `column` stands.
Place place_in(const CsvScanner& record, const CsvLayout& layout, const std::string& shown_path,
               int column) {
  Place place = place_at(shown_path, record.line(), 1);
  int64_t lines_before = 0;
  if (column >= 0) {
    const std::vector<CsvCell> cells = split_record(record.text(), layout.delimiter);
    const CsvCell& cell = cells.at(static_cast<size_t>(column));
    lines_before = cell.line;
    place.line += cell.line;
    place.column = cell.column;
    place.caret_length = std::max<int64_t>(1, static_cast<int64_t>(cell.text.size()));
  }
  place.source_line = line_of(record.text(), lines_before);
  return place;
}

}  // namespace

Place place_at(const std::string& shown_path, int64_t line, int64_t column,
               std::string_view source_line) {
  Place place;
  place.file = shown_path;
  place.line = line;
  place.column = column;
  place.source_line = source_line;
  return place;
}

CsvLayout peek_layout(const std::string& path, const std::string& shown_path) {
  ByteSource bytes(path, shown_path, false);
  const std::string_view block = bytes.next();
  check_magic(block, shown_path);
  CsvLayout layout;
  layout.gzip = bytes.is_gzip();
  read_header(layout, block, shown_path);
  return layout;
}

CsvLayout scan_layout(const std::string& path, const std::string& shown_path) {
  return LayoutScan(path, shown_path).run();
}

std::vector<Place> find_places(const std::string& path, const std::string& shown_path,
                               const CsvLayout& layout, const std::vector<int64_t>& rows,
                               int column) {
  std::vector<Place> places;
  if (rows.empty()) return places;
  CsvLayout::Mark mark;
  for (const CsvLayout::Mark& candidate : layout.marks) {
    if (candidate.row <= rows.front()) mark = candidate;
  }
  ByteSource bytes(path, shown_path, false);
  int64_t to_skip = mark.offset;
  if (!layout.gzip) {
    bytes.seek(mark.offset);
    to_skip = 0;
  }
  CsvScanner scanner(layout.delimiter, mark.line);
  std::string_view block = bytes.next();
  while (to_skip >= static_cast<int64_t>(block.size()) && !block.empty()) {
    to_skip -= static_cast<int64_t>(block.size());
    block = bytes.next();
  }
  block.remove_prefix(static_cast<size_t>(to_skip));
  int64_t row = mark.row;
  each_record(bytes, block, scanner, [&] {
    if (kind_of(scanner, layout) != RecordKind::kRow) return true;
    if (row == rows[places.size()]) places.push_back(place_in(scanner, layout, shown_path, column));
    ++row;
    return places.size() < rows.size();
  });
  TARE_ASSERT(places.size() == rows.size(), "a row asked for is in the file");
  return places;
}

}  // namespace tare::sources
