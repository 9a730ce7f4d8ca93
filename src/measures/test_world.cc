#include "measures/test_world.h"

#include <array>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "measures/meanings.h"

namespace tare::measures {
namespace {

using store::TableWriter;

std::optional<Money> effective_of(const TestState& state) {
  if (!state.effective) return usd(state.billed);
  if (*state.effective == "null") return std::nullopt;
  return usd(*state.effective);
}

// Billed, effective (empty where unknown), and the billed cost of what has no effective cost. List
// and contracted cost are the billed one.
struct Sum {
  Money billed, missing;
  std::optional<Money> effective;
  void add(const TestState& state) {
    billed += usd(state.billed);
    const auto part = effective_of(state);
    if (part) effective = effective.value_or(Money()) + *part;
    if (!part) missing += usd(state.billed);
  }
};

Sum sum_of(const TestPosting& posting) {
  Sum sum;
  for (const TestState& state : posting.states) sum.add(state);
  return sum;
}

Sum sum_of(const TestLine& line) {
  Sum sum;
  for (const TestPosting& posting : line.postings) {
    for (const TestState& state : posting.states) sum.add(state);
  }
  return sum;
}

size_t set_costs(TableWriter& table, size_t column, const Sum& sum) {
  table.set_money(column, sum.billed);
  table.set_money(column + 2, sum.effective);
  table.set_money(column + 4, sum.billed);
  table.set_money(column + 6, sum.billed);
  return column + 8;
}

size_t set_summed(TableWriter& table, size_t column, Sum sum) {
  if (!sum.effective) sum.effective = Money();
  size_t next = set_costs(table, column, sum);
  table.set_money(next, sum.missing);
  table.set_money(next + 2, Money());
  table.set_money(next + 4, Money());
  return next + 6;
}

int64_t time_of(const TestPosting& posting) {
  int64_t ns = 0;
  for (const TestState& state : posting.states) {
    if (state.state != store::State::kOtherCharges) ns += state.ns;
  }
  return ns;
}

void write_dims(store::FileWriter& file, const std::vector<const TestLine*>& lines) {
  TableWriter dims = file.table("dim", store::dim_columns());
  for (size_t i = 0; i < lines.size(); ++i) {
    const TestLine& line = *lines[i];
    dims.set_i32(0, static_cast<int32_t>(i));
    std::array<std::string, kDimColumns> texts;
    const auto set = [&](DimColumn column, const std::string& text) {
      texts[static_cast<size_t>(column)] = text;
    };
    set(DimColumn::kBillingCurrency, line.currency);
    set(DimColumn::kInvoiceId, line.invoice);
    set(DimColumn::kInvoiceIssuerName, line.issuer);
    set(DimColumn::kChargeCategory, line.category);
    set(DimColumn::kServiceName, line.service);
    set(DimColumn::kResourceId, line.resource);
    set(DimColumn::kCommitmentDiscountId, line.commitment);
    set(DimColumn::kCommitmentDiscountStatus, line.commitment_status);
    for (size_t column = 0; column < kDimColumns; ++column)
      dims.set_known_text(1 + column, texts[column]);
    dims.end_row();
  }
  dims.close();
}

// The summaries, re-added from the tables that the world wrote.
constexpr std::string_view kLineSums = R"(
CREATE TABLE line_sum AS
SELECT
  CAST(strftime(make_timestamp_ns(charge_start), '%Y') AS INTEGER) * 12 - 1970 * 12
    + CAST(strftime(make_timestamp_ns(charge_start), '%m') AS INTEGER) - 1 AS month,
  billing_currency, invoice_issuer_name, invoice_id, charge_category, commitment_discount_id,
  commitment_discount_status,
  COLUMNS(['billed_units', 'billed_atto', 'effective_units', 'effective_atto', 'list_units',
    'list_atto', 'contracted_units', 'contracted_atto']),
  CASE WHEN effective_units IS NULL THEN billed_units ELSE 0 END AS effective_missing_units,
  CASE WHEN effective_units IS NULL THEN billed_atto ELSE 0 END AS effective_missing_atto,
  CASE WHEN list_units IS NULL THEN billed_units ELSE 0 END AS list_missing_units,
  CASE WHEN list_units IS NULL THEN billed_atto ELSE 0 END AS list_missing_atto,
  CASE WHEN contracted_units IS NULL THEN billed_units ELSE 0 END AS contracted_missing_units,
  CASE WHEN contracted_units IS NULL THEN billed_atto ELSE 0 END AS contracted_missing_atto,
  CAST(1 AS BIGINT) AS lines,
  CAST(effective_units IS NULL AS BIGINT) AS effective_unknown,
  CAST(list_units IS NULL AS BIGINT) AS list_unknown,
  CAST(contracted_units IS NULL AS BIGINT) AS contracted_unknown
FROM line
JOIN dim ON dim.id = line.dim)";

constexpr std::string_view kMonthCosts = R"(
CREATE TABLE month_cost AS
SELECT
  month, currency, issuer, invoice_id, kind, model, stage, pool, device_class, state, busy_known,
  COLUMNS('(billed|effective|list|contracted)_(missing_)?(units|atto)'),
  billed_ns
FROM day_cost
JOIN account ON account.id = day_cost.account
JOIN posting_dim ON posting_dim.id = day_cost.dim)";

