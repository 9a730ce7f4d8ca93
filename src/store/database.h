// A thin door to DuckDB: an in-memory database that reads files of the outside world and files of
// the store. Only this folder sees duckdb.h. Our own SQL that fails is a bug (asserts); text that a
// user or a file brings in goes through try_query.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash128.h"
#include "base/money.h"

namespace tare::store {

enum class Type : uint8_t {
  kBoolean,
  kUtinyint,
  kInteger,
  kBigint,
  kDouble,
  kDecimal,
  kVarchar,
  kUuid,
  kTimestampNs,
  kHugeint,
  kOther
};

// A materialised small answer.
class Result {
 public:
  size_t rows() const;
  size_t columns() const;
  const std::string& column_name(size_t column) const;
  Type column_type(size_t column) const;
  bool is_null(size_t row, size_t column) const;
  int64_t i64(size_t row, size_t column) const;  // any integer type, boolean, timestamp_ns
  int128 i128(size_t row, size_t column) const;  // any integer type up to HUGEINT
  Money money(size_t row, size_t column) const;  // DECIMAL(p, s), s <= 18
  std::optional<Money> optional_money(size_t row, size_t column) const;
  double f64(size_t row, size_t column) const;
  std::string text(size_t row,
                   size_t column) const;  // VARCHAR as is; other types as DuckDB prints them
  std::string text_or_empty(size_t row, size_t column) const;

  struct Impl;
  explicit Result(std::shared_ptr<Impl> impl);

 private:
  std::shared_ptr<Impl> impl_;
};

// A chunk of at most 2,048 rows of a streaming query; views are valid until the next chunk.
class Chunk {
 public:
  size_t rows() const { return rows_; }
  bool valid(size_t column, size_t row) const {
    const uint64_t* mask = columns_[column].validity;
    return mask == nullptr || ((mask[row / 64] >> (row % 64)) & 1) != 0;
  }
  std::string_view text(size_t column, size_t row) const {
    const auto* entry = static_cast<const TextEntry*>(columns_[column].values) + row;
    return entry->inlined.length <= 12
               ? std::string_view(entry->inlined.data, entry->inlined.length)
               : std::string_view(entry->pointer.data, entry->pointer.length);
  }
  int64_t i64(size_t column, size_t row) const {
    return static_cast<const int64_t*>(columns_[column].values)[row];
  }
  int32_t i32(size_t column, size_t row) const {
    return static_cast<const int32_t*>(columns_[column].values)[row];
  }
  uint8_t u8(size_t column, size_t row) const {
    return static_cast<const uint8_t*>(columns_[column].values)[row];
  }
  double f64(size_t column, size_t row) const {
    return static_cast<const double*>(columns_[column].values)[row];
  }
  Hash128 uuid(size_t column, size_t row) const;
  int128 i128(size_t column,
              size_t row) const;  // HUGEINT, and DECIMAL of more than 18 digits: unscaled

 private:
  friend class Stream;
  friend class TextChunk;
  static void check_layout();
  union TextEntry {  // the layout of duckdb_string_t, checked in database.cc
    struct {
      uint32_t length;
      char data[12];
    } inlined;
    struct {
      uint32_t length;
      char prefix[4];
      const char* data;
    } pointer;
  };
  struct ColumnView {
    const void* values = nullptr;
    const uint64_t* validity = nullptr;
  };
  size_t rows_ = 0;
  std::vector<ColumnView> columns_;
};

// A chunk of texts that is made row by row, for readers that take chunks; of any number of rows.
class TextChunk {
 public:
  explicit TextChunk(size_t columns) : values_(columns), validity_(columns) {}

  void clear();
  void add_row();  // all of it null
  // Of the row added last. The text is not copied: it outlives the use of chunk().
  void set(size_t column, std::string_view text);
  // Valid until the next add_row() or clear().
  const Chunk& chunk();

 private:
  std::vector<std::vector<Chunk::TextEntry>> values_;
  std::vector<std::vector<uint64_t>> validity_;
  Chunk chunk_;
};

class Stream {
 public:
  Stream(Stream&&) noexcept;
  ~Stream();
  // Null at the end. Throws QueryError when the query failed in mid-stream (of stream_store: as
  // query).
  const Chunk* next();
  size_t columns() const;
  const std::string& column_name(size_t column) const;
  Type column_type(size_t column) const;

  struct Impl;
  explicit Stream(std::unique_ptr<Impl> impl);

 private:
  friend class Connection;
  std::unique_ptr<Impl> impl_;
};

struct QueryError {
  std::string message;  // DuckDB's own, first line
  std::string full;     // all of it
};

// Throws UserError where the error is not the query's: a file of the store is damaged, or the disk
// or the memory failed.
void throw_fault_of_store(std::string_view error);

class Connection {
 public:
  Connection(Connection&&) noexcept;
  ~Connection();
  Result query(std::string_view sql);  // our SQL: failure is a bug
  std::optional<Result> try_query(std::string_view sql, QueryError* error);
  // One stream at a time on a connection. Throws QueryError.
  Stream stream(std::string_view sql);
  // The same for our SQL over files of the store: a failure, in mid-stream too, is as in query().
  Stream stream_store(std::string_view sql);

  struct Impl;
  explicit Connection(std::unique_ptr<Impl> impl);
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

struct DatabaseOptions {
  int threads = 2;
  int64_t memory_limit_bytes = 0;   // 0: DuckDB's default
  std::string temp_directory = {};  // where it may spill; "" none
  bool allow_external_files =
      true;  // false: for user SQL (no file may be opened but attached ones)
};

class Database {
 public:
  explicit Database(const DatabaseOptions& options = {});
  ~Database();
  Connection connect();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string quote_text(std::string_view text);        // 'it''s'
std::string quote_identifier(std::string_view name);  // "a ""b"""

}  // namespace tare::store
