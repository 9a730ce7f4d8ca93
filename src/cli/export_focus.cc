// tare export focus: the bill as FOCUS rows, one a posting, in one file.
#include <filesystem>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/export_files.h"
#include "cli/progress_line.h"
#include "cli/session.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

// By what tells postings of one line apart at the end, so that equal stores make equal files.
constexpr std::string_view kFocusOrder =
    " ORDER BY \"BillingPeriodStart\", \"ChargePeriodStart\", x_bill_line_id, x_account, x_run, "
    "x_attempt, x_rule, \"BilledCost\", \"EffectiveCost\", \"ListCost\", \"ContractedCost\", "
    "\"PricingQuantity\", \"ConsumedQuantity\"";

// Parquet has a type for an instant in UTC, to the microsecond; CSV has FOCUS's text, which has all
// digits.
std::string instants_as(bool csv) {
  std::string sql;
  for (const std::string_view name :
       {"BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd"}) {
    const std::string column = store::quote_identifier(name);
    sql += sql.empty() ? "" : ", ";
    sql += csv ? "regexp_replace(strftime(" + column +
                     R"(, '%Y-%m-%dT%H:%M:%S.%n'), '\.?0+$', '') || 'Z')"
               : "CAST(" + column + " AS TIMESTAMPTZ)";
    sql += " AS " + column;
  }
  return sql;
}

bool is_csv(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".csv") return true;
  if (ending == ".parquet") return false;
  throw UserError("usage", "'" + file.string() + "' ends neither in .parquet nor in .csv",
                  "the ending of the file says its format: tare export focus bill.parquet");
}

void refuse_what_is_there(const fs::path& file, const Options& options) {
  std::error_code error;
  const fs::path folder = file.parent_path();
  if (!folder.empty() && fs::exists(folder, error) && !fs::is_directory(folder, error)) {
    throw UserError("folder-missing", "'" + folder.string() + "' is not a folder");
  }
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) {
    throw UserError("file-exists", "'" + file.string() + "' is a folder", "name a file in it");
  }
  if (!options.force) {
    throw UserError("file-exists", "'" + file.string() + "' is already there",
                    "name a new file, or give --force to replace it");
  }
}

// Billing periods: an open end has no bound, as a charge's own month is none. Empty: all.
std::optional<Span> billing_periods(const Options& options, store::Connection& connection) {
  if (options.newest_month) {
    const store::Result newest =
        connection.query("SELECT max(billing_period_start_ns) FROM store_line_sum");
    if (newest.is_null(0, 0)) return std::nullopt;
    return span_of(month_of(newest.i64(0, 0)));
  }
  if (!options.first_month && !options.last_month) return std::nullopt;
  Span periods{INT64_MIN, INT64_MAX};
  if (options.first_month) periods.start_ns = span_of(*options.first_month).start_ns;
  if (options.last_month) periods.end_ns = span_of(*options.last_month).end_ns;
  return periods;
}

int64_t write_rows(store::Connection& connection, const fs::path& path, bool csv) {
  const std::string sql = "COPY (SELECT * REPLACE (" + instants_as(csv) + ") FROM focus_row" +
                          std::string(kFocusOrder) + ") TO " + store::quote_text(path.string()) +
                          (csv ? " (FORMAT csv, HEADER)" : " (FORMAT parquet, COMPRESSION zstd)");
  store::QueryError error;
  const std::optional<store::Result> result = connection.try_query(sql, &error);
  if (!result) {
    store::throw_fault_of_store(error.full);
    fail_to_write(path, error.message);
  }
  sync_path(path);
  return result->i64(0, 0);
}

Document document_of_file(const fs::path& shown, int64_t rows) {
  Table table;
  table.id = "export/files";
  table.title = "files";
  table.columns = {{.name = "file", .heading = "file", .align = Align::kLeft, .shown_sum_of = {}},
                   {.name = "rows", .heading = "rows", .shown_sum_of = {}}};
  Row row;
  row.key = "focus";
  row.cells = {shown.filename().string(), rows};
  table.rows.push_back(std::move(row));
  Document document;
  document.command = "export";
  document.facts = {{"written", shown.string()}};
  document.tables.push_back(std::move(table));
  return document;
}

}  // namespace

int run_export_focus(const Options& options) {
  const fs::path shown = (fs::path(options.directory) / options.operand(1)).lexically_normal();
  const bool csv = is_csv(shown);
  Session session = open_session(options);
  refuse_what_is_there(shown, options);
  const std::optional<Span> periods = billing_periods(options, session.store.connection());
  const fs::path target = canonical_target(shown);
  const fs::path aside = fresh_folder_beside(target);
  ProgressLine line(progress_terminal(!options.quiet && !options.no_progress));
  int64_t rows = 0;
  try {
    line.show({.stage = "writing " + shown.filename().string()});
    measures::make_focus_rows(session.store, periods, aside.string());
    rows = write_rows(session.store.connection(), aside / target.filename(), csv);
    if (rows == 0 && periods) {
      throw UserError("period-without-bill",
                      "no line of the bill has a billing period in that time",
                      "without --month, --from and --to, all billing periods are written");
    }
    rename_or_fail(aside / target.filename(), target);
    sync_path(target.parent_path());
  } catch (...) {
    std::error_code error;
    fs::remove_all(aside, error);
    throw;
  }
  std::error_code error;
  fs::remove_all(aside, error);
  line.erase();
  answer(document_of_file(shown, rows), options);
  return kDone;
}

}  // namespace tare::cli
