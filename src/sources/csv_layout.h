// What one pass over a CSV file finds out: its header, its rows, and what DuckDB must be told and
// be checked against.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"

namespace tare::sources {

Place place_at(const std::string& shown_path, int64_t line = 0, int64_t column = 0,
               std::string_view source_line = "");

struct RaggedRow {
  int64_t line = 0;
  std::string text;
  std::string why;  // "4 cells, the header has 5"
};

struct CsvLayout {
  std::string sha256;
  bool gzip = false;
  char delimiter = ',';
  std::vector<std::string> header;  // trimmed
  int64_t header_line = 1;
  std::string header_text;
  int64_t blank_lines_before = 0;  // before the header
  int64_t blank_lines_after = 0;   // between the header and the first row
  int64_t rows = 0;                // with as many cells as the header
  std::vector<RaggedRow> ragged;
  bool mixed_line_ends = false, quoted_line_ends = false;
  int64_t bytes = 0;            // unpacked
  int64_t longest_record = 0;   // bytes
  bool second_bom = false;      // at the first row
  bool first_row_fits = false;  // second_bom only: it has as many cells as the header
  std::vector<std::string> first_row;

  // Every so many rows, where to begin reading when the place of a later row is asked for.
  struct Mark {
    int64_t row = 0, offset = 0, line = 1;
  };
  std::vector<Mark> marks;
};

// Header and delimiter only. Throws UserError file-missing, file-empty, not-text, header-missing,
// column-twice, and gzip-damaged as far as it looks.
CsvLayout peek_layout(const std::string& path, const std::string& shown_path);
// The whole file. Throws the same, and quote-unclosed, row-too-long, rows-ragged (too many to
// list).
CsvLayout scan_layout(const std::string& path, const std::string& shown_path);

// Places of cells of the given rows (ascending, counted as in CsvLayout::rows); column -1 is the
// row.
std::vector<Place> find_places(const std::string& path, const std::string& shown_path,
                               const CsvLayout& layout, const std::vector<int64_t>& rows,
                               int column);

}  // namespace tare::sources
