#include "cli/sql_answer.h"

#include <algorithm>
#include <set>

#include "base/decimal_text.h"

namespace tare::cli {
namespace {

// An answer is held in memory to be laid out; what is larger is an export.
constexpr size_t kMostRows = 1'000'000;

// The same digits without the zeros that the column's scale adds.
std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.resize(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

Value exact_number(const std::string& text) {
  const DecimalResult number = parse_decimal(text);
  if (number.ok() && !number.rounded) return number.value;
  return without_trailing_zeros(text);
}

Value value_at(const store::Result& result, size_t row, size_t column) {
  if (result.is_null(row, column)) return Unknown{};
  switch (result.column_type(column)) {
    case store::Type::kBoolean:
      return result.i64(row, column) != 0;
    case store::Type::kUtinyint:
    case store::Type::kInteger:
    case store::Type::kBigint:
      return result.i64(row, column);
    case store::Type::kHugeint: {
      const int128 value = result.i128(row, column);
      if (value >= INT64_MIN && value <= INT64_MAX) return static_cast<int64_t>(value);
      return result.text(row, column);
    }
    case store::Type::kDecimal:
    case store::Type::kDouble:
      return exact_number(result.text(row, column));
    default:
      return result.text(row, column);
  }
}

bool is_number(store::Type type) {
  return type != store::Type::kVarchar && type != store::Type::kUuid &&
         type != store::Type::kTimestampNs && type != store::Type::kOther &&
         type != store::Type::kBoolean;
}

int decimals_of(const Value& value) {
  const Money* amount = std::get_if<Money>(&value);
  if (amount == nullptr) return 0;
  const std::string text = to_text(*amount);
  const size_t point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

std::vector<Column> columns_of(const store::Result& result) {
  std::vector<Column> columns;
  std::set<std::string> taken;
  for (size_t c = 0; c < result.columns(); ++c) {
    const std::string& heading = result.column_name(c);
    // Two columns of one name would be one key in JSON.
    std::string name = heading;
    for (int copy = 2; !taken.insert(name).second; ++copy) {
      name = heading + "_" + std::to_string(copy);
    }
    columns.push_back({.name = name,
                       .heading = heading,
                       .align = is_number(result.column_type(c)) ? Align::kRight : Align::kLeft,
                       .decimals = 0,
                       .shown_sum_of = {}});
  }
  return columns;
}

std::string_view line_of(std::string_view text, int64_t line) {
  for (int64_t at = 1; at < line; ++at) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

bool in_token(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "LINE 2: ...some text...\n            ^": the place in the statement's own text.
Place place_of(std::string_view marked, const Statement& statement) {
  Place place;
  place.file = "sql";
  marked.remove_prefix(std::string_view("LINE ").size());
  const size_t colon = marked.find(": ");
  if (colon == std::string_view::npos) return {};
  const std::optional<int64_t> line = parse_integer(marked.substr(0, colon));
  const size_t end = marked.find('\n');
  if (!line || end == std::string_view::npos) return {};
  const size_t caret = marked.find('^', end);
  const size_t gutter = std::string_view("LINE ").size() + colon + 2;
  std::string_view shown = marked.substr(colon + 2, end - colon - 2);
  const std::string_view whole = line_of(statement.text, *line);
  place.line = statement.first_line + *line - 1;
  place.source_line = whole;
  if (caret == std::string_view::npos || caret - end - 1 < gutter) return place;
  size_t offset = caret - end - 1 - gutter;
  if (shown.starts_with("...") && !whole.starts_with("...") && offset >= 3) {
    shown.remove_prefix(3);
    offset -= 3;
  }
  if (shown.ends_with("...") && !whole.ends_with("...")) shown.remove_suffix(3);
  const size_t found = whole.find(shown);
  if (found == std::string_view::npos) return place;
  const size_t at = found + offset;
  place.column = static_cast<int64_t>(at) + 1;
  size_t length = 0;
  while (at + length < whole.size() && in_token(whole[at + length])) ++length;
  place.caret_length = std::max<int64_t>(static_cast<int64_t>(length), 1);
  return place;
}

std::string trimmed_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) out += (out.empty() ? "" : "\n") + std::string(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

UserError sql_error(const store::QueryError& error, const Statement& statement) {
  const std::string_view full = error.full;
  const size_t mark = full.find("\nLINE ");
  const std::string_view told = full.substr(0, mark);
  const size_t first_end = std::min(told.find('\n'), told.size());
  const Place place =
      mark == std::string_view::npos ? Place{} : place_of(full.substr(mark + 1), statement);
  return UserError("sql", std::string(told.substr(0, first_end)),
                   trimmed_lines(told.substr(first_end)), place);
}

Table run_statement(store::Connection& connection, const Statement& statement, std::string id) {
  store::QueryError error;
  const std::optional<store::Result> result = connection.try_query(statement.text, &error);
  if (!result) {
    store::throw_fault_of_store(error.full);
    throw sql_error(error, statement);
  }
  if (result->rows() > kMostRows) {
    throw UserError("sql-too-many-rows",
                    "the answer has " + std::to_string(result->rows()) + " rows, and " +
                        std::to_string(kMostRows) + " are the most that 'tare sql' prints",
                    "add a LIMIT, or write all of it with 'tare export parquet'");
  }
  Table table;
  table.id = std::move(id);
  table.keyed = false;
  table.columns = columns_of(*result);
  table.rows.resize(result->rows());
  for (size_t r = 0; r < result->rows(); ++r) {
    Row& row = table.rows[r];
    row.key = std::to_string(r + 1);
    row.cells.reserve(result->columns());
    for (size_t c = 0; c < result->columns(); ++c) {
      row.cells.push_back(value_at(*result, r, c));
      table.columns[c].decimals = std::max(table.columns[c].decimals, decimals_of(row.cells[c]));
    }
  }
  return table;
}

}  // namespace tare::cli
