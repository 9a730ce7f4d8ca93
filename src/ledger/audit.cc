#include "ledger/audit.h"

#include "embedded/ledger.h"
#include <fmt/format.h>

#include "base/wide_math.h"
#include "ledger/rates.h"

namespace tare::ledger {
namespace {

constexpr std::array<const char*, kCostColumns> kColumnNames = {"billed_cost", "effective_cost",
                                                                "list_cost", "contracted_cost"};
constexpr size_t kFirstCostColumn = 6, kColumnsEach = 5;

void replace_all(std::string* text, const std::string& name, const std::string& value) {
  for (size_t at = text->find(name); at != std::string::npos;
       at = text->find(name, at + value.size())) {
    text->replace(at, name.size(), value);
  }
}

std::vector<Conservation> audit_sides(store::Connection& connection, const std::string& sides) {
  std::string sql(embedded::audit_sql());
  replace_all(&sql, "$sides", sides);
  store::Result result = connection.query(sql);
  std::vector<Conservation> rows;
  for (size_t row = 0; row < result.rows(); ++row) {
    for (size_t c = 0; c < kCostColumns; ++c) {
      size_t at = kFirstCostColumn + c * kColumnsEach;
      Conservation one;
      one.source = result.text(row, 0);
      one.billing_period_start_ns = result.is_null(row, 1) ? 0 : result.i64(row, 1);
      one.issuer = result.text(row, 2);
      one.invoice_id = result.text(row, 3);
      one.currency = result.text(row, 4);
      one.cost_column = kColumnNames[c];
      one.line_count = result.i64(row, 5);
      one.lines = Money::from_stored(result.i128(row, at), result.i128(row, at + 1));
      one.postings = Money::from_stored(result.i128(row, at + 2), result.i128(row, at + 3));
      one.unknown_lines = result.i64(row, at + 4);
      rows.push_back(std::move(one));
    }
  }
  return rows;
}

// A table of one bill or ledger file, with what the views of a store add.
std::string with_period(const std::string& table) {
  return fmt::format(
      "(SELECT 1 AS file, '' AS source, 0 AS billing_period_start_ns, rowid AS row, * FROM {})",
      table);
}

// The same of a table that a ledger file has only where something was converted.
std::string where_converted(store::Connection& connection, const std::string& alias,
                            std::string_view table, const std::vector<store::ColumnSpec>& columns) {
  const store::Result found = connection.query(fmt::format(
      "SELECT count(*) FROM duckdb_tables() WHERE database_name = {} AND table_name = {}",
      store::quote_text(alias), store::quote_text(table)));
  if (found.i64(0, 0) > 0) return with_period(fmt::format("{}.{}", alias, table));
  std::string nothing = "(SELECT 1 AS file, '' AS source, 0 AS billing_period_start_ns";
  for (const store::ColumnSpec& column : columns) {
    nothing += fmt::format(", CAST(NULL AS {}) AS {}", store::sql_type(column.type),
                           store::quote_identifier(column.name));
  }
  return nothing + " WHERE false)";
}

struct RowRelations {
  std::string lines, dims, postings, posting_dims, converted;
};

std::vector<Conservation> audit_rows(store::Connection& connection, const RowRelations& relations) {
  std::string sides(embedded::audit_rows_sql());
  replace_all(&sides, "$lines", relations.lines);
  replace_all(&sides, "$dims", relations.dims);
  replace_all(&sides, "$postings", relations.postings);
  replace_all(&sides, "$posting_dims", relations.posting_dims);
  replace_all(&sides, "$converted", relations.converted);
  return audit_sides(connection, sides);
}

struct SumRelations {
  std::string line_sums, month_costs, conversions, used_rates;
};

std::vector<Conservation> audit_sums(store::Connection& connection, const SumRelations& relations) {
  std::string sides(embedded::audit_summaries_sql());
  replace_all(&sides, "$line_sums", relations.line_sums);
  replace_all(&sides, "$month_costs", relations.month_costs);
  replace_all(&sides, "$conversions", relations.conversions);
  replace_all(&sides, "$used_rates", relations.used_rates);
  return audit_sides(connection, sides);
}

uint128 magnitude(Money amount) {
  return static_cast<uint128>(amount.is_negative() ? -amount.atto() : amount.atto());
}

// Without dividing: |converted × denominator - own × numerator| is half of the denominator at most,
// and where it is just that, the converted cost is even. The same sign, unless it is zero.
bool is_conversion(Money own, Money converted, const Rate& rate) {
  if (!converted.is_zero() && own.is_negative() != converted.is_negative()) return false;
  const auto denominator = static_cast<uint128>(rate.denominator());
  const Uint256 got = multiply(magnitude(converted), denominator);
  const Uint256 exact = multiply(magnitude(own), static_cast<uint128>(rate.numerator()));
  const Uint256 off = got < exact ? subtract(exact, got) : subtract(got, exact);
  if (off.hi != 0 || off.lo > denominator || off.lo > denominator - off.lo) return false;
  return off.lo != denominator - off.lo || (converted.atto() & 1) == 0;
}

std::optional<Money> cost_at(const store::Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  return Money::from_stored(chunk.i64(column, row), chunk.i64(column + 1, row));
}

bool is_true_conversion(const store::Chunk& chunk, size_t row) {
  const std::optional<Money> given = cost_at(chunk, 1, row);
  if (chunk.u8(0, row) == 0 || !given || *given <= Money()) return false;
  const Rate rate{0, *given, chunk.u8(3, row) != 0};
  for (size_t c = 0; c < kCostColumns; ++c) {
    const std::optional<Money> own = cost_at(chunk, 4 + 4 * c, row);
    const std::optional<Money> converted = cost_at(chunk, 6 + 4 * c, row);
    if (own.has_value() != converted.has_value()) return false;
    if (own && !is_conversion(*own, *converted, rate)) return false;
  }
  return true;
}

int64_t false_conversions(store::Connection& connection, const RowRelations& relations,
                          const std::string& used_rates) {
  std::string sql(embedded::audit_conversions_sql());
  replace_all(&sql, "$lines", relations.lines);
  replace_all(&sql, "$dims", relations.dims);
  replace_all(&sql, "$posting_dims", relations.posting_dims);
  replace_all(&sql, "$converted", relations.converted);
  replace_all(&sql, "$used_rates", used_rates);
  replace_all(&sql, "$oldest_ns", std::to_string((kOldestRateDays + 1) * kNsPerDay));
  int64_t wrong = 0;
  store::Stream stream = connection.stream_store(sql);
  while (const store::Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      wrong += is_true_conversion(*chunk, row) ? 0 : 1;
    }
  }
  return wrong;
}

RowRelations relations_of_file(store::Connection& connection, const std::string& bill_alias,
                               const std::string& ledger_alias) {
  return {with_period(bill_alias + ".line"), with_period(bill_alias + ".dim"),
          with_period(ledger_alias + ".posting"), with_period(ledger_alias + ".posting_dim"),
          where_converted(connection, ledger_alias, "converted", store::converted_columns())};
}

const RowRelations kOfStore = {"store_line", "store_dim", "store_posting", "store_posting_dim",
                               "store_converted"};

}  // namespace

