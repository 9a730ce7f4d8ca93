// Databases, connections and streams over DuckDB's C API; materialised answers are in result.cc.
#include "store/database.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "base/errors.h"
#include "store/handles.h"
#include "store/result.h"

namespace tare::store {

namespace {

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

QueryError query_error(const char* text) {
  std::string full = text != nullptr ? text : "DuckDB gave no reason";
  return {first_line(full), full};
}

struct PreparedStatement {
  duckdb_prepared_statement statement = nullptr;
  PreparedStatement() = default;
  ~PreparedStatement() { duckdb_destroy_prepare(&statement); }
  PreparedStatement(const PreparedStatement&) = delete;
  PreparedStatement& operator=(const PreparedStatement&) = delete;
};

struct ExtractedStatements {
  duckdb_extracted_statements statements = nullptr;
  ExtractedStatements() = default;
  ~ExtractedStatements() { duckdb_destroy_extracted(&statements); }
  ExtractedStatements(const ExtractedStatements&) = delete;
  ExtractedStatements& operator=(const ExtractedStatements&) = delete;
};

bool execute(const PreparedStatement& prepared, OwnedResult* result, QueryError* error) {
  if (duckdb_execute_prepared(prepared.statement, &result->result) == DuckDBSuccess) return true;
  *error = query_error(duckdb_result_error(&result->result));
  return false;
}

std::vector<std::string> prepared_column_names(const PreparedStatement& prepared) {
  std::vector<std::string> names;
  const idx_t count = duckdb_prepared_statement_column_count(prepared.statement);
  for (idx_t column = 0; column < count; ++column) {
    const char* name = duckdb_prepared_statement_column_name(prepared.statement, column);
    names.emplace_back(name != nullptr ? name : "");
    duckdb_free(const_cast<char*>(name));
  }
  return names;
}

bool all_types_readable(const PreparedStatement& prepared) {
  const idx_t count = duckdb_prepared_statement_column_count(prepared.statement);
  for (idx_t column = 0; column < count; ++column) {
    if (!Result::Impl::readable(
            duckdb_prepared_statement_column_type(prepared.statement, column))) {
      return false;
    }
  }
  return true;
}

// The same query with the columns that result.cc cannot print (lists, dates, ...) cast to text by
// DuckDB itself. The positions, not the names, are used: names may repeat.
std::string with_text_columns(std::string_view sql, const PreparedStatement& prepared) {
  std::string wrapped = "SELECT ";
  const idx_t count = duckdb_prepared_statement_column_count(prepared.statement);
  for (idx_t column = 0; column < count; ++column) {
    std::string position = "#" + std::to_string(column + 1);
    bool readable =
        Result::Impl::readable(duckdb_prepared_statement_column_type(prepared.statement, column));
    if (column > 0) wrapped += ", ";
    wrapped += readable ? position : "CAST(" + position + " AS VARCHAR)";
  }
  // The newline ends a comment that the query may end in.
  return wrapped + " FROM (" + std::string(sql) + "\n)";
}

bool prepare_with_text_columns(const ConnectionHandle& handle, std::string_view sql,
                               const PreparedStatement& prepared, PreparedStatement* wrapped) {
  // A last semicolon is no part of the query; a comment may stand behind it.
  for (std::string_view query : {sql.substr(0, sql.rfind(';')), sql}) {
    const std::string text = with_text_columns(query, prepared);
    duckdb_destroy_prepare(&wrapped->statement);
    if (duckdb_prepare(handle.connection, text.c_str(), &wrapped->statement) == DuckDBSuccess) {
      return true;
    }
  }
  return false;
}

bool is_question(duckdb_statement_type type) {
  switch (type) {
    case DUCKDB_STATEMENT_TYPE_SELECT:
    case DUCKDB_STATEMENT_TYPE_EXPLAIN:
    case DUCKDB_STATEMENT_TYPE_INSERT:
    case DUCKDB_STATEMENT_TYPE_UPDATE:
    case DUCKDB_STATEMENT_TYPE_DELETE:
    case DUCKDB_STATEMENT_TYPE_CREATE:
    case DUCKDB_STATEMENT_TYPE_CREATE_FUNC:
    case DUCKDB_STATEMENT_TYPE_ALTER:
    case DUCKDB_STATEMENT_TYPE_DROP:
    case DUCKDB_STATEMENT_TYPE_TRANSACTION:
      return true;
    default:
      return false;
  }
}

// Whether a statement was prepared, and is one that the connection may run.
bool may_run(const ConnectionHandle& handle, duckdb_state state, const PreparedStatement& prepared,
             QueryError* error) {
  if (state != DuckDBSuccess) {
    *error = query_error(duckdb_prepare_error(prepared.statement));
    return false;
  }
  if (handle.questions_only && !is_question(duckdb_prepared_statement_type(prepared.statement))) {
    *error = query_error("Permission Error: only statements that read the store are allowed here");
    return false;
  }
  return true;
}

// Runs all statements of `sql`; the answer is the last one's.
std::optional<Result> run(ConnectionHandle& handle, std::string_view sql, QueryError* error) {
  TARE_ASSERT(!handle.streaming, "a query on a connection that still streams");
  const std::string text(sql);
  ExtractedStatements extracted;
  const idx_t count =
      duckdb_extract_statements(handle.connection, text.c_str(), &extracted.statements);
  if (count == 0) {
    const char* reason = duckdb_extract_statements_error(extracted.statements);
    *error = query_error(reason != nullptr ? reason : "no statement");
    return std::nullopt;
  }
  for (idx_t index = 0; index < count; ++index) {
    PreparedStatement prepared;
    auto impl = std::make_shared<Result::Impl>();
    const duckdb_state state = duckdb_prepare_extracted_statement(
        handle.connection, extracted.statements, index, &prepared.statement);
    if (!may_run(handle, state, prepared, error)) return std::nullopt;
    if (index + 1 < count || all_types_readable(prepared)) {
      if (!execute(prepared, &impl->owned, error)) return std::nullopt;
      if (index + 1 < count) continue;
      impl->load({});
      return Result(std::move(impl));
    }
    PreparedStatement wrapped;
    if (count > 1 || !prepare_with_text_columns(handle, sql, prepared, &wrapped)) {
      *error = query_error("a column has a type that is not shown here: cast it to VARCHAR");
      return std::nullopt;
    }
    if (!execute(wrapped, &impl->owned, error)) return std::nullopt;
    impl->load(prepared_column_names(prepared));
    return Result(std::move(impl));
  }
  return std::nullopt;
}

void set_option(duckdb_config config, const char* name, const std::string& value) {
  const bool known = duckdb_set_config(config, name, value.c_str()) == DuckDBSuccess;
  TARE_ASSERT(known, std::string("DuckDB has no option ") + name);
}

}  // namespace

DatabaseHandle::~DatabaseHandle() { duckdb_close(&database); }

ConnectionHandle::~ConnectionHandle() { duckdb_disconnect(&connection); }

std::shared_ptr<ConnectionHandle> open_connection(const std::shared_ptr<DatabaseHandle>& database) {
  auto handle = std::make_shared<ConnectionHandle>();
  handle->database = database;
  const bool connected = duckdb_connect(database->database, &handle->connection) == DuckDBSuccess;
  TARE_ASSERT(connected, "duckdb_connect");
  return handle;
}

void allow_questions_only(Connection& connection) {
  connection.impl().handle->questions_only = true;
}

// By the words of the message: a commit that fails for want of disk, say, is told as a failure of
// the transaction, whatever its type.
void throw_fault_of_store(std::string_view error) {
  const std::string reason = first_line(error);
  const auto says = [&](const char* words) { return reason.find(words) != std::string::npos; };
  // The files that our own SQL reads are the store's: those of users are read through try_query.
  if (says("Corrupt") || says("checksum") || says("Could not read") ||
      says("Serialization Error")) {
    throw UserError("store-file-damaged", "a file of the store is damaged: " + reason,
                    "tare load --full-refresh");
  }
  if (says("Out of Memory Error")) {
    throw UserError("out-of-memory", reason, "give tare more memory, or fewer threads");
  }
  // A failed sync is fatal to DuckDB's database in memory, which every later statement then says.
  if (says("IO Error") || says("Could not write") || says("Could not sync") || says("fsync") ||
      says("has been invalidated")) {
    throw UserError(
        "input-output", reason,
        "look at the disk and its free space, then tare load again: the store is as it was");
  }
}

void fail_own_sql(std::string_view sql, std::string_view error) {
  throw_fault_of_store(error);
  std::string what = "SQL of tare failed: ";
  what.append(error).append("\nin: ").append(sql);
  fail_assertion("query succeeds", __FILE__, __LINE__, what);
}

Type type_of(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN:
      return Type::kBoolean;
    case DUCKDB_TYPE_UTINYINT:
      return Type::kUtinyint;
    case DUCKDB_TYPE_INTEGER:
      return Type::kInteger;
    case DUCKDB_TYPE_BIGINT:
      return Type::kBigint;
    case DUCKDB_TYPE_DOUBLE:
      return Type::kDouble;
    case DUCKDB_TYPE_DECIMAL:
      return Type::kDecimal;
    case DUCKDB_TYPE_VARCHAR:
      return Type::kVarchar;
    case DUCKDB_TYPE_UUID:
      return Type::kUuid;
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return Type::kTimestampNs;
    case DUCKDB_TYPE_HUGEINT:
      return Type::kHugeint;
    default:
      return Type::kOther;
  }
}

