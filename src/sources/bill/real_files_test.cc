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

// --- exports as providers write them
// ---------------------------------------------------------------

struct ProviderFile {
  std::string file, format, currency;  // where the file has no column of it
};
const ProviderFile kProviderFiles[] = {
    {"aws-cur-legacy.csv", "aws-cur", ""},
    {"azure-ea.csv", "azure-actual", ""},
    {"azure-ea-actualcost-small.csv", "azure-actual", ""},
    {"azure-ea-amortizedcost-small.csv", "azure-amortized", ""},
    {"azure-variants/headersets-BOM.csv", "azure-actual", ""},
    {"azure-variants/headersets-Enterprise.csv", "azure-actual", ""},
    {"azure-variants/headersets-EnterpriseCamel.csv", "azure-actual", ""},
    {"azure-variants/headersets-German.csv", "azure-actual", ""},
    {"azure-variants/headersets-PayAsYouGo.csv", "azure-actual", ""},
    {"azure-variants/headersets-YA.csv", "azure-actual", ""},
    {"azure-variants/values-MissingBrackets.csv", "azure-actual", "USD"},
    {"azure-variants/values-VirtualMachine.csv", "azure-actual", "USD"},
    {"oci-cost.csv", "oci", ""},
};

// Its rows end before the last column of their header, each of them.
const ProviderFile kRaggedFile = {"azure-variants/values-Template.csv", "azure-actual", "USD"};

// The one sum of a column, with its currency.
std::string sum_of(const store::InputFile& input, const std::string& column) {
  for (const auto& [name, amount] : input.sums_out) {
    if (name.starts_with(column + " ")) return amount + name.substr(column.size());
  }
  return "–";
}

std::string provider_row(const ProviderFile& file) {
  BillWorld world(file.format, shared_data() + "/bills/" + file.file);
  world.source().currency = file.currency;
  const store::InputFile input = world.load().inputs.at(0);
  EXPECT_EQ(input.rows_in, input.rows_used + input.rows_netted + input.rows_quarantined);
  std::string row = "| `" + file.file + "` | `" + file.format + "` | ";
  for (const int64_t count : {input.rows_in, input.rows_netted, input.rows_quarantined}) {
    row += std::to_string(count) + " | ";
  }
  for (const char* column : {"billed_cost", "effective_cost", "list_cost"}) {
    row += sum_of(input, column) + " | ";
  }
  row.pop_back();
  return row;
}

TEST_F(SharedData, TheTableOfProvidersExportsIsTrue) {
  std::ifstream stream(TARE_SOURCE_DIR "/docs/sources.md");
  std::stringstream text;
  text << stream.rdbuf();
  const std::string document = text.str();
  for (const ProviderFile& file : kProviderFiles) {
    const std::string row = provider_row(file);
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
}

TEST_F(SharedData, RowsThatEndBeforeTheirHeaderAreRefused) {
  BillWorld world(kRaggedFile.format, shared_data() + "/bills/" + kRaggedFile.file);
  world.source().currency = kRaggedFile.currency;
  try {
    world.load();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), "no-usable-rows");
    EXPECT_EQ(error.message(), "no row can be used; the first has 10 cells, the header has 11");
  }
}

TEST_F(SharedData, AnExportWithoutACurrencyIsRefusedUnlessItsSourceNamesOne) {
  for (const ProviderFile& file : kProviderFiles) {
    if (file.currency.empty()) continue;
    BillWorld world(file.format, shared_data() + "/bills/" + file.file);
    const std::string name = file.file.substr(file.file.find('/') + 1);
    EXPECT_EQ(world.refusal(), "missing-column " + name + ":1:1");
  }
}

// Lines without their ids, which hold the source's file in no way, and without the named columns.
Texts lines_but(const BillWorld& world, const std::string& columns) {
  return world.sql("SELECT * EXCLUDE (bill_line_id" + columns + ") FROM bill_line");
}

BillWorld& loaded(BillWorld& world, const std::string& currency = "") {
  world.source().currency = currency;
  world.load();
  return world;
}

TEST_F(SharedData, OneRowOfAzureUnderSeveralHeadersIsOneLine) {
  const std::string folder = shared_data() + "/bills/azure-variants/";
  BillWorld german("azure-actual", folder + "headersets-German.csv");
  BillWorld pay("azure-actual", folder + "headersets-PayAsYouGo.csv");
  BillWorld ya("azure-actual", folder + "headersets-YA.csv");
  EXPECT_EQ(loaded(german).lines(), loaded(pay).lines());
  EXPECT_EQ(german.lines(), loaded(ya).lines());
  EXPECT_EQ(german.sql("SELECT billed_cost::VARCHAR, consumed_unit, resource_id IS NOT NULL "
                       "FROM bill_line"),
            Texts{"0.075000000000000000|Hours|true"});
}

TEST_F(SharedData, BracketsThatAreMissingAreNoDifference) {
  const std::string folder = shared_data() + "/bills/azure-variants/";
  BillWorld with("azure-actual", folder + "values-VirtualMachine.csv");
  BillWorld without("azure-actual", folder + "values-MissingBrackets.csv");
  EXPECT_EQ(lines_but(loaded(with, "USD"), ", billing_account_id"),
            lines_but(loaded(without, "USD"), ", billing_account_id"));
  EXPECT_EQ(with.sql("SELECT sku_price_details, json_extract_string(tags, '$.creationSource') "
                     "FROM bill_line"),
            Texts{"{\"InstanceType\":\"Standard_DS2_v2\",\"CoreCount\":2,"
                  "\"x_VMName\":\"aks-nodepool1-12345678-vmss_0\"}|"
                  "aks-aks-nodepool1-12345678-vmss"});
}

// Each file of the folder is one of the tables, or of a folder that the tests above go through.
TEST_F(SharedData, EveryFileOfTheFolderIsLookedAt) {
  const std::filesystem::path bills = shared_data() + "/bills";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(bills)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), bills).string();
    const bool focus = name.starts_with("focus-") || name == kRaggedFile.file;
    const bool provider = std::any_of(std::begin(kProviderFiles), std::end(kProviderFiles),
                                      [&](const auto& file) { return file.file == name; });
    EXPECT_TRUE(focus || provider) << name;
  }
}

}  // namespace
}  // namespace tare::sources