std::vector<Conservation> audit_file(store::Connection& connection, const std::string& bill_alias,
                                     const std::string& ledger_alias) {
  return audit_rows(connection, relations_of_file(connection, bill_alias, ledger_alias));
}

std::vector<Conservation> audit_summaries(store::Connection& connection,
                                          const std::string& bill_alias,
                                          const std::string& ledger_alias) {
  return audit_sums(
      connection,
      {with_period(bill_alias + ".line_sum"), with_period(ledger_alias + ".month_cost"),
       where_converted(connection, ledger_alias, "conversion", store::conversion_columns()),
       where_converted(connection, ledger_alias, "used_rate", store::used_rate_columns())});
}

int64_t count_false_conversions(store::Connection& connection, const std::string& bill_alias,
                                const std::string& ledger_alias) {
  return false_conversions(
      connection, relations_of_file(connection, bill_alias, ledger_alias),
      where_converted(connection, ledger_alias, "used_rate", store::used_rate_columns()));
}

std::vector<Conservation> audit(store::Connection& connection) {
  return audit_rows(connection, kOfStore);
}

std::vector<Conservation> audit_summaries(store::Connection& connection) {
  return audit_sums(connection,
                    {"store_line_sum", "store_month_cost", "store_conversion", "store_used_rate"});
}

int64_t count_false_conversions(store::Connection& connection) {
  return false_conversions(connection, kOfStore, "store_used_rate");
}

}  // namespace tare::ledger
