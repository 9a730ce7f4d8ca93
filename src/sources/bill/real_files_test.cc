// Real files that others made (../shared/data): the sums that docs/sources.md states.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

class SharedData : public testing::Test {
 protected:
  void SetUp() override {
    if (shared_data().empty()) GTEST_SKIP() << "no ../shared/data, and TARE_SHARED_DATA names none";
  }
};

TEST_F(SharedData, TheFoundationsSampleAddsUpToItsLastDigit) {
  BillWorld world("focus", shared_data() + "/bills/focus-1.0-sample.csv");
  const SourceResult result = world.load();
  ASSERT_EQ(result.inputs.size(), 1U);
  const store::InputFile& input = result.inputs[0];
  EXPECT_EQ(input.rows_in, 1000);
  EXPECT_EQ(input.lines_out, 1000);
  EXPECT_EQ(input.rows_quarantined, 0);
  const std::map<std::string, std::string> sums = {{"billed_cost USD", "20.52022672899"},
                                                   {"effective_cost USD", "14.97651418586"},
                                                   {"list_cost USD", "20.39090575119"},
                                                   {"contracted_cost USD", "14.97626039326"}};
  EXPECT_EQ(input.sums_in, sums);
  EXPECT_EQ(input.sums_out, sums);
  EXPECT_EQ(
      world.sql(
          "SELECT sum(billed_cost), sum(effective_cost), sum(list_cost), sum(contracted_cost) "
          "FROM bill_line"),
      Texts{"20.520226728990000000|14.976514185860000000|20.390905751190000000|"
            "14.976260393260000000"});
  EXPECT_EQ(world.sql("SELECT code, rows, cost FROM finding"),
            (Texts{"billing-period-mismatch|1|0.240000000000000000",
                   "contracted-over-list|12|2.570823670240000000",
                   "effective-zero-billed-not|608|7.205542867130000000",
                   "list-price-mismatch|490|0.000369025082099000", "literal-null-text|1000|",
                   "negative-usage-cost|12|-0.161971300100000000", "tag-key-untrimmed|23|",
                   "time-zone-missing|1000|20.520226728990000000", "timestamp-not-iso|1000|",
                   "unprefixed-column|1000|"}));
}

// One row of the table in docs/sources.md as this program fills it.
std::string table_row(const std::string& folder, const std::string& file,
                      const std::string& currency) {
  BillWorld world("focus", shared_data() + "/bills/" + folder + "/" + file);
  world.source().currency = currency;
  std::string row = "| `" + file + "` |";
  try {
    const store::InputFile input = world.load().inputs.at(0);
    row +=
        " " + std::to_string(input.rows_in) + " | " + std::to_string(input.rows_quarantined) + " |";
    for (const char* column : {"billed_cost", "effective_cost", "list_cost", "contracted_cost"}) {
      const auto sum = input.sums_out.find(std::string(column) + " USD");
      row += " " + (sum == input.sums_out.end() ? "–" : sum->second) + " |";
    }
    return row;
  } catch (const UserError& error) {
    return row + " `" + error.code() + "` |";
  }
}

TEST_F(SharedData, TheTableOfTheDocumentsIsTrue) {
  std::ifstream stream(TARE_SOURCE_DIR "/docs/sources.md");
  std::stringstream text;
  text << stream.rdbuf();
  const std::string document = text.str();
  for (const std::string folder : {"focus-golden", "focus-spec-examples"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(shared_data() + "/bills/" + folder)) {
      const std::string file = entry.path().filename().string();
      const bool no_currency = file.starts_with("commitment_discount_");
      const std::string row = table_row(folder, file, no_currency ? "USD" : "");
      EXPECT_NE(document.find(row), std::string::npos) << row;
    }
  }
}

}  // namespace
}  // namespace tare::sources
