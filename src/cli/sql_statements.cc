#include "cli/sql_statements.h"

#include <algorithm>

namespace tare::cli {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Past the closing quote, a doubled one being part of the text; npos where it never closes.
size_t after_quote(std::string_view sql, size_t at, bool backslash_escapes) {
  const char quote = sql[at];
  for (size_t i = at + 1; i < sql.size(); ++i) {
    if (backslash_escapes && sql[i] == '\\') {
      ++i;
    } else if (sql[i] == quote) {
      if (i + 1 >= sql.size() || sql[i + 1] != quote) return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

// C comments nest in DuckDB, as they do in PostgreSQL.
size_t after_comment(std::string_view sql, size_t at) {
  int depth = 0;
  for (size_t i = at; i + 1 < sql.size(); ++i) {
    const std::string_view two = sql.substr(i, 2);
    if (two == "/*") ++depth;
    if (two == "*/") --depth;
    if (two != "/*" && two != "*/") continue;
    ++i;
    if (depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// "$tag$ ... $tag$"; past the '$' itself where no such quote begins here.
size_t after_dollar(std::string_view sql, size_t at) {
  if (at > 0 && is_name_character(sql[at - 1])) return at + 1;
  size_t end = at + 1;
  while (end < sql.size() && is_name_character(sql[end])) ++end;
  if (end >= sql.size() || sql[end] != '$') return at + 1;
  if (end > at + 1 && sql[at + 1] >= '0' && sql[at + 1] <= '9') return at + 1;  // a parameter
  const std::string_view tag = sql.substr(at, end + 1 - at);
  const size_t close = sql.find(tag, end + 1);
  return close == std::string_view::npos ? close : close + tag.size();
}

// Where the next piece of text begins that may hold a ';': past a quote or comment that begins
// here, else one character on. npos: it does not end.
size_t skip(std::string_view sql, size_t at) {
  const char c = sql[at];
  if (c == '\'') {
    const bool escapes = at > 0 && (sql[at - 1] == 'e' || sql[at - 1] == 'E') &&
                         (at < 2 || !is_name_character(sql[at - 2]));
    return after_quote(sql, at, escapes);
  }
  if (c == '"') return after_quote(sql, at, false);
  if (c == '$') return after_dollar(sql, at);
  if (sql.substr(at, 2) == "/*") return after_comment(sql, at);
  if (sql.substr(at, 2) == "--") return std::min(sql.find('\n', at), sql.size());
  return at + 1;
}

// Only comments and space: not a statement.
bool says_nothing(std::string_view sql) {
  for (size_t at = 0; at < sql.size();) {
    const bool comment = sql.substr(at, 2) == "--" || sql.substr(at, 2) == "/*";
    if (!comment && kSpace.find(sql[at]) == std::string_view::npos) return false;
    at = std::min(skip(sql, at), sql.size());
  }
  return true;
}

Statement trimmed(std::string_view text, std::string_view whole) {
  const size_t first = std::min(text.find_first_not_of(kSpace), text.size());
  const auto before = static_cast<size_t>(text.data() - whole.data()) + first;
  text.remove_prefix(first);
  text = text.substr(0, text.find_last_not_of(kSpace) + 1);
  if (says_nothing(text)) text = {};
  return {std::string(text),
          1 + std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(before), '\n')};
}

}  // namespace

Statements split_statements(std::string_view sql) {
  Statements statements;
  size_t begin = 0;
  for (size_t at = 0; at < sql.size();) {
    if (sql[at] != ';') {
      at = skip(sql, at);
      statements.open = at == std::string_view::npos;
      continue;
    }
    Statement statement = trimmed(sql.substr(begin, at - begin), sql);
    if (!statement.text.empty()) statements.complete.push_back(std::move(statement));
    begin = ++at;
  }
  statements.rest_begin = begin;
  statements.rest = trimmed(sql.substr(begin), sql);
  return statements;
}

}  // namespace tare::cli
