// The user's own SQL: a statement's answer as a table, and its failure as an error with a place.
#pragma once

#include <string>

#include "base/errors.h"
#include "base/table.h"
#include "cli/sql_statements.h"
#include "store/store.h"

namespace tare::cli {

// Numbers as they are: decimals with all their digits, null as unknown. Throws UserError sql, with
// DuckDB's message and the place in the text that the statement was cut from.
Table run_statement(store::Connection& connection, const Statement& statement, std::string id);

// DuckDB's message taken apart: "<what>\n<more>\n\nLINE n: <text>\n   ^".
UserError sql_error(const store::QueryError& error, const Statement& statement);

}  // namespace tare::cli
