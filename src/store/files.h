// Immutable store files (DuckDB's own format) and their writer.
//
// A file is written aside as <final name>.part, checkpointed, closed, fsynced and renamed; nobody
// opens it for writing again. Its name ends in the hash of what it was derived from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash128.h"
#include "base/money.h"
#include "store/database.h"

namespace tare::store {

struct ColumnSpec {
  std::string name;
  Type type = Type::kBigint;  // kBoolean kUtinyint kInteger kBigint kVarchar kUuid kDecimal(38,18)
};

const char* sql_type(Type type);  // as a column is declared

// Appends rows to one table of a file being written; one thread.
class TableWriter {
 public:
  TableWriter(TableWriter&&) noexcept;
  ~TableWriter();
  void set_null(size_t column);
  void set_i64(size_t column, int64_t value);
  void set_i32(size_t column, int32_t value);
  void set_u8(size_t column, uint8_t value);
  void set_bool(size_t column, bool value);
  void set_text(size_t column, std::string_view value);
  void set_known_text(size_t column, std::string_view value);  // null where it is empty
  void set_uuid(size_t column, Hash128 value);
  void set_decimal(size_t column, Money value);
  // Two BIGINT columns, `column` (units) and `column + 1` (atto); both null where empty.
  void set_money(size_t column, const std::optional<Money>& value);
  void end_row();  // every column must have been set
  void close();    // flushes; asserts on failure. Must be called before FileWriter::seal
  int64_t rows() const;

  struct Impl;
  explicit TableWriter(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

class FileWriter {
 public:
  // `directory` exists; the file becomes <directory>/<name>.duckdb.
  FileWriter(const std::string& directory, const std::string& name);
  FileWriter(FileWriter&&) noexcept;
  ~FileWriter();  // not sealed: the part file is removed
  TableWriter table(std::string_view name, const std::vector<ColumnSpec>& columns);
  // SQL on the file itself, for summaries of what was written (tables by their bare names).
  Result query(std::string_view sql);
  Stream stream(std::string_view sql);
  std::string seal();  // the final file's name (no folder)

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

// Attaches a sealed file read-only under `alias`. Throws UserError store-file-damaged (with the
// hint `tare load --full-refresh`) when it cannot be opened.
void attach_file(Connection& connection, const std::string& path, const std::string& alias);

// Reads every block's checksum; false when the file is damaged or cut.
bool verify_file(const std::string& path);

}  // namespace tare::store
