#include "store/views.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "embedded/store.h"

#include "base/findings.h"
#include "base/instant.h"
#include "store/schema.h"

namespace tare::store {

namespace {

using TableSet = std::set<std::pair<std::string, std::string>>;  // (alias, table)

TableSet present_tables(Connection& connection) {
  TableSet present;
  const Result tables =
      connection.query("SELECT database_name, table_name FROM duckdb_tables() WHERE NOT internal");
  for (size_t row = 0; row < tables.rows(); ++row) {
    present.emplace(tables.text(row, 0), tables.text(row, 1));
  }
  return present;
}

bool carries_period(const TableSpec& table) {
  return table.file_kind == "bill" || table.file_kind == "ledger" || table.name == "quarantine";
}

std::string period_columns(const StoreFile& file) {
  const std::optional<Month> month = parse_month(file.period);
  return ", " + quote_text(file.source) + " AS source, " + quote_text(file.period) +
         " AS period, " + "CAST(" + (month ? std::to_string(span_of(*month).start_ns) : "NULL") +
         " AS BIGINT) AS billing_period_start_ns";
}

// A store without such rows still has the view, with its types.
std::string typed_nothing(const TableSpec& table) {
  std::string sql = "SELECT CAST(NULL AS INTEGER) AS file";
  if (carries_period(table)) {
    sql +=
        ", CAST(NULL AS VARCHAR) AS source, CAST(NULL AS VARCHAR) AS period, "
        "CAST(NULL AS BIGINT) AS billing_period_start_ns";
  }
  if (table.has_row) sql += ", CAST(NULL AS INTEGER) AS row";
  for (const ColumnSpec& column : table.columns()) {
    sql += std::string(", CAST(NULL AS ") + sql_type(column.type) + ") AS " +
           quote_identifier(column.name);
  }
  return sql + " WHERE false";
}

// The constants of a branch let DuckDB leave out files whose source or period a query excludes.
std::string union_of(const TableSpec& table, const std::vector<AttachedFile>& attached,
                     const TableSet& present) {
  std::string sql;
  for (const AttachedFile& at : attached) {
    const bool of_kind = table.file_kind.empty() || at.file.kind == table.file_kind;
    if (!of_kind || !present.contains({at.alias, std::string(table.name)})) continue;
    if (!sql.empty()) sql += " UNION ALL ";
    sql += "SELECT " + std::to_string(at.number) + " AS file";
    if (carries_period(table)) sql += period_columns(at.file);
    if (table.has_row) sql += ", CAST(rowid AS INTEGER) AS row";
    sql += ", * FROM " + at.alias + "." + std::string(table.name);
  }
  return sql.empty() ? typed_nothing(table) : sql;
}

// CREATE MACRO <name>(value) AS the text that stands for it.
template <typename TextOf>
std::string text_macro(const std::string& name, size_t count, TextOf text_of) {
  std::string sql = "CREATE MACRO " + name + "(value) AS CASE value";
  for (size_t index = 0; index < count; ++index) {
    sql += " WHEN " + std::to_string(index) + " THEN " + quote_text(text_of(index));
  }
  return sql + " END; ";
}

std::string text_macros() {
  return text_macro("store_evidence_text", static_cast<size_t>(Rule::kCount),
                    [](size_t index) {
                      const Evidence evidence = evidence_of(static_cast<Rule>(index));
                      return kEvidenceTexts[static_cast<size_t>(evidence)];
                    }) +
         text_macro("store_rule_text", static_cast<size_t>(Rule::kCount),
                    [](size_t index) { return rule_name(static_cast<Rule>(index)); }) +
         text_macro("store_state_text", kStates,
                    [](size_t index) { return state_name(static_cast<State>(index)); }) +
         text_macro("store_device_class_text", kDeviceClassTexts.size(),
                    [](size_t index) { return kDeviceClassTexts[index]; }) +
         text_macro("store_sign_source_text", kSignSourceTexts.size(),
                    [](size_t index) { return kSignSourceTexts[index]; });
}

// Rows of a small table as SQL values.
class Values {
 public:
  void begin_row() {
    sql_ += sql_.empty() ? "(" : "), (";
    first_ = true;
  }
  void add(std::string_view text) { add_raw(quote_text(text)); }
  void add(int64_t number) { add_raw(std::to_string(number)); }
  std::string insert_into(const std::string& table) const {
    return sql_.empty() ? "" : "INSERT INTO " + table + " VALUES " + sql_ + "); ";
  }