// Each run by itself.
constexpr std::string_view kRetrains = R"(
CREATE TABLE retrain AS
SELECT DISTINCT
  coalesce(nullif(model, ''), 'unnamed') AS model,
  CAST(strftime(make_timestamp_ns(end_ns - 1), '%Y') AS INTEGER) * 12 - 1970 * 12
    + CAST(strftime(make_timestamp_ns(end_ns - 1), '%m') AS INTEGER) - 1 AS month,
  run_id,
  CAST(1 AS BIGINT) AS runs
FROM run AS done
WHERE stage = 'training' AND state = 'finished' AND NOT EXISTS (
  SELECT 1 FROM run AS parent WHERE parent.run_id = done.parent_run_id AND parent.stage = 'training'))";

// A ledger file's tables; each posting has an account of its own, and each line a dim.
class LedgerTables {
 public:
  explicit LedgerTables(store::FileWriter& file)
      : accounts_(file.table("account", store::account_columns())),
        dims_(file.table("posting_dim", store::posting_dim_columns())),
        postings_(file.table("posting", store::posting_columns())),
        days_(file.table("day_cost", store::day_cost_columns())) {}

  void add(const TestLine& line) {
    add_dim(line);
    for (const TestPosting& posting : line.postings) {
      add_account(posting);
      add_posting(posting);
      for (const TestState& state : posting.states) add_day(line, posting, state);
      ++account_;
    }
    ++dim_;
  }
  void close() {
    for (TableWriter* table : {&accounts_, &dims_, &postings_, &days_}) table->close();
  }

 private:
  void add_dim(const TestLine& line) {
    dims_.set_i32(0, dim_);
    const std::array<std::string, 8> texts = {
        line.currency, line.invoice, line.issuer, line.service, "", "", line.resource, ""};
    for (size_t column = 0; column < texts.size(); ++column)
      dims_.set_known_text(1 + column, texts[column]);
    dims_.set_u8(9, static_cast<uint8_t>(line.device_class));
    dims_.end_row();
  }

  void add_account(const TestPosting& posting) {
    accounts_.set_i32(0, account_);
    accounts_.set_text(1, posting.account);
    accounts_.set_text(2, posting.account.substr(0, posting.account.find('/')));
    accounts_.set_known_text(3, posting.model);
    accounts_.set_known_text(4, posting.stage);
    accounts_.set_known_text(5, posting.team);
    accounts_.set_known_text(6, posting.pool);
    accounts_.set_known_text(7, posting.run_id);
    if (posting.run_id.empty()) {
      accounts_.set_null(8);
    } else {
      accounts_.set_i32(8, posting.attempt);
    }
    accounts_.end_row();
  }

  // dim, account and rule from `column` on.
  void set_key(TableWriter& table, size_t column, const TestPosting& posting) {
    table.set_i32(column, dim_);
    table.set_i32(column + 1, account_);
    table.set_u8(column + 2, static_cast<uint8_t>(posting.rule));
  }

  void add_posting(const TestPosting& posting) {
    postings_.set_i32(0, dim_);  // a line a dim, in the same order
    set_key(postings_, 1, posting);
    const size_t column = set_costs(postings_, 4, sum_of(posting));
    postings_.set_i64(column, time_of(posting));
    postings_.set_i64(column + 1, time_of(posting));
    postings_.end_row();
  }

