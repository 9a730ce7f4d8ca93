#include "ledger/audit.h"

#include "embedded/ledger.h"
#include <fmt/format.h>

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
  return fmt::format("(SELECT 1 AS file, '' AS source, 0 AS billing_period_start_ns, * FROM {})",
                     table);
}

struct RowRelations {
  std::string lines, dims, postings, posting_dims;
};

std::vector<Conservation> audit_rows(store::Connection& connection, const RowRelations& relations) {
  std::string sides(embedded::audit_rows_sql());
  replace_all(&sides, "$lines", relations.lines);
  replace_all(&sides, "$dims", relations.dims);
  replace_all(&sides, "$postings", relations.postings);
  replace_all(&sides, "$posting_dims", relations.posting_dims);
  return audit_sides(connection, sides);
}

std::vector<Conservation> audit_sums(store::Connection& connection, const std::string& line_sums,
                                     const std::string& month_costs) {
  std::string sides(embedded::audit_summaries_sql());
  replace_all(&sides, "$line_sums", line_sums);
  replace_all(&sides, "$month_costs", month_costs);
  return audit_sides(connection, sides);
}

}  // namespace

std::vector<Conservation> audit_file(store::Connection& connection, const std::string& bill_alias,
                                     const std::string& ledger_alias) {
  return audit_rows(
      connection,
      {with_period(bill_alias + ".line"), with_period(bill_alias + ".dim"),
       with_period(ledger_alias + ".posting"), with_period(ledger_alias + ".posting_dim")});
}

std::vector<Conservation> audit_summaries(store::Connection& connection,
                                          const std::string& bill_alias,
                                          const std::string& ledger_alias) {
  return audit_sums(connection, with_period(bill_alias + ".line_sum"),
                    with_period(ledger_alias + ".month_cost"));
}

std::vector<Conservation> audit(store::Connection& connection) {
  return audit_rows(connection, {"store_line", "store_dim", "store_posting", "store_posting_dim"});
}

std::vector<Conservation> audit_summaries(store::Connection& connection) {
  return audit_sums(connection, "store_line_sum", "store_month_cost");
}

}  // namespace tare::ledger