Database::Database(const DatabaseOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->handle = std::make_shared<DatabaseHandle>();
  duckdb_config config = nullptr;
  const bool created = duckdb_create_config(&config) == DuckDBSuccess;
  TARE_ASSERT(created, "duckdb_create_config");
  set_option(config, "threads", std::to_string(options.threads));
  // Nothing is ever fetched from a network behind the user's back, nor read from their home.
  set_option(config, "autoinstall_known_extensions", "false");
  set_option(config, "autoload_known_extensions", "false");
  set_option(config, "allow_community_extensions", "false");
  set_option(config, "allow_persistent_secrets", "false");
  set_option(config, "temp_directory", options.temp_directory);
  if (options.memory_limit_bytes > 0) {
    set_option(config, "memory_limit", std::to_string(options.memory_limit_bytes) + "B");
  }
  if (!options.allow_external_files) set_option(config, "enable_external_access", "false");
  char* error = nullptr;
  const duckdb_state state = duckdb_open_ext(nullptr, &impl_->handle->database, config, &error);
  duckdb_destroy_config(&config);
  std::string reason = error != nullptr ? error : "";
  duckdb_free(error);
  TARE_ASSERT(state == DuckDBSuccess, reason);
  // The machine's own zone must not change an answer.
  connect().query("SET GLOBAL TimeZone = 'UTC'");
}

