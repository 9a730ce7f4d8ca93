#include "sources/csv_scan.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tare::sources {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

std::string_view trim_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Sets `text` to that of a cell in quotes (with spaces around them); false where it is in none.
bool unquote(std::string_view raw, std::string& text) {
  const std::string_view trimmed = trim_spaces(raw);
  if (trimmed.size() < 2 || trimmed.front() != '"' || trimmed.back() != '"') return false;
  const std::string_view inner = trimmed.substr(1, trimmed.size() - 2);
  text.clear();
  bool quoted = true;
  for (size_t at = 0; at < inner.size(); ++at) {
    const bool twice = quoted && inner.substr(at).starts_with("\"\"");
    if (inner[at] == '"' && !twice) {
      quoted = !quoted;
      continue;
    }
    if (twice) ++at;
    text += inner[at];
  }
  return true;
}

// At the closing quote of a cell that opens one at `at`; notes the lines inside.
size_t skip_quoted(std::string_view record, size_t at, int64_t& line, size_t& line_start) {
  for (++at; at < record.size(); ++at) {
    if (record[at] == '\n') {
      ++line;
      line_start = at + 1;
    } else if (record[at] == '"') {
      const size_t next = record.find_first_not_of(' ', at + 1);
      if (next == std::string_view::npos || record[next] != '"') break;
      at = next;
    }
  }
  return at;
}

}  // namespace

std::vector<CsvCell> split_record(std::string_view record, char delimiter) {
  std::vector<CsvCell> cells;
  int64_t line = 0;
  size_t line_start = 0;
  for (size_t at = 0;; ++at) {
    const size_t start = at;
    CsvCell cell{"", line, static_cast<int64_t>(start - line_start) + 1};
    while (at < record.size() && record[at] == ' ') ++at;
    if (at < record.size() && record[at] == '"') at = skip_quoted(record, at, line, line_start);
    while (at < record.size() && record[at] != delimiter) ++at;
    const std::string_view raw = record.substr(start, at - start);
    if (!unquote(raw, cell.text)) cell.text = raw;
    cells.push_back(std::move(cell));
    if (at >= record.size()) return cells;
  }
}

char guess_delimiter(std::string_view header_record) {
  constexpr std::array<char, 4> kCandidates = {',', ';', '\t', '|'};
  char best = ',';
  size_t most = 1;
  for (const char candidate : kCandidates) {
    const size_t cells = split_record(header_record, candidate).size();
    if (cells > most) {
      most = cells;
      best = candidate;
    }
  }
  return best;
}

// The byte after a quote inside a quoted cell.
void CsvScanner::after_quote(char c) {
  if (c == '"') {
    state_ = State::kQuoted;
  } else if (c == delimiter_) {
    ++cells_;
    state_ = State::kFieldStart;
  } else if (c != ' ') {
    broken_ = true;
    state_ = State::kUnquoted;
  }
}

// Moves over the record's bytes; stops at the line end that ends it, or at the block's end.
const char* CsvScanner::scan(const char* at, const char* end) {
  for (; at < end; ++at) {
    const char c = *at;
    switch (state_) {
      case State::kFieldStart:
        if (c == '"') {
          state_ = State::kQuoted;
        } else if (c == delimiter_) {
          ++cells_;
        } else if (is_line_end(c)) {
          return at;
        } else if (c != ' ') {
          state_ = State::kUnquoted;
        }
        break;
      case State::kUnquoted:
        while (at < end && *at != delimiter_ && !is_line_end(*at)) ++at;
        if (at == end || is_line_end(*at)) return at;
        ++cells_;
        state_ = State::kFieldStart;
        break;
      case State::kQuoted: {
        const char* quote =
            static_cast<const char*>(std::memchr(at, '"', static_cast<size_t>(end - at)));
        const char* stop = quote != nullptr ? quote : end;
        const auto lines = std::count(at, stop, '\n');
        line_ += lines;
        quoted_line_ends_ = quoted_line_ends_ || lines > 0;
        if (quote == nullptr) return end;
        at = quote;
        state_ = State::kQuoteInQuoted;
        break;
      }
      case State::kQuoteInQuoted:
        if (is_line_end(c)) return at;
        after_quote(c);
        break;
    }
  }
  return at;
}

// Skips what is left of a CRLF and a byte-order mark, and notes the first line; false when the
// block is used up.
void CsvScanner::note_line_end(unsigned kind) {
  if (line_ends_ == 0) first_line_end_ = kind;
  line_ends_ |= kind;
}

bool CsvScanner::record_starts(std::string_view& block) {
  if (after_cr_ && !block.empty()) {
    after_cr_ = false;
    if (block.front() == '\n') {
      block.remove_prefix(1);
      ++bytes_taken_;
      note_line_end(kCrLf);
    } else {
      note_line_end(kCr);
      if (first_line_end_ == kCrLf && lone_return_line_ == 0) lone_return_line_ = record_line_;
    }
  }
  if (block.empty()) return false;
  if (mark_allowed_) {
    mark_allowed_ = false;
    mark_seen_ = block.starts_with(kByteOrderMark);
    if (mark_seen_) {
      block.remove_prefix(kByteOrderMark.size());
      bytes_taken_ += static_cast<int64_t>(kByteOrderMark.size());
    }
  }
  in_record_ = true;
  carried_ = broken_ = false;
  carry_.clear();
  cells_ = 1;
  record_line_ = line_;
  state_ = State::kFieldStart;
  return true;
}

bool CsvScanner::end_record(std::string_view& block, const char* start, const char* at) {
  const auto length = static_cast<size_t>(at - start);
  if (carried_) {
    carry_.append(start, length);
    text_ = carry_;
  } else {
    text_ = {start, length};
  }
  if (*at == '\r') {
    after_cr_ = true;
  } else {
    note_line_end(kLf);
  }
  ++line_;
  in_record_ = false;
  block.remove_prefix(length + 1);
  bytes_taken_ += static_cast<int64_t>(length) + 1;
  record_bytes_ = static_cast<int64_t>(text_.size()) + 1;
  return true;
}

bool CsvScanner::next(std::string_view& block) {
  if (!in_record_ && !record_starts(block)) return false;
  const char* start = block.data();
  const char* end = start + block.size();
  const char* at = scan(start, end);
  if (at < end) return end_record(block, start, at);
  carry_.append(start, block.size());
  carried_ = true;
  bytes_taken_ += static_cast<int64_t>(block.size());
  block = {};
  return false;
}

bool CsvScanner::finish() {
  if (after_cr_) line_ends_ |= kCr;
  if (!in_record_ || unclosed()) return false;
  in_record_ = false;
  text_ = carry_;
  record_bytes_ = static_cast<int64_t>(text_.size());
  return true;
}

}  // namespace tare::sources
