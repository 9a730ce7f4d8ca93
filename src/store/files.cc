#include "store/files.h"

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/errors.h"
#include "base/printable.h"
#include "store/disk.h"
#include "store/handles.h"
#include "store/result.h"

namespace tare::store {

namespace {

constexpr size_t kChunkRows = 2048;  // DuckDB takes a larger chunk without a word, and loses it
constexpr const char* kCatalog = "tare_file";
constexpr int64_t kWritingBytes = 128LL << 20;

duckdb_logical_type logical_type(Type type) {
  switch (type) {
    case Type::kBoolean:
      return duckdb_create_logical_type(DUCKDB_TYPE_BOOLEAN);
    case Type::kUtinyint:
      return duckdb_create_logical_type(DUCKDB_TYPE_UTINYINT);
    case Type::kInteger:
      return duckdb_create_logical_type(DUCKDB_TYPE_INTEGER);
    case Type::kBigint:
      return duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
    case Type::kVarchar:
      return duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    case Type::kUuid:
      return duckdb_create_logical_type(DUCKDB_TYPE_UUID);
    case Type::kDecimal:
      return duckdb_create_decimal_type(38, Money::kScale);
    default:
      break;
  }
  TARE_ASSERT(false, "a type that store files do not have");
}

duckdb_data_chunk create_chunk(const std::vector<ColumnSpec>& columns) {
  std::vector<duckdb_logical_type> types;
  types.reserve(columns.size());
  for (const ColumnSpec& column : columns) types.push_back(logical_type(column.type));
  duckdb_data_chunk chunk = duckdb_create_data_chunk(types.data(), types.size());
  for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
  return chunk;
}

// DuckDB refuses text that is not UTF-8; what a file brought in may be anything. Each bad byte
// becomes U+FFFD.
std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (point.valid) {
      valid.append(text.substr(0, point.bytes));
    } else {
      valid += "\xEF\xBF\xBD";
    }
    text.remove_prefix(point.bytes);
  }
  return valid;
}

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (char c : text) all = static_cast<unsigned char>(all | static_cast<unsigned char>(c));
  return all < 0x80;
}

void remove_leftovers(const std::string& part) {
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  std::filesystem::remove(part + ".wal", ignored);
  std::filesystem::remove_all(part + ".tmp", ignored);
}

}  // namespace

const char* sql_type(Type type) {
  switch (type) {
    case Type::kBoolean:
      return "BOOLEAN";
    case Type::kUtinyint:
      return "UTINYINT";
    case Type::kInteger:
      return "INTEGER";
    case Type::kBigint:
      return "BIGINT";
    case Type::kVarchar:
      return "VARCHAR";
    case Type::kUuid:
      return "UUID";
    case Type::kDecimal:
      return "DECIMAL(38,18)";
    default:
      break;
  }
  TARE_ASSERT(false, "a type that store files do not have");
}

struct TableWriter::Impl {
  std::shared_ptr<ConnectionHandle> handle;
  std::shared_ptr<int> open_writers;  // of the file
  std::string table;
  std::vector<ColumnSpec> columns;
  duckdb_appender appender = nullptr;
  duckdb_data_chunk chunk = nullptr;
  std::vector<duckdb_vector> vectors;
  std::vector<void*> values;
  std::vector<uint64_t*> validity;  // null until a null is set in the chunk
  size_t row = 0;                   // within the chunk
  size_t cells_set = 0;             // of the current row
  int64_t sealed_rows = 0;          // in chunks before

  ~Impl();
  void look_up_vectors();
  void append_chunk();
  void check(duckdb_state state);
  template <typename T>
  void set(size_t column, Type type, T value);
};

TableWriter::Impl::~Impl() {
  duckdb_destroy_data_chunk(&chunk);
  if (appender == nullptr) return;
  // Not closed: the file is being given up, and its transaction with it.
  duckdb_appender_destroy(&appender);
  --*open_writers;
}

void TableWriter::Impl::look_up_vectors() {
  for (size_t column = 0; column < columns.size(); ++column) {
    vectors[column] = duckdb_data_chunk_get_vector(chunk, column);
    values[column] = duckdb_vector_get_data(vectors[column]);
    validity[column] = nullptr;
  }
}

void TableWriter::Impl::check(duckdb_state state) {
  if (state == DuckDBSuccess) return;
  // Read before the appender is closed: afterwards the reason is gone.
  duckdb_error_data data = duckdb_appender_error_data(appender);
  const char* message = duckdb_error_data_message(data);
  const std::string reason = message != nullptr ? message : "no reason given";
  duckdb_destroy_error_data(&data);
  fail_own_sql("append to " + table, reason);
}

