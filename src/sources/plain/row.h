// One row of a plain file, in and out. A row-maker takes cells by the index of its format's
// columns; what can't be read is noted here, so that a row-maker is a list of its cells.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/decimal_text.h"
#include "base/instant.h"
#include "sources/plain/format.h"
#include "sources/plain/problems.h"
#include "sources/text_table.h"

namespace tare::sources {

class RowReader {
 public:
  // Finds the format's columns in the file. Throws UserError missing-column.
  RowReader(const PlainFormat& format, const Source& source, const TextTable& table,
            Problems* problems);

  const std::vector<int>& file_columns() const { return file_columns_; }  // what select() is given
  std::string_view source_name() const { return source_.name; }

  void begin(const store::Chunk& chunk, size_t chunk_row, int64_t file_row);
  // Notes what was found; false where the row was rejected. The row is at an end then.
  bool finish();

  // Empty where a cell is unknown or can't be read. Where the column needs its cell, the row is
  // rejected then; where it does not, the cell becomes a finding.
  std::optional<std::string_view> text(int column);
  std::string text_or_empty(int column) { return std::string(text(column).value_or("")); }
  std::optional<std::string> optional_text(int column);
  std::optional<int64_t> time(int column);   // kTime and kDay
  std::optional<int64_t> month(int column);  // the month's start
  std::optional<int64_t> count(int column, int64_t max = std::numeric_limits<int64_t>::max());
  std::optional<Money> decimal(int column);
  std::optional<Money> decimal_of_zero_or_more(int column);
  std::optional<Fraction> fraction(int column);
  // Signs of telemetry: a value that can't be is the finding telemetry-impossible, not an
  // unreadable one.
  std::optional<int64_t> ratio_ppb(int column);
  std::optional<int64_t> sign_count(int column);
  std::optional<Money> sign_decimal(int column);

  // Notes a finding about a cell that could be read.
  void note(std::string_view code, int column);
  void reject(std::string_view code, int column);
  // For the row-maker, after its last cell.
  bool rejected() const { return rejected_; }

 private:
  struct Cell {
    int stream_column = -1;  // -1: absent
    int file_column = -1;
    TimeUnit unit = TimeUnit::kIso;
    std::string stand_in;  // of an absent column
  };

  std::optional<std::string_view> cell(int column) const;  // trimmed; empty: unknown
  void unreadable(int column);
  void find_columns(const TextTable& table);
  std::optional<int64_t> instant(int column, std::string_view text);

  const PlainFormat& format_;
  const Source& source_;
  Problems* problems_;
  std::vector<Cell> cells_;
  std::vector<int> file_columns_;

  const store::Chunk* chunk_ = nullptr;
  size_t chunk_row_ = 0;
  int64_t file_row_ = 0;
  bool rejected_ = false;
  CellProblem rejection_;
  std::vector<CellProblem> notes_;
};

// Sets the cells of a store table in the order of its columns; the last is always the source's
// name.
class RowWriter {
 public:
  RowWriter(store::TableWriter* table, std::string_view source) : table_(table), source_(source) {}

  RowWriter& text(std::string_view value);
  RowWriter& optional_text(const std::optional<std::string>& value);
  RowWriter& small(int32_t value);
  RowWriter& number(std::optional<int64_t> value);
  RowWriter& money(const std::optional<Money>& value);
  RowWriter& fraction(const std::optional<Fraction>& value);
  void end();

 private:
  store::TableWriter* table_;
  std::string source_;
  size_t column_ = 0;
};

}  // namespace tare::sources
