// DuckDB's raw handles with owners, for the files of this folder only: duckdb.h stops here.
#pragma once

#include <duckdb.h>
#include <memory>
#include <string>

#include "store/database.h"

namespace tare::store {

struct DatabaseHandle {
  duckdb_database database = nullptr;
  DatabaseHandle() = default;
  ~DatabaseHandle();
  DatabaseHandle(const DatabaseHandle&) = delete;
  DatabaseHandle& operator=(const DatabaseHandle&) = delete;
};

// Keeps its database open, so connections, streams and results may outlive the Database object.
struct ConnectionHandle {
  std::shared_ptr<DatabaseHandle> database;
  duckdb_connection connection = nullptr;
  bool streaming = false;  // a second query would silently cut a stream that is not read to its end
  bool questions_only = false;
  ConnectionHandle() = default;
  ~ConnectionHandle();
  ConnectionHandle(const ConnectionHandle&) = delete;
  ConnectionHandle& operator=(const ConnectionHandle&) = delete;
};

struct Database::Impl {
  std::shared_ptr<DatabaseHandle> handle;
};

struct Connection::Impl {
  std::shared_ptr<ConnectionHandle> handle;
};

std::shared_ptr<ConnectionHandle> open_connection(const std::shared_ptr<DatabaseHandle>& database);

// From now on the connection runs only statements that ask, or that make things in memory. Without
// this, SQL could detach a store file and attach it again to write.
void allow_questions_only(Connection& connection);

// What a failure of SQL of our own means: a damaged store file and exhausted memory or disk are the
// user's (UserError); anything else is a bug and asserts.
[[noreturn]] void fail_own_sql(std::string_view sql, std::string_view error);

Type type_of(duckdb_type type);

}  // namespace tare::store
