// SQL text cut into statements at ';', as DuckDB's own lexer would: not inside quotes, comments or
// dollar quotes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tare::cli {

struct Statement {
  std::string text;        // without its ';' and the space around it; never empty
  int64_t first_line = 1;  // where it begins in the whole text
};

struct Statements {
  std::vector<Statement> complete;  // those that end in ';'
  Statement rest;                   // what follows the last ';'; may be empty
  size_t rest_begin = 0;            // where that begins
  bool open = false;                // it ends inside a quote or a comment
};

Statements split_statements(std::string_view sql);

}  // namespace tare::cli
