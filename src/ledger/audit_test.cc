// The proof of conversions can fail: a store of one converted line, with one thing wrong at a time.
// 5 EUR at 1.5 are 7.5 USD.
#include <gtest/gtest.h>

#include "ledger/ledger.h"

namespace tare::ledger {
namespace {

constexpr const char* kMoneyColumns =
    "billed_units BIGINT, billed_atto BIGINT, effective_units BIGINT, effective_atto BIGINT, "
    "list_units BIGINT, list_atto BIGINT, contracted_units BIGINT, contracted_atto BIGINT";

class ConvertedStore {
 public:
  ConvertedStore() : connection_(database_.connect()) {
    const std::string money = kMoneyColumns;
    const std::string file = "file INTEGER, source VARCHAR, billing_period_start_ns BIGINT, ";
    for (const std::string& table :
         {"store_line (" + file + "row INTEGER, dim INTEGER, charge_start BIGINT, " + money + ")",
          std::string("store_dim (file INTEGER, id INTEGER, invoice_issuer_name VARCHAR, "
                      "invoice_id VARCHAR, billing_currency VARCHAR)"),
          "store_posting (" + file + "dim INTEGER, " + money + ")",
          std::string("store_posting_dim (file INTEGER, id INTEGER, issuer VARCHAR, "
                      "invoice_id VARCHAR, currency VARCHAR)"),
          "store_converted (" + file + "line INTEGER, dim INTEGER, rate INTEGER, " + money + ")",
          std::string("store_used_rate (file INTEGER, id INTEGER, from_currency VARCHAR, "
                      "to_currency VARCHAR, day_ns BIGINT, rate_units BIGINT, rate_atto BIGINT, "
                      "inverse BOOLEAN)")}) {
      run("CREATE TABLE " + table);
    }
    // A line of the second day, its dim in both currencies, and all of it posted.
    run("INSERT INTO store_line VALUES "
        "(1, 's', 0, 0, 0, 90000000000000, 5, 0, 5, 0, NULL, NULL, 0, 3)");
    run("INSERT INTO store_dim VALUES (1, 0, NULL, 'i', 'EUR')");
    run("INSERT INTO store_posting_dim VALUES (1, 0, NULL, 'i', 'EUR'), (1, 1, NULL, 'i', 'USD')");
    run("INSERT INTO store_used_rate VALUES "
        "(1, 0, 'EUR', 'USD', 86400000000000, 1, 500000000000000000, false)");
    const std::string costs = "7, 500000000000000000, 7, 500000000000000000, NULL, NULL, 0, 4)";
    run("INSERT INTO store_converted VALUES (1, 's', 0, 0, 1, 0, " + costs);
    run("INSERT INTO store_posting VALUES (1, 's', 0, 1, " + costs);
  }

  void run(const std::string& sql) { connection_.query(sql); }
  int64_t false_conversions() { return count_false_conversions(connection_); }
  // "EUR 5 5" for each currency's billed cost of lines and postings, and its lines.
  std::string billed() {
    std::string text;
    for (const Conservation& check : audit(connection_)) {
      if (check.cost_column != "billed_cost") continue;
      text += check.currency + " " + to_text(check.lines) + " " + to_text(check.postings) + " " +
              std::to_string(check.line_count) + ";";
    }
    return text;
  }

 private:
  store::Database database_;
  store::Connection connection_;
};

TEST(AuditConversions, AcceptsWhatIsRight) {
  ConvertedStore store;
  EXPECT_EQ(store.false_conversions(), 0);
  EXPECT_EQ(store.billed(), "USD 7.5 7.5 1;");
}

TEST(AuditConversions, FindsWhatIsWrong) {
  const std::vector<std::string> faults = {
      // One atto too much, another sign, a null that is none, one that should be.
      "UPDATE store_converted SET billed_atto = billed_atto + 1",
      "UPDATE store_converted SET billed_units = -8",
      "UPDATE store_converted SET list_units = 0, list_atto = 0",
      "UPDATE store_converted SET effective_units = NULL, effective_atto = NULL",
      // 3 × 1.5 = 4.5 atto: 4 is the even one; 5 is as near.
      "UPDATE store_converted SET contracted_atto = 5",
      // Another rate, the other direction, another currency, a later day and one too old.
      "UPDATE store_used_rate SET rate_units = 2",
      "UPDATE store_used_rate SET inverse = true",
      "UPDATE store_used_rate SET from_currency = 'GBP'",
      "UPDATE store_used_rate SET to_currency = 'EUR'",
      "UPDATE store_used_rate SET day_ns = 172800000000000",
      "UPDATE store_used_rate SET day_ns = 86400000000000 - 32 * 86400000000000",
      "UPDATE store_used_rate SET rate_units = 0, rate_atto = 0",
      // A rate, a line or a dim that is not there.
      "DELETE FROM store_used_rate",
      "UPDATE store_converted SET line = 7",
      "UPDATE store_converted SET dim = 7",
  };
  for (const std::string& fault : faults) {
    ConvertedStore store;
    store.run(fault);
    EXPECT_EQ(store.false_conversions(), 1) << fault;
  }
}

TEST(AuditConversions, TheOldestRateIsOfThirtyOneDaysAgo) {
  ConvertedStore store;
  store.run("UPDATE store_used_rate SET day_ns = 86400000000000 - 31 * 86400000000000");
  EXPECT_EQ(store.false_conversions(), 0);
}

TEST(AuditConversions, PostingsMustSumToConvertedLines) {
  ConvertedStore lost;
  lost.run("DELETE FROM store_converted");
  EXPECT_EQ(lost.billed(), "EUR 5 0 1;USD 0 7.5 0;");
  ConvertedStore more;
  more.run("UPDATE store_converted SET billed_units = 8");
  EXPECT_EQ(more.billed(), "USD 8.5 7.5 1;");
}

}  // namespace
}  // namespace tare::ledger