  void add_day(const TestLine& line, const TestPosting& posting, const TestState& state) {
    const bool first = &state == posting.states.data();
    const bool timed = state.state != store::State::kOtherCharges;
    Sum part;
    part.add(state);
    set_key(days_, 0, posting);
    days_.set_u8(3, static_cast<uint8_t>(state.state));
    days_.set_bool(4, state.busy_known);
    days_.set_i32(5, month_of(at(line.start)).index);
    days_.set_i64(6, floor_day(at(line.start)));
    const size_t column = set_summed(days_, 7, part);
    days_.set_i64(column, first ? 1 : 0);
    days_.set_i64(column + 1, first ? time_of(posting) : 0);
    days_.set_i64(column + 2, timed ? state.ns : 0);
    days_.end_row();
  }

  TableWriter accounts_, dims_, postings_, days_;
  int32_t account_ = 0, dim_ = 0;
};

}  // namespace

Money usd(const std::string& text) {
  const DecimalResult decimal = parse_decimal(text);
  TARE_ASSERT(decimal.ok(), text);
  return decimal.value;
}

int64_t at(const std::string& text) {
  const InstantResult instant = parse_instant(text);
  TARE_ASSERT(instant.ok, text);
  return instant.ns;
}

Question question(const std::string& month) {
  Question asked;
  asked.period = span_of(*parse_month(month));
  asked.full = true;
  return asked;
}

TestWorld::TestWorld() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tare-measures-XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
  project.directory = folder_.string();
  project.name = "tiny";
  project.currency = "USD";
}

TestWorld::~TestWorld() { std::filesystem::remove_all(folder_); }

Hash128 TestWorld::id_of(const TestLine& line) const {
  const auto index = static_cast<uint64_t>(&line - lines.data());
  return {0x1000, index + 1};
}

std::string TestWorld::line_id(size_t index) const {
  const std::string hex = to_text(id_of(lines[index]));
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" +
         hex.substr(16, 4) + "-" + hex.substr(20);
}

void TestWorld::write_bill(const Period& period, const std::vector<const TestLine*>& of_period) {
  const std::string name = "bill-" + period.first + "-" + period.second + "-1";
  store::FileWriter file(store::store_directory(project.directory), name);
  write_dims(file, of_period);
  TableWriter table = file.table("line", store::line_columns());
  for (size_t i = 0; i < of_period.size(); ++i) {
    const TestLine& line = *of_period[i];
    Sum sum = sum_of(line);
    if (!line.billed_instead.empty()) sum.billed = usd(line.billed_instead);
    table.set_uuid(0, id_of(line));
    table.set_i32(1, static_cast<int32_t>(i));
    table.set_i64(2, at(line.start));
    table.set_i64(3, at(line.end));
    size_t column = set_costs(table, 4, sum);
    table.set_money(column, std::nullopt);
    table.set_money(column + 2,
                    line.pricing.empty() ? std::nullopt : std::optional(usd(line.pricing)));
    table.set_known_text(column + 4, line.further);
    table.end_row();
  }
  table.close();
  file.query(kLineSums);
  TableWriter quarantine = file.table("quarantine", store::quarantine_columns());
  for (int64_t i = 0; i < quarantined; ++i) {
    quarantine.set_text(0, "bill.csv:" + std::to_string(i + 2));
    quarantine.set_text(1, "currency-missing");
    quarantine.set_text(2, "the row");
    quarantine.set_decimal(3, usd("1.25"));
    quarantine.set_text(4, "USD");
    quarantine.end_row();
  }
  quarantine.close();
  store::write_findings(file, findings);
  add_file({.name = file.seal(),
            .kind = "bill",
            .source = period.first,
            .period = period.second,
            .table = "",
            .derived_from = "1"});
}

void TestWorld::write_ledger(const Period& period, const std::vector<const TestLine*>& of_period) {
  const std::string name = "ledger-" + period.first + "-" + period.second + "-1";
  store::FileWriter file(store::store_directory(project.directory), name);
  LedgerTables tables(file);
  for (const TestLine* line : of_period) tables.add(*line);
  tables.close();
  file.query(kMonthCosts);
  add_file({.name = file.seal(),
            .kind = "ledger",
            .source = period.first,
            .period = period.second,
            .table = "",
            .derived_from = "1"});
}