void TableWriter::Impl::append_chunk() {
  if (row == 0) return;
  duckdb_data_chunk_set_size(chunk, row);
  check(duckdb_append_data_chunk(appender, chunk));
  sealed_rows += static_cast<int64_t>(row);
  row = 0;
  duckdb_data_chunk_reset(chunk);
  look_up_vectors();
}

template <typename T>
void TableWriter::Impl::set(size_t column, Type type, T value) {
  TARE_ASSERT(columns[column].type == type, "a value of another type for " + columns[column].name);
  static_cast<T*>(values[column])[row] = value;
  ++cells_set;
}

TableWriter::TableWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TableWriter::TableWriter(TableWriter&&) noexcept = default;
TableWriter::~TableWriter() = default;

void TableWriter::set_null(size_t column) {
  uint64_t*& mask = impl_->validity[column];
  if (mask == nullptr) {
    duckdb_vector_ensure_validity_writable(impl_->vectors[column]);
    mask = duckdb_vector_get_validity(impl_->vectors[column]);
  }
  mask[impl_->row / 64] &= ~(uint64_t{1} << (impl_->row % 64));
  ++impl_->cells_set;
}

void TableWriter::set_i64(size_t column, int64_t value) {
  impl_->set(column, Type::kBigint, value);
}
void TableWriter::set_i32(size_t column, int32_t value) {
  impl_->set(column, Type::kInteger, value);
}
void TableWriter::set_u8(size_t column, uint8_t value) {
  impl_->set(column, Type::kUtinyint, value);
}
void TableWriter::set_bool(size_t column, bool value) { impl_->set(column, Type::kBoolean, value); }

void TableWriter::set_text(size_t column, std::string_view value) {
  TARE_ASSERT(impl_->columns[column].type == Type::kVarchar,
              "text for " + impl_->columns[column].name);
  std::string replaced;
  if (!is_ascii(value)) {
    replaced = valid_utf8(value);
    value = replaced;
  }
  duckdb_vector_assign_string_element_len(impl_->vectors[column], impl_->row, value.data(),
                                          value.size());
  ++impl_->cells_set;
}

void TableWriter::set_known_text(size_t column, std::string_view value) {
  if (value.empty()) {
    set_null(column);
  } else {
    set_text(column, value);
  }
}

void TableWriter::set_uuid(size_t column, Hash128 value) {
  impl_->set(column, Type::kUuid, uuid_value(value));
}

void TableWriter::set_decimal(size_t column, Money value) {
  impl_->set(column, Type::kDecimal, hugeint_of(value.atto()));
}

void TableWriter::set_money(size_t column, const std::optional<Money>& value) {
  if (!value) {
    set_null(column);
    set_null(column + 1);
    return;
  }
  const Money::Stored stored = value->stored();
  set_i64(column, stored.units);
  set_i64(column + 1, stored.atto);
}

void TableWriter::end_row() {
  TARE_ASSERT(impl_->cells_set == impl_->columns.size(),
              "a row of " + impl_->table + " without all its columns");
  impl_->cells_set = 0;
  if (++impl_->row == kChunkRows) impl_->append_chunk();
}

void TableWriter::close() {
  Impl& writer = *impl_;
  TARE_ASSERT(writer.appender != nullptr, "a table closed twice: " + writer.table);
  TARE_ASSERT(writer.cells_set == 0, "a row of " + writer.table + " was not ended");
  writer.append_chunk();
  writer.check(duckdb_appender_flush(writer.appender));
  writer.check(duckdb_appender_close(writer.appender));
  const bool destroyed = duckdb_appender_destroy(&writer.appender) == DuckDBSuccess;
  TARE_ASSERT(destroyed, "closing the appender of " + writer.table);
  writer.appender = nullptr;
  --*writer.open_writers;
  duckdb_destroy_data_chunk(&writer.chunk);
  auto impl = std::make_unique<Connection::Impl>();
  impl->handle = writer.handle;
  Connection(std::move(impl)).query("COMMIT");
}

int64_t TableWriter::rows() const { return impl_->sealed_rows + static_cast<int64_t>(impl_->row); }

struct FileWriter::Impl {
  std::string directory;
  std::string name;
  std::string part;
  std::unique_ptr<Database> database;
  std::unique_ptr<Connection> connection;
  std::shared_ptr<int> open_writers = std::make_shared<int>(0);
  bool sealed = false;

  ~Impl() {
    connection.reset();
    database.reset();
    if (!sealed) remove_leftovers(part);
  }
};

