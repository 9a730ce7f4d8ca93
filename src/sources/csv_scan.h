// Where the records of a CSV text begin and end: what DuckDB's reader must find too. Its answer is
// checked against this count, since it loses rows without a word where a quote is never closed or a
// line is longer than it likes.
//
// RFC 4180 with the reader's own leniencies: spaces may stand around a quoted cell, a quote that
// follows a closing one after spaces opens it again ("a" "b" is one cell, a b), a line ends in LF,
// CRLF or CR, and a quote inside an unquoted cell is a character. Lines without a byte are no
// records (but in a table of one column they are, with an unknown cell).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tare::sources {

struct CsvCell {
  std::string text;    // without quotes
  int64_t line = 0;    // from the record's first line, counted from 0
  int64_t column = 0;  // in bytes, from 1
};
// The cells of one record's raw text.
std::vector<CsvCell> split_record(std::string_view record, char delimiter);

// The delimiter of a header line: the one of , ; tab | that separates most cells.
char guess_delimiter(std::string_view header_record);

// Takes a text in blocks and finds its records.
class CsvScanner {
 public:
  explicit CsvScanner(char delimiter, int64_t first_line = 1)
      : delimiter_(delimiter), line_(first_line), record_line_(first_line) {}

  // The next record may begin with a byte-order mark, which is left out (the first one may anyhow).
  void allow_mark() { mark_allowed_ = true; }
  bool mark_seen() const { return mark_seen_; }  // at the newest record for which it was allowed

  // Up to the end of the next record in `block`, which is shortened by what was taken; false when
  // the block is used up first. After the last block, finish() gives the last record, if one is
  // open.
  bool next(std::string_view& block);
  bool finish();

  // Of the record that ended: its first line from 1, its raw text without the line end, its cells.
  int64_t line() const { return record_line_; }
  std::string_view text() const { return text_; }
  size_t cells() const { return cells_; }
  bool broken() const { return broken_; }  // text after a closing quote
  bool blank() const { return text_.empty(); }
  // After finish(): a quote that was opened on `line()` was never closed.
  bool unclosed() const { return state_ == State::kQuoted; }

  bool quoted_line_ends() const { return quoted_line_ends_; }  // a cell has held one
  bool mixed_line_ends() const { return (line_ends_ & (line_ends_ - 1)) != 0; }
  // The first line that ends in CR alone where the text began with lines that end in CRLF; 0 none.
  // The reader takes the character after such a CR for its LF.
  int64_t lone_return_line() const { return lone_return_line_; }
  int64_t bytes_taken() const { return bytes_taken_; }  // up to and with the line end's first byte
  int64_t record_bytes() const { return record_bytes_; }  // of the record, with that byte

 private:
  enum class State : uint8_t { kFieldStart, kUnquoted, kQuoted, kQuoteInQuoted };
  static constexpr unsigned kLf = 1, kCrLf = 2, kCr = 4;

  void note_line_end(unsigned kind);
  bool record_starts(std::string_view& block);
  const char* scan(const char* at, const char* end);
  void after_quote(char c);
  bool end_record(std::string_view& block, const char* start, const char* at);

  char delimiter_;
  State state_ = State::kFieldStart;
  bool in_record_ = false, after_cr_ = false, broken_ = false;
  bool quoted_line_ends_ = false;
  unsigned line_ends_ = 0, first_line_end_ = 0;
  int64_t lone_return_line_ = 0;
  size_t cells_ = 0;
  int64_t line_ = 1, record_line_ = 1, bytes_taken_ = 0, record_bytes_ = 0;
  std::string carry_;  // the record's part in earlier blocks
  bool carried_ = false;
  bool mark_allowed_ = true, mark_seen_ = false;
  std::string_view text_;
};

}  // namespace tare::sources