Database::~Database() = default;

Connection Database::connect() {
  auto impl = std::make_unique<Connection::Impl>();
  impl->handle = open_connection(impl_->handle);
  return Connection(std::move(impl));
}

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Connection::Connection(Connection&&) noexcept = default;
Connection::~Connection() = default;

Result Connection::query(std::string_view sql) {
  QueryError error;
  std::optional<Result> result = run(*impl_->handle, sql, &error);
  if (!result) fail_own_sql(sql, error.full);
  return *std::move(result);
}

std::optional<Result> Connection::try_query(std::string_view sql, QueryError* error) {
  QueryError ignored;
  return run(*impl_->handle, sql, error != nullptr ? error : &ignored);
}

struct Stream::Impl {
  std::shared_ptr<ConnectionHandle> handle;
  PreparedStatement prepared;
  OwnedResult owned;
  duckdb_data_chunk current = nullptr;
  Chunk chunk;
  std::vector<std::string> names;
  std::vector<Type> types;
  std::string own_sql;  // of stream_store, else ""
  bool ended = false;

  ~Impl() {
    duckdb_destroy_data_chunk(&current);
    if (!ended) handle->streaming = false;
  }
};

Stream Connection::stream(std::string_view sql) {
  ConnectionHandle& handle = *impl_->handle;
  TARE_ASSERT(!handle.streaming, "a second stream on one connection");
  auto impl = std::make_unique<Stream::Impl>();
  impl->ended = true;  // until it runs
  impl->handle = impl_->handle;
  const std::string text(sql);
  QueryError error;
  const duckdb_state state =
      duckdb_prepare(handle.connection, text.c_str(), &impl->prepared.statement);
  if (!may_run(handle, state, impl->prepared, &error)) throw QueryError(error);
  // Declared obsolete, and the only door to a streaming result without polling tasks by hand.
  if (duckdb_execute_prepared_streaming(impl->prepared.statement, &impl->owned.result) !=
      DuckDBSuccess) {
    throw query_error(duckdb_result_error(&impl->owned.result));
  }
  impl->ended = false;
  handle.streaming = true;
  const idx_t columns = duckdb_column_count(&impl->owned.result);
  for (idx_t column = 0; column < columns; ++column) {
    impl->names.emplace_back(duckdb_column_name(&impl->owned.result, column));
    impl->types.push_back(type_of(duckdb_column_type(&impl->owned.result, column)));
  }
  return Stream(std::move(impl));
}