FileWriter::FileWriter(const std::string& directory, const std::string& name)
    : impl_(std::make_unique<Impl>()) {
  impl_->directory = directory;
  impl_->name = name + ".duckdb";
  impl_->part = (std::filesystem::path(directory) / (impl_->name + ".part")).string();
  remove_leftovers(impl_->part);
  // One thread: with more, the appender makes undersized row groups, which the checkpoint rewrites.
  impl_->database = std::make_unique<Database>(DatabaseOptions{
      .threads = 1, .memory_limit_bytes = kWritingBytes, .temp_directory = impl_->part + ".tmp"});
  impl_->connection = std::make_unique<Connection>(impl_->database->connect());
  // The file counts only when it is sealed, so a log to recover it from would be written for
  // nothing.
  impl_->connection->query("ATTACH " + quote_text(impl_->part) + " AS " + kCatalog +
                           " (RECOVERY_MODE no_wal_writes, STORAGE_VERSION 'v1.5.0')");
  impl_->connection->query(std::string("USE ") + kCatalog);
}

FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

TableWriter FileWriter::table(std::string_view name, const std::vector<ColumnSpec>& columns) {
  std::string sql = "CREATE TABLE " + quote_identifier(name) + " (";
  for (size_t column = 0; column < columns.size(); ++column) {
    sql += (column > 0 ? ", " : "") + quote_identifier(columns[column].name) + " " +
           sql_type(columns[column].type);
  }
  query(sql + ")");

  auto writer = std::make_unique<TableWriter::Impl>();
  Connection connection = impl_->database->connect();
  // One transaction a table: without it every flush is one, and leaves row groups half full.
  connection.query("BEGIN TRANSACTION");
  writer->handle = connection.impl().handle;
  writer->table = name;
  writer->columns = columns;
  if (duckdb_appender_create_ext(writer->handle->connection, kCatalog, "main",
                                 writer->table.c_str(), &writer->appender) != DuckDBSuccess) {
    writer->check(DuckDBError);
  }
  writer->open_writers = impl_->open_writers;
  ++*writer->open_writers;
  writer->chunk = create_chunk(columns);
  writer->vectors.resize(columns.size());
  writer->values.resize(columns.size());
  writer->validity.resize(columns.size());
  writer->look_up_vectors();
  return TableWriter(std::move(writer));
}

Result FileWriter::query(std::string_view sql) {
  TARE_ASSERT(!impl_->sealed, "a sealed file is written to");
  return impl_->connection->query(sql);
}

Stream FileWriter::stream(std::string_view sql) {
  TARE_ASSERT(!impl_->sealed, "a sealed file is written to");
  return impl_->connection->stream_store(sql);
}

std::string FileWriter::seal() {
  TARE_ASSERT(!impl_->sealed, "a file is sealed twice");
  TARE_ASSERT(*impl_->open_writers == 0, "a file is sealed while a table of it is open");
  query(std::string("CHECKPOINT ") + kCatalog);
  query("USE memory");
  query(std::string("DETACH ") + kCatalog);
  impl_->connection.reset();
  impl_->database.reset();
  // Nobody writes to it again, and the system is told so too.
  std::filesystem::permissions(impl_->part,
                               std::filesystem::perms::owner_write |
                                   std::filesystem::perms::group_write |
                                   std::filesystem::perms::others_write,
                               std::filesystem::perm_options::remove);
  sync_path(impl_->part);
  replace_file(impl_->part, (std::filesystem::path(impl_->directory) / impl_->name).string());
  impl_->sealed = true;
  remove_leftovers(impl_->part);
  return impl_->name;
}

void attach_file(Connection& connection, const std::string& path, const std::string& alias) {
  QueryError error;
  if (connection.try_query(
          "ATTACH " + quote_text(path) + " AS " + quote_identifier(alias) + " (READ_ONLY)",
          &error)) {
    return;
  }
  throw UserError("store-file-damaged", "cannot open '" + path + "' of the store: " + error.message,
                  "tare load --full-refresh");
}

bool verify_file(const std::string& path) {
  Database database({.threads = 1});
  Connection connection = database.connect();
  QueryError error;
  try {
    attach_file(connection, path, kCatalog);
  } catch (const UserError&) {
    return false;
  }
  std::optional<Result> tables = connection.try_query(
      "SELECT table_name, string_agg('bit_xor(hash(' || '\"' || column_name || '\"' || '))', ', ') "
      "FROM duckdb_columns() WHERE database_name = " +
          quote_text(kCatalog) + " GROUP BY table_name ORDER BY table_name",
      &error);
  if (!tables) return false;
  // A hash of every value: counts and bounds alone are answered from statistics, without the
  // blocks.
  for (size_t row = 0; row < tables->rows(); ++row) {
    const std::string sql = "SELECT " + tables->text(row, 1) + " FROM " + kCatalog + "." +
                            quote_identifier(tables->text(row, 0));
    if (!connection.try_query(sql, &error)) return false;
  }
  return true;
}

}  // namespace tare::store