 private:
  void add_raw(const std::string& value) {
    if (!first_) sql_ += ", ";
    first_ = false;
    sql_ += value;
  }
  std::string sql_;
  bool first_ = true;
};

std::string file_rows(const std::vector<AttachedFile>& attached) {
  Values values;
  for (const AttachedFile& at : attached) {
    values.begin_row();
    values.add(int64_t{at.number});
    values.add(at.file.name);
    values.add(at.file.kind);
    values.add(at.file.source);
    values.add(at.file.period);
    values.add(at.file.span_start_ns);
    values.add(at.file.span_end_ns);
    values.add(at.file.rows);
    values.add(at.alias);
  }
  return "CREATE TABLE store_file (file INTEGER, name VARCHAR, kind VARCHAR, source VARCHAR, "
         "period VARCHAR, span_start_ns BIGINT, span_end_ns BIGINT, rows BIGINT, alias VARCHAR); " +
         values.insert_into("store_file");
}

std::string input_rows(const Catalog& catalog) {
  Values values;
  for (const InputFile& input : catalog.inputs) {
    values.begin_row();
    values.add(input.source);
    values.add(input.kind);
    values.add(input.format);
    values.add(input.file);
    values.add(input.size);
    values.add(input.sha256);
    values.add(input.rows_in);
    values.add(input.rows_used);
    values.add(input.rows_netted);
    values.add(input.rows_quarantined);
    values.add(input.lines_out);
  }
  return "CREATE TABLE store_input (source VARCHAR, kind VARCHAR, format VARCHAR, file VARCHAR, "
         "size BIGINT, sha256 VARCHAR, rows_in BIGINT, rows_used BIGINT, rows_netted BIGINT, "
         "rows_quarantined BIGINT, lines_out BIGINT); " +
         values.insert_into("store_input");
}

std::string finding_kind_rows() {
  Values values;
  for (const FindingKind& kind : finding_kinds()) {
    values.begin_row();
    values.add(kind.code);
    values.add(to_text(kind.severity));
    values.add(kind.title);
    values.add(kind.hint);
  }
  return "CREATE TABLE store_finding_kind (code VARCHAR, severity VARCHAR, title VARCHAR, "
         "hint VARCHAR); " +
         values.insert_into("store_finding_kind");
}

}  // namespace

std::vector<AttachedFile> number_files(const Catalog& catalog) {
  std::map<std::pair<std::string, std::string>, int> numbers;
  std::vector<AttachedFile> attached;
  for (const StoreFile& file : catalog.files) {
    // Of a kind without periods each file stands alone.
    const bool paired = file.kind == "bill" || file.kind == "ledger";
    const auto key =
        paired ? std::pair(file.source, file.period) : std::pair(std::string(), file.name);
    const int number = numbers.try_emplace(key, static_cast<int>(numbers.size()) + 1).first->second;
    attached.push_back({file, "f" + std::to_string(attached.size() + 1), number});
  }
  return attached;
}

void create_views(Connection& connection, const Catalog& catalog,
                  const std::vector<AttachedFile>& attached) {
  const TableSet present = present_tables(connection);
  std::string sql = file_rows(attached) + input_rows(catalog) + finding_kind_rows() + text_macros();
  for (const TableSpec& table : store_tables()) {
    sql += "CREATE VIEW " + std::string(table.view) + " AS " + union_of(table, attached, present) +
           "; ";
  }
  sql += embedded::views_sql();
  connection.query(sql);
}

}  // namespace tare::store