Stream Connection::stream_store(std::string_view sql) {
  try {
    Stream started = stream(sql);
    started.impl_->own_sql = sql;
    return started;
  } catch (const QueryError& error) {
    fail_own_sql(sql, error.full);
  }
}

Stream::Stream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stream::Stream(Stream&&) noexcept = default;
Stream::~Stream() = default;

const Chunk* Stream::next() {
  if (impl_->ended) return nullptr;
  duckdb_destroy_data_chunk(&impl_->current);
  impl_->current = duckdb_fetch_chunk(impl_->owned.result);
  if (impl_->current == nullptr) {
    // The end and a failure look alike; a further fetch would set a false error.
    impl_->ended = true;
    impl_->handle->streaming = false;
    const char* error = duckdb_result_error(&impl_->owned.result);
    if (error == nullptr || *error == '\0') return nullptr;
    if (!impl_->own_sql.empty()) fail_own_sql(impl_->own_sql, error);
    throw query_error(error);
  }
  Chunk& chunk = impl_->chunk;
  chunk.rows_ = duckdb_data_chunk_get_size(impl_->current);
  chunk.columns_.resize(impl_->names.size());
  for (size_t column = 0; column < chunk.columns_.size(); ++column) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(impl_->current, column);
    chunk.columns_[column] = {duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector)};
  }
  return &chunk;
}

size_t Stream::columns() const { return impl_->names.size(); }
const std::string& Stream::column_name(size_t column) const { return impl_->names[column]; }
Type Stream::column_type(size_t column) const { return impl_->types[column]; }

Hash128 Chunk::uuid(size_t column, size_t row) const {
  return uuid_of(static_cast<const duckdb_hugeint*>(columns_[column].values)[row]);
}

int128 Chunk::i128(size_t column, size_t row) const {
  return int128_of(static_cast<const duckdb_hugeint*>(columns_[column].values)[row]);
}

void Chunk::check_layout() {
  static_assert(sizeof(TextEntry) == sizeof(duckdb_string_t));
  static_assert(offsetof(TextEntry, inlined.data) ==
                offsetof(duckdb_string_t, value.inlined.inlined));
  static_assert(offsetof(TextEntry, pointer.data) == offsetof(duckdb_string_t, value.pointer.ptr));
}

void TextChunk::clear() {
  for (auto& values : values_) values.clear();
  for (auto& validity : validity_) validity.clear();
  chunk_.rows_ = 0;
}

void TextChunk::add_row() {
  const size_t row = chunk_.rows_++;
  for (auto& values : values_) values.emplace_back();
  if (row % 64 != 0) return;
  for (auto& validity : validity_) validity.push_back(0);
}

void TextChunk::set(size_t column, std::string_view text) {
  const size_t row = chunk_.rows_ - 1;
  Chunk::TextEntry& entry = values_[column][row];
  entry.inlined.length = static_cast<uint32_t>(text.size());
  if (text.size() <= sizeof(entry.inlined.data)) {
    std::memcpy(entry.inlined.data, text.data(), text.size());
  } else {
    std::memcpy(entry.pointer.prefix, text.data(), sizeof(entry.pointer.prefix));
    entry.pointer.data = text.data();
  }
  validity_[column][row / 64] |= uint64_t{1} << (row % 64);
}

const Chunk& TextChunk::chunk() {
  chunk_.columns_.resize(values_.size());
  for (size_t i = 0; i < values_.size(); ++i) {
    chunk_.columns_[i] = {values_[i].data(), validity_[i].data()};
  }
  return chunk_;
}

std::string quote_text(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

std::string quote_identifier(std::string_view name) {
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace tare::store
