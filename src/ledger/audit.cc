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

}  // namespace

std::vector<Conservation> audit_relations(store::Connection& connection,
                                          const AuditRelations& relations) {
  std::string sql(embedded::audit_sql());
  replace_all(&sql, "$lines", relations.lines);
  replace_all(&sql, "$dims", relations.dims);
  replace_all(&sql, "$postings", relations.postings);
  replace_all(&sql, "$posting_dims", relations.posting_dims);
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

std::vector<Conservation> audit_file(store::Connection& connection, const std::string& bill_alias,
                                     const std::string& ledger_alias) {
  auto numbered = [](const std::string& table, bool with_period) {
    return fmt::format("(SELECT 1 AS file, {}* FROM {})",
                       with_period ? "'' AS source, 0 AS billing_period_start_ns, " : "", table);
  };
  return audit_relations(
      connection,
      {numbered(bill_alias + ".line", true), numbered(bill_alias + ".dim", false),
       numbered(ledger_alias + ".posting", true), numbered(ledger_alias + ".posting_dim", false)});
}

std::vector<Conservation> audit(store::Connection& connection) {
  return audit_relations(connection,
                         {"store_line", "store_dim", "store_posting", "store_posting_dim"});
}

}  // namespace tare::ledger