void TestWorld::write_facts() {
  store::FileWriter file(store::store_directory(project.directory), "facts-plain-1");
  TableWriter table = file.table("outcome", store::outcome_columns());
  for (const TestOutcome& outcome : outcomes) {
    table.set_text(0, outcome.model);
    table.set_text(1, outcome.outcome);
    table.set_i64(2, at(outcome.day));
    table.set_money(3, usd(outcome.count));
    table.set_money(5, outcome.low ? std::optional(usd(*outcome.low)) : std::nullopt);
    table.set_money(7, outcome.high ? std::optional(usd(*outcome.high)) : std::nullopt);
    if (outcome.labelled_until.empty()) {
      table.set_null(9);
    } else {
      table.set_i64(9, at(outcome.labelled_until));
    }
    table.set_text(10, "plain");
    table.end_row();
  }
  table.close();
  TableWriter issued = file.table("invoice", store::invoice_columns());
  for (const TestInvoice& invoice : invoices) {
    issued.set_text(0, invoice.id);
    issued.set_text(1, invoice.currency);
    issued.set_text(2, invoice.issuer);
    issued.set_money(3, usd(invoice.total));
    if (invoice.period.empty()) {
      issued.set_null(5);
    } else {
      issued.set_i64(5, span_of(*parse_month(invoice.period)).start_ns);
    }
    issued.set_text(6, "plain");
    issued.end_row();
  }
  issued.close();
  add_file({.name = file.seal(),
            .kind = "facts",
            .source = "plain",
            .period = "",
            .table = "",
            .derived_from = "1"});
}

void TestWorld::write_timeline() {
  store::FileWriter file(store::store_directory(project.directory), "timeline-1");
  TableWriter table = file.table("run", store::timeline_run_columns());
  for (const TestRun& run : runs) {
    table.set_text(0, run.run_id);
    table.set_i32(1, run.attempt);
    table.set_text(2, run.parent);
    table.set_text(3, run.model);
    table.set_text(4, run.stage);
    table.set_text(5, "");
    table.set_text(6, run.state);
    table.set_i64(7, at(run.start));
    table.set_i64(8, at(run.end));
    table.set_text(9, "record");
    table.set_text(10, "plain");
    table.set_text(11, "");
    table.set_null(12);
    for (size_t column = 13; column < 16; ++column) table.set_null(column);
    table.end_row();
  }
  table.close();
  TableWriter held = file.table("hold", store::timeline_hold_columns());
  for (const TestHold& hold : holds) {
    held.set_text(0, hold.run_id);
    held.set_i32(1, 0);
    held.set_text(2, hold.resource);
    held.set_text(3, hold.device);
    held.set_i64(4, at(hold.start));
    held.set_i64(5, at(hold.end));
    held.set_text(6, "1/1");
    held.end_row();
  }
  held.close();
  file.query(kRetrains);
  add_file({.name = file.seal(),
            .kind = "timeline",
            .source = "",
            .period = "",
            .table = "",
            .derived_from = "1"});
}

store::Store TestWorld::open() {
  const std::string directory = store::store_directory(project.directory);
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  catalog_ = {};
  catalog_.tool_version = "test";
  catalog_.policy_hash = "0123456789abcdef";
  catalog_.generation = 1;
  catalog_.horizon_ns = at(horizon);
  std::map<Period, std::vector<const TestLine*>> periods;
  for (const TestLine& line : lines) periods[{line.source, line.period}].push_back(&line);
  for (const auto& [period, of_period] : periods) {
    write_bill(period, of_period);
    write_ledger(period, of_period);
    const auto used = static_cast<int64_t>(of_period.size());
    store::InputFile input;
    input.source = period.first;
    input.kind = "bill";
    input.format = "bill";
    input.file = period.first + "-" + period.second + ".csv";
    input.rows_in = used + quarantined + missing_rows;
    input.rows_used = used;
    input.rows_quarantined = quarantined;
    input.lines_out = used;
    input.periods = {period.second};
    catalog_.inputs.push_back(std::move(input));
  }
  write_facts();
  write_timeline();
  store::write_catalog(directory, catalog_);
  return store::Store::open(project.directory, {.threads = 1});
}

const Table& table(const Document& document, const std::string& name) {
  static const Table kNone;
  for (const Table& candidate : document.tables) {
    if (candidate.id == name || candidate.id.ends_with("/" + name)) return candidate;
  }
  ADD_FAILURE() << "no table " << name;
  return kNone;
}

std::string cell(const Document& document, const std::string& table_name,
                 const std::string& row_key, const std::string& column_name) {
  const Table& found = table(document, table_name);
  for (const Row& row : found.rows) {
    if (row.key != row_key) continue;
    for (size_t column = 0; column < found.columns.size(); ++column) {
      if (found.columns[column].name == column_name) return exact_text(row.cells.at(column));
    }
  }
  return "no such cell";
}

std::vector<std::string> row_keys(const Table& found) {
  std::vector<std::string> keys;
  for (const Row& row : found.rows) keys.push_back(row.key);
  return keys;
}

}  // namespace tare::measures
