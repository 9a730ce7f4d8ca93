#include "store/store.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "store/test_support.h"

namespace tare::store {
namespace {

constexpr int64_t kAugust = 1'785'542'400'000'000'000;  // 2026-08-01T00:00:00Z
constexpr int64_t kHour = 3'600'000'000'000;

const std::vector<std::optional<Money>> kAmounts = {
    std::nullopt,
    Money(),
    Money::from_atto(1),
    Money::from_atto(-1),
    Money::from_units(-1),
    Money::from_atto(-1'500'000'000'000'000'001),
    Money::from_stored(INT64_MAX, 999'999'999'999'999'999),
    Money::from_stored(INT64_MIN, 0),
    Money::from_stored(INT64_MIN, 1),
    Money::from_stored(0, 999'999'999'999'999'999),
    Money::from_stored(-1, 999'999'999'999'999'999),
};

std::optional<Money> amount(int64_t row, size_t column) {
  return kAmounts[(static_cast<size_t>(row) + column) % kAmounts.size()];
}

// A world of bill, ledger, timeline and facts files that is written piece by piece.
class World {
 public:
  World() {
    std::filesystem::create_directories(directory());
    catalog_.generation = 1;
    catalog_.tool_version = "test";
  }
  std::string directory() const { return store_directory(folder_.path()); }
  const std::string& path() const { return folder_.path(); }
  Catalog& catalog() { return catalog_; }

  template <typename Write>
  void add(StoreFile file, const std::string& name, Write write) {
    FileWriter writer(directory(), name);
    write(writer);
    file.name = writer.seal();
    catalog_.files.push_back(file);
  }
  Store open(const OpenOptions& options = {}) {
    write_catalog(directory(), catalog_);
    return Store::open(path(), options);
  }

 private:
  TemporaryFolder folder_;
  Catalog catalog_;
};

StoreFile file_of(const std::string& kind, const std::string& source, const std::string& period) {
  StoreFile file;
  file.kind = kind;
  file.source = source;
  file.period = period;
  return file;
}

// The dimension 2 has no texts at all.
void write_dims(FileWriter& file, const std::string& period) {
  TableWriter dim = file.table("dim", dim_columns());
  for (int32_t id = 0; id < 2; ++id) {
    dim.set_i32(0, id);
    for (size_t column = 1; column <= kDimColumns; ++column) {
      dim.set_text(column, period + " " + kDimColumnNames[column - 1] + " " + std::to_string(id));
    }
    dim.end_row();
  }
  dim.set_i32(0, 2);
  for (size_t column = 1; column <= kDimColumns; ++column) dim.set_null(column);
  dim.end_row();
  dim.close();
}

void write_lines(FileWriter& file, const std::string& period, int64_t rows) {
  TableWriter line = file.table("line", line_columns());
  for (int64_t row = 0; row < rows; ++row) {
    line.set_uuid(0, {static_cast<uint64_t>(row), hash128(period).lo});
    line.set_i32(1, static_cast<int32_t>(row % 3));
    line.set_i64(2, kAugust + row * kHour);
    line.set_i64(3, kAugust + (row + 1) * kHour);
    for (size_t column = 0; column < 6; ++column) {
      line.set_money(4 + 2 * column, amount(row, column));
    }
    if (row % 2 == 0) {
      line.set_null(16);
    } else {
      line.set_text(16, "{\"x_note\":\"n\"}");
    }
    line.end_row();
  }
  line.close();
}

void add_bill(World& world, const std::string& source, const std::string& period, int64_t rows) {
  world.add(file_of("bill", source, period), "bill-" + period, [&](FileWriter& file) {
    write_dims(file, period);
    write_lines(file, period, rows);
  });
}

// Account 0 is a run's, account 1 a pool's idle.
void write_accounts(FileWriter& file, const std::string& period) {
  TableWriter account = file.table("account", account_columns());
  for (int32_t id = 0; id < 2; ++id) {
    account.set_i32(0, id);
    account.set_text(1, id == 0 ? "model/m/training/r" : "idle/p");
    account.set_text(2, id == 0 ? "model" : "idle");
    for (size_t column = 3; column <= 7; ++column) {
      const std::string& name = account_columns()[column].name;
      if (id == 0 || name == "pool") {
        account.set_text(column, fmt::format("{} of {}", name, period));
      } else {
        account.set_null(column);
      }
    }
    account.set_i32(8, 0);
    account.end_row();
  }
  account.close();
}

void write_postings(FileWriter& file, int64_t rows) {
  TableWriter posting = file.table("posting", posting_columns());
  for (int64_t row = 0; row < rows; ++row) {
    posting.set_i32(0, static_cast<int32_t>(row));
    posting.set_i32(1, 0);
    posting.set_i32(2, static_cast<int32_t>(row % 2));
    posting.set_u8(3, static_cast<uint8_t>(Rule::kDeviceTime));
    for (size_t column = 0; column < 4; ++column) {
      posting.set_money(4 + 2 * column, amount(row, column));
    }
    posting.set_i64(12, 1);
    posting.set_i64(13, 2);
    posting.end_row();
  }
  posting.close();
}

void add_ledger(World& world, const std::string& source, const std::string& period, int64_t rows) {
  world.add(file_of("ledger", source, period), "ledger-" + period, [&](FileWriter& file) {
    write_accounts(file, period);
    TableWriter dim = file.table("posting_dim", posting_dim_columns());
    dim.set_i32(0, 0);
    for (size_t column = 1; column <= 8; ++column) {
      dim.set_text(column, posting_dim_columns()[column].name);
    }
    dim.set_u8(9, 1);
    dim.end_row();
    dim.close();
    write_postings(file, rows);
  });
}

std::vector<std::string> columns_of(Connection& connection, const std::string& view) {
  std::vector<std::string> columns;
  const Result result = connection.query("DESCRIBE " + view);
  columns.reserve(result.rows());
  for (size_t row = 0; row < result.rows(); ++row)
    columns.push_back(result.text(row, 0) + " " + result.text(row, 1));
  return columns;
}

// The promise of model.md, "Names that are promised".
const std::vector<std::string> kBillLine = {"bill_line_id VARCHAR",
                                            "source VARCHAR",
                                            "billed_cost DECIMAL(38,18)",
                                            "effective_cost DECIMAL(38,18)",
                                            "list_cost DECIMAL(38,18)",
                                            "contracted_cost DECIMAL(38,18)",
                                            "billing_currency VARCHAR",
                                            "billing_account_id VARCHAR",
                                            "sub_account_id VARCHAR",
                                            "invoice_id VARCHAR",
                                            "invoice_issuer_name VARCHAR",
                                            "billing_period_start TIMESTAMP_NS",
                                            "billing_period_end TIMESTAMP_NS",
                                            "charge_period_start TIMESTAMP_NS",
                                            "charge_period_end TIMESTAMP_NS",
                                            "charge_category VARCHAR",
                                            "charge_class VARCHAR",
                                            "service_name VARCHAR",
                                            "service_category VARCHAR",
                                            "resource_id VARCHAR",
                                            "resource_type VARCHAR",
                                            "region_id VARCHAR",
                                            "provider_name VARCHAR",
                                            "sku_id VARCHAR",
                                            "sku_price_id VARCHAR",
                                            "sku_price_details VARCHAR",
                                            "pricing_category VARCHAR",
                                            "commitment_discount_id VARCHAR",
                                            "commitment_discount_status VARCHAR",
                                            "capacity_reservation_status VARCHAR",
                                            "consumed_quantity DECIMAL(38,18)",
                                            "consumed_unit VARCHAR",
                                            "pricing_quantity DECIMAL(38,18)",
                                            "pricing_unit VARCHAR",
                                            "tags VARCHAR",
                                            "x VARCHAR"};
const std::vector<std::string> kPosting = {"bill_line_id VARCHAR",
                                           "account VARCHAR",
                                           "model VARCHAR",
                                           "stage VARCHAR",
                                           "team VARCHAR",
                                           "pool VARCHAR",
                                           "run_id VARCHAR",
                                           "attempt INTEGER",
                                           "evidence VARCHAR",
                                           "rule VARCHAR",
                                           "billed_cost DECIMAL(38,18)",
                                           "effective_cost DECIMAL(38,18)",
                                           "list_cost DECIMAL(38,18)",
                                           "contracted_cost DECIMAL(38,18)",
                                           "currency VARCHAR",
                                           "held_ns BIGINT",
                                           "billed_ns BIGINT",
                                           "charge_period_start TIMESTAMP_NS",
                                           "charge_period_end TIMESTAMP_NS",
                                           "billing_period_start TIMESTAMP_NS",
                                           "invoice_id VARCHAR",
                                           "issuer VARCHAR"};
const std::vector<std::string> kRun = {
    "run_id VARCHAR",       "attempt INTEGER",         "parent_run_id VARCHAR",
    "model VARCHAR",        "stage VARCHAR",           "team VARCHAR",
    "state VARCHAR",        "start_time TIMESTAMP_NS", "end_time TIMESTAMP_NS",
    "end_known_by VARCHAR", "source VARCHAR"};
const std::vector<std::string> kHold = {
    "run_id VARCHAR",          "attempt INTEGER",       "resource_id VARCHAR", "device VARCHAR",
    "start_time TIMESTAMP_NS", "end_time TIMESTAMP_NS", "weight VARCHAR"};
const std::vector<std::string> kDeviceState = {
    "resource_id VARCHAR",   "device VARCHAR",  "start_time TIMESTAMP_NS",
    "end_time TIMESTAMP_NS", "run_id VARCHAR",  "attempt INTEGER",
    "state VARCHAR",         "state_ns BIGINT", "source VARCHAR"};
const std::vector<std::string> kFinding = {
    "code VARCHAR", "severity VARCHAR",    "source VARCHAR",  "place VARCHAR",
    "rows BIGINT",  "cost DECIMAL(38,18)", "message VARCHAR", "hint VARCHAR"};
const std::vector<std::string> kLineage = {
    "source VARCHAR",   "file VARCHAR",       "bytes_sha256 VARCHAR",    "rows_in BIGINT",
    "rows_used BIGINT", "rows_netted BIGINT", "rows_quarantined BIGINT", "lines_out BIGINT"};

void expect_promised_views(Connection& connection) {
  EXPECT_EQ(columns_of(connection, "bill_line"), kBillLine);
  EXPECT_EQ(columns_of(connection, "posting"), kPosting);
  EXPECT_EQ(columns_of(connection, "run"), kRun);
  EXPECT_EQ(columns_of(connection, "hold"), kHold);
  EXPECT_EQ(columns_of(connection, "device_state"), kDeviceState);
  EXPECT_EQ(columns_of(connection, "finding"), kFinding);
  EXPECT_EQ(columns_of(connection, "lineage"), kLineage);
}

TEST(Store, WithoutALoadItIsMissing) {
  TemporaryFolder folder;
  EXPECT_EQ(error_code_of([&] { Store::open(folder.path()); }), "store-missing");
  EXPECT_FALSE(std::filesystem::exists(store_directory(folder.path())));
}

TEST(Store, AnEmptyOneHasAllViewsWithTheirTypes) {
  World world;
  Store store = world.open();
  expect_promised_views(store.connection());
  std::vector<std::vector<std::string>> empty;
  for (const TableSpec& table : store_tables()) {
    empty.push_back(columns_of(store.connection(), std::string(table.view)));
    EXPECT_EQ(store.connection().query("SELECT count(*) FROM " + std::string(table.view)).i64(0, 0),
              0);
  }
  for (const char* view : {"bill_line", "posting", "run", "hold", "resource", "device_state",
                           "outcome", "finding", "lineage"}) {
    EXPECT_EQ(store.connection().query(std::string("SELECT * FROM ") + view).rows(), 0U);
  }
  // With rows the types are the same.
  for (const TableSpec& table : store_tables()) {
    const std::string kind = table.file_kind.empty() ? "facts" : std::string(table.file_kind);
    world.add(file_of(kind, "s", "2026-08"), "full-" + std::string(table.view),
              [&](FileWriter& file) { file.table(table.name, table.columns()).close(); });
  }
  Store full = world.open();
  expect_promised_views(full.connection());
  for (size_t at = 0; at < store_tables().size(); ++at) {
    EXPECT_EQ(columns_of(full.connection(), std::string(store_tables()[at].view)), empty[at]);
  }
}

TEST(Store, LinesOfTwoFilesAreExactAndKeepNulls) {
  World world;
  add_bill(world, "bill/focus", "2026-08", 3000);
  add_bill(world, "bill/focus", "2026-09", 10);
  Store store = world.open();
  EXPECT_EQ(store.connection().query("SELECT count(*) FROM bill_line").i64(0, 0), 3010);
  const Result result = store.connection().query(
      "SELECT billed_cost, effective_cost, list_cost, contracted_cost, consumed_quantity, "
      "pricing_quantity "
      "FROM bill_line WHERE billing_period_start = TIMESTAMP '2026-08-01' ORDER BY "
      "charge_period_start");
  ASSERT_EQ(result.rows(), 3000U);
  for (size_t row = 0; row < result.rows(); ++row) {
    for (size_t column = 0; column < 6; ++column) {
      ASSERT_EQ(result.optional_money(row, column), amount(static_cast<int64_t>(row), column));
    }
  }
  const Result september = store.connection().query(
      "SELECT bill_line_id, source, billing_period_start, billing_period_end, charge_period_end, "
      "resource_id, "
      "tags, x FROM bill_line WHERE billing_period_start = TIMESTAMP '2026-09-01' ORDER BY "
      "charge_period_start");
  ASSERT_EQ(september.rows(), 10U);
  EXPECT_EQ(september.text(1, 0).substr(0, 19), "00000000-0000-0001-");
  EXPECT_EQ(september.text(1, 1), "bill/focus");
  EXPECT_EQ(september.text(1, 2), "2026-09-01 00:00:00");
  EXPECT_EQ(september.text(1, 3), "2026-10-01 00:00:00");
  EXPECT_EQ(september.text(1, 4), "2026-08-01 02:00:00");
  EXPECT_EQ(september.text(1, 5), "2026-09 resource_id 1");
  EXPECT_EQ(september.text(1, 6), "2026-09 tags 1");
  EXPECT_EQ(september.text(1, 7),
            "{\"x_note\":\"n\",\"CapacityReservationId\":\"2026-09 capacity_reservation_id 1\","
            "\"ChargeDescription\":\"2026-09 charge_description 1\",\"ChargeFrequency\":"
            "\"2026-09 charge_frequency 1\",\"run_id\":\"2026-09 run_id 1\"}");
  EXPECT_TRUE(september.is_null(2, 5));  // the dimension without texts
  EXPECT_TRUE(september.is_null(2, 7));
  EXPECT_EQ(september.text(5, 7), "{\"x_note\":\"n\"}");
}

TEST(Store, PostingsOfTwoFilesFindTheirOwnAccounts) {
  World world;
  add_ledger(world, "bill/focus", "2026-08", 2500);
  add_ledger(world, "bill/focus", "2026-09", 4);
  add_bill(world, "bill/focus", "2026-08", 2500);
  add_bill(world, "bill/focus", "2026-09", 4);
  Store store = world.open();
  const Result result = store.connection().query(
      "SELECT account, model, pool, run_id, attempt, evidence, rule, currency, held_ns, billed_ns, "
      "charge_period_start, billing_period_start, invoice_id, issuer, effective_cost FROM posting "
      "WHERE billing_period_start = TIMESTAMP '2026-09-01' ORDER BY bill_line_id");
  ASSERT_EQ(result.rows(), 4U);
  EXPECT_EQ(result.text(0, 0), "model/m/training/r");
  EXPECT_EQ(result.text(0, 1), "model of 2026-09");
  EXPECT_EQ(result.text(1, 2), "pool of 2026-09");
  EXPECT_TRUE(result.is_null(1, 3));
  EXPECT_EQ(result.i64(0, 4), 0);
  EXPECT_EQ(result.text(0, 5), "overlap");
  EXPECT_EQ(result.text(0, 6), "device-time");
  EXPECT_EQ(result.text(0, 7), "currency");
  EXPECT_EQ(result.i64(0, 9), 2);
  EXPECT_EQ(result.text(0, 10), "2026-08-01 00:00:00");
  EXPECT_EQ(result.text(0, 13), "issuer");
  EXPECT_EQ(result.optional_money(0, 14), amount(0, 1));
  EXPECT_EQ(store.connection().query("SELECT count(*) FROM posting").i64(0, 0), 2504);
  // A bill and its ledger have one file number.
  EXPECT_EQ(store.connection()
                .query("SELECT count(*) FROM store_posting p JOIN store_line l ON l.file = p.file "
                       "AND l.row = p.line "
                       "AND l.period = p.period AND l.source = p.source")
                .i64(0, 0),
            2504);
}

// Sums of the two columns, combined once, are the sums of the money.
TEST(Store, SummedPairsAreTheSummedMoney) {
  World world;
  std::mt19937_64 random(7);
  Money total;
  add_bill(world, "s", "2026-08", 1);
  world.add(file_of("ledger", "s", "2026-08"), "ledger", [&](FileWriter& file) {
    TableWriter posting = file.table("posting", posting_columns());
    for (int64_t row = 0; row < 5000; ++row) {
      for (size_t column : {0U, 1U, 2U}) posting.set_i32(column, 0);
      posting.set_u8(3, 0);
      const Money cost = Money::from_atto((int128{static_cast<int64_t>(random())} * 1'000'000) +
                                          static_cast<int64_t>(random() % 1'000'000));
      total += cost;
      posting.set_money(4, cost);
      for (size_t column : {6U, 8U, 10U}) posting.set_money(column, std::nullopt);
      for (size_t column : {12U, 13U}) posting.set_i64(column, 0);
      posting.end_row();
    }
    posting.close();
  });
  Store store = world.open();
  const Result result = store.connection().query(
      "SELECT store_money(sum(billed_units), sum(billed_atto)), store_money(sum(list_units), "
      "sum(list_atto)), "
      "(SELECT sum(billed_cost) FROM posting), store_money(-sum(billed_units), -sum(billed_atto)) "
      "FROM store_posting");
  EXPECT_EQ(result.money(0, 0), total);
  EXPECT_TRUE(result.is_null(0, 1));
  EXPECT_EQ(result.money(0, 2), total);
  EXPECT_EQ(result.money(0, 3), -total);
}

TEST(Store, RunsHoldsAndStatesOfTheTimeline) {
  World world;
  world.add(file_of("timeline", "", ""), "timeline", [&](FileWriter& file) {
    TableWriter run = file.table("run", timeline_run_columns());
    run.set_text(0, "r1");
    run.set_i32(1, 2);
    for (size_t column : {2U, 3U, 4U, 5U}) run.set_text(column, column == 3 ? "m" : "");
    run.set_text(6, "running");
    run.set_i64(7, kAugust);
    run.set_i64(8, kNoEnd);
    for (size_t column : {9U, 10U, 11U}) run.set_text(column, "s");
    run.set_null(12);
    for (size_t column : {13U, 14U, 15U}) run.set_text(column, "");
    run.end_row();
    run.close();
    TableWriter state = file.table("device_state", device_state_columns());
    state.set_text(0, "node");
    state.set_text(1, "0");
    state.set_i64(2, kAugust);
    state.set_i64(3, kAugust + kHour);
    state.set_text(4, "");
    state.set_null(5);
    state.set_u8(6, static_cast<uint8_t>(State::kNoRun));
    state.set_i64(7, kHour);
    state.set_u8(8, static_cast<uint8_t>(SignSource::kTimeline));
    state.end_row();
    state.close();
  });
  Store store = world.open();
  const Result run = store.connection().query("SELECT * FROM run");
  ASSERT_EQ(run.rows(), 1U);
  EXPECT_EQ(run.text(0, 0), "r1");
  EXPECT_TRUE(run.is_null(0, 2));
  EXPECT_EQ(run.text(0, 3), "m");
  EXPECT_EQ(run.text(0, 7), "2026-08-01 00:00:00");
  EXPECT_TRUE(run.is_null(0, 8)) << "what has no known end has none";
  const Result state = store.connection().query("SELECT state, source, run_id FROM device_state");
  EXPECT_EQ(state.text(0, 0), "no-run");
  EXPECT_EQ(state.text(0, 1), "timeline");
  EXPECT_TRUE(state.is_null(0, 2));
}

std::string finding_text(Store& store) {
  const Result result = store.connection().query("SELECT * FROM finding");
  std::string text;
  for (size_t row = 0; row < result.rows(); ++row) {
    for (size_t column = 0; column + 1 < result.columns(); ++column)
      text += result.text_or_empty(row, column) + "|";
    text += "\n";
  }
  return text;
}

TEST(Store, FindingsAreTheSameHoweverManyFilesHoldThem) {
  const std::vector<Findings::Row> rows = {
      {"cost-missing", "bill/focus", "", std::nullopt, "", "a.csv:10", "row ten"},
      {"cost-missing", "bill/focus", "", std::nullopt, "", "a.csv:9", "row nine"},
      {"decimal-rounded", "bill/focus", "BilledCost", Money::from_units(3), "USD", "a.csv:3", ""},
      {"decimal-rounded", "bill/focus", "BilledCost", std::nullopt, "", "a.csv:4", ""},
      {"decimal-rounded", "bill/focus", "BilledCost", Money::from_atto(-5), "EUR", "a.csv:5", ""},
      {"run-without-end", "", "r1", std::nullopt, "", "", "", 4}};
  World one;
  one.add(file_of("facts", "s", ""), "all", [&](FileWriter& file) {
    Findings findings;
    for (const Findings::Row& row : rows) findings.add(row);
    write_findings(file, findings);
  });
  World many;
  for (size_t at = 0; at < rows.size(); ++at) {
    many.add(file_of("facts", "s", ""), "part-" + std::to_string(at), [&](FileWriter& file) {
      Findings findings;
      findings.add(rows[at]);
      write_findings(file, findings);
    });
  }
  Store first = one.open();
  Store second = many.open();
  EXPECT_EQ(finding_text(first),
            "cost-missing|error|bill/focus|a.csv:9|2||a row has no billed cost|\n"
            "decimal-rounded|warning|bill/focus|a.csv:3|3|-0.000000000000000005|a number has more "
            "than 18 decimals "
            "and was rounded half even: BilledCost (EUR)|\n"
            "decimal-rounded|warning|bill/focus|a.csv:3|0|3.000000000000000000|a number has more "
            "than 18 decimals "
            "and was rounded half even: BilledCost (USD)|\n"
            "run-without-end|warning|||4||a run has no end: r1|\n");
  EXPECT_EQ(finding_text(second), finding_text(first));
}

TEST(Store, LineageIsTheCatalogs) {
  World world;
  InputFile input;
  input.source = "bill/focus";
  input.file = "it's.csv";
  input.sha256 = "ab";
  input.rows_in = 3;
  input.rows_used = 2;
  input.rows_quarantined = 1;
  input.lines_out = 2;
  world.catalog().inputs = {input};
  Store store = world.open();
  const Result result = store.connection().query("SELECT * FROM lineage");
  ASSERT_EQ(result.rows(), 1U);
  EXPECT_EQ(result.text(0, 1), "it's.csv");
  EXPECT_EQ(result.i64(0, 3), 3);
  EXPECT_EQ(result.i64(0, 6), 1);
}

TEST(Store, AMissingOrDamagedFileIsTheUsersMatter) {
  World world;
  add_bill(world, "bill/focus", "2026-08", 5000);
  const std::string path = world.directory() + "/" + world.catalog().files[0].name;
  {
    Store store = world.open();
  }
  const std::string bytes = read_bytes(path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  std::filesystem::resize_file(path, bytes.size() / 2);
  EXPECT_EQ(error_code_of([&] {
              Store store = Store::open(world.path());
              store.connection().query("SELECT bit_xor(hash(line)) FROM store_line AS line");
            }),
            "store-file-damaged");
  EXPECT_EQ(error_code_of([&] {
              Store store = Store::open(world.path());
              Stream stream = store.connection().stream_store("SELECT * FROM store_line");
              while (stream.next() != nullptr) continue;
            }),
            "store-file-damaged");
  std::filesystem::remove(path);
  EXPECT_EQ(error_code_of([&] { Store::open(world.path()); }), "store-file-damaged");
}

TEST(Store, SqlOfAUserReadsTheStoreAndNothingElse) {
  World world;
  add_bill(world, "bill/focus", "2026-08", 100);
  const std::string path = world.directory() + "/" + world.catalog().files[0].name;
  Store store = world.open({.for_user_sql = true});
  write_bytes(world.path() + "/secret.csv", "a,b\n1,2\n");
  const std::string before = read_bytes(path);
  QueryError error;
  for (const char* allowed : {"SELECT count(*) FROM bill_line", "FROM run", "DESCRIBE posting",
                              "SHOW TABLES", "SUMMARIZE bill_line", "EXPLAIN SELECT 1",
                              "SELECT [1, 2]", "PIVOT bill_line ON charge_category USING count(*)",
                              "CREATE TEMP TABLE mine AS SELECT 1 AS i", "SELECT * FROM mine"}) {
    EXPECT_TRUE(store.connection().try_query(allowed, &error)) << allowed << ": " << error.full;
  }
  const std::string secret = world.path() + "/secret.csv";
  const std::vector<std::string> refused_texts = {
      "SELECT * FROM read_csv('" + secret + "')",
      "FROM '" + secret + "'",
      "SELECT * FROM read_text('" + secret + "')",
      "SELECT * FROM glob('" + world.path() + "/*')",
      "FROM sniff_csv('" + secret + "')",
      "COPY (SELECT 1) TO '" + world.path() + "/out.csv'",
      "EXPORT DATABASE '" + world.path() + "/out'",
      "ATTACH '" + world.path() + "/out.db'",
      "ATTACH '" + path + "' AS again",
      "DETACH f1",
      "SELECT 1; DETACH f1",
      "INSTALL httpfs",
      "LOAD httpfs",
      "SET enable_external_access = true",
      "RESET lock_configuration",
      "SET threads = 64",
      "CALL enable_logging()",
      "PRAGMA enable_profiling",
      "DELETE FROM f1.line",
      "DROP TABLE f1.line",
      "CREATE TABLE f1.mine (i INTEGER)",
      "CREATE VIEW v AS FROM read_csv('/etc/passwd')"};
  for (const std::string& refused : refused_texts) {
    EXPECT_FALSE(store.connection().try_query(refused, &error)) << refused;
  }
  EXPECT_THROW(store.connection().stream("DETACH f1"), QueryError);
  EXPECT_EQ(store.connection().query("SELECT count(*) FROM bill_line").i64(0, 0), 100);
  EXPECT_EQ(read_bytes(path), before);
  EXPECT_FALSE(std::filesystem::exists(world.path() + "/out.csv"));
  EXPECT_FALSE(std::filesystem::exists(world.path() + "/out.db"));
}

}  // namespace
}  // namespace tare::store
