// One CSV, CSV.gz or Parquet file as columns of text. DuckDB reads the bytes; what it gets wrong on
// its own (guessing delimiter, header and types, taking cut gzip streams, losing rows) is decided
// here: open() looks at every byte of a CSV once, and knows how many rows there must be.
//
// How to read one:
//   TextTable table = TextTable::open(path, shown);
//   store::Stream stream = table.stream(connection, {0, 3, 1});
//   while (const store::Chunk* chunk = stream.next()) ... count the rows
//   table.check_rows_read(count);
//   for (const RaggedRow& row : table.ragged_rows()) ...
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "base/findings.h"
#include "sources/csv_layout.h"
#include "store/store.h"

namespace tare::sources {

class TextTable;

std::string quoted_list(const std::vector<std::string>& names);  // "'a', 'b'"; "none"

// missing-column, at its entry in tare.yaml: the file lacks the column that stands there for ours.
// `nearest`: the file's column that may be meant, "" none.
UserError mapped_column_missing(const TextTable& table, std::string_view ours,
                                const std::string& wanted, const std::string& nearest,
                                const Place& place);

// How a Parquet column is kept, as far as a reader may want to know; of CSV all is text. Integers,
// and decimals of at most 18 places, are kDecimal.
enum class ColumnKind : uint8_t { kText, kDouble, kDecimal, kInstant, kOther };

// How a column is wanted: as VARCHAR; as BIGINT ns (of a kInstant column; null outside 1678 to
// 2262); as DOUBLE (of a kDouble column); as DECIMAL(38, its own scale) (of a kDecimal column).
// Text costs most.
enum class ColumnAs : uint8_t { kText, kInstantNs, kDouble, kDecimal };

struct TableOptions {
  bool open_structs = false;  // Parquet: a struct's members are columns, with points in their names
  // A CSV file whose rows were JSON lines: places are of those, and have no columns.
  bool of_json_lines = false;
};

class TextTable {
 public:
  // Opens and checks a whole file: gzip stream and trailer through zlib (by magic bytes, not by
  // suffix), byte-order marks, header line, delimiter (of , ; tab |, decided by the header),
  // quotes. Throws UserError: file-missing, file-empty, gzip-damaged, header-missing, column-twice,
  // not-text, quote-unclosed, line-ends-mixed, rows-ragged, parquet-damaged. A file with a header
  // and no rows is fine.
  static TextTable open(const std::string& path, const std::string& shown_path,
                        const TableOptions& options = {});
  // Looks at the head only: header, delimiter and kind are known; no hash, no rows, no stream.
  static TextTable peek(const std::string& path, const std::string& shown_path);
  TextTable(TextTable&&) noexcept;
  ~TextTable();

  const std::vector<std::string>& header() const;  // trimmed, without byte-order mark
  bool is_parquet() const;
  char delimiter() const;
  const std::string& path() const;
  const std::string& shown_path() const;
  const std::string& sha256() const;  // of the bytes on disk
  int64_t rows() const;               // those that a stream will give
  bool second_bom() const;            // the first row began with a byte-order mark; it is left out
  ColumnKind column_kind(int column) const;
  bool column_is_double(int column) const;  // Parquet only
  int column_scale(int column) const;       // of a kDecimal column
  bool column_is_utc(int column) const;     // Parquet only: an instant whose zone is stated

  // The SQL of a table function that yields the named columns as VARCHAR, in this order, rows in
  // file order. Parquet doubles come as their shortest round-trip text, decimals and integers
  // exactly, timestamps as ISO text with their zone kept ("Z" where UTC is stated), nested values
  // as JSON.
  std::string select(const std::vector<int>& columns) const;
  std::string select(const std::vector<int>& columns, const std::vector<ColumnAs>& as) const;
  // The stream of that SQL. Throws UserError parquet-damaged or csv-unreadable; so may its next().
  store::Stream stream(store::Connection& connection, const std::vector<int>& columns) const;
  // After a stream: throws UserError csv-unreadable when it gave more or fewer rows than there are.
  void check_rows_read(int64_t streamed) const;
  // What store::QueryError in mid-stream means to the user.
  UserError unreadable(const store::QueryError& error) const;

  // The rows that have too few or too many cells, or text after a closing quote: in no stream.
  const std::vector<RaggedRow>& ragged_rows() const;

  // The place of cell (row, column) where row counts the rows of the stream from 0: a second pass
  // over the file, for messages only. Several at once: rows ascending. In Parquet the row's number
  // from 1 stands for the line. Column -1 is the row itself.
  std::vector<Place> places(const std::vector<int64_t>& rows, int column) const;
  Place place(int64_t row, int column) const;
  Place header_place() const;

 private:
  struct Impl;
  explicit TextTable(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Empty, "NULL" and "null" in any case of letters are unknown (R01).
inline bool is_unknown(std::string_view cell) {
  if (cell.empty()) return true;
  return cell.size() == 4 && (cell[0] | 0x20) == 'n' && (cell[1] | 0x20) == 'u' &&
         (cell[2] | 0x20) == 'l' && (cell[3] | 0x20) == 'l';
}
// Without spaces, tabs and line ends around it.
std::string_view trim(std::string_view text);

}  // namespace tare::sources
