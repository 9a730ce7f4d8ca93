// Each bad input that concerns a bill ends in a clear refusal or a counted finding, and no money or
// row is lost on the way.
#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const std::string kBadInputHeader = "start,end,cost,resource_id\n";
const std::string kGood = "2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,1,node\n";

// rows in = rows used + rows netted + rows quarantined
void expect_all_accounted(const SourceResult& result) {
  for (const store::InputFile& input : result.inputs) {
    EXPECT_EQ(input.rows_in, input.rows_used + input.rows_netted + input.rows_quarantined);
  }
}

TEST(BadInput, RefusalsNameTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "file-empty b.csv"},
      {"begin,end,cost\n", "missing-column b.csv:1:1"},
      {"start end cost\n1 2 3\n", "missing-column b.csv:1:1"},
      {kBadInputHeader, "no-usable-rows b.csv"},
      {kBadInputHeader + "2026-08-01,2026-08-02,$5,n\n", "no-usable-rows b.csv:2:23"},
      {kBadInputHeader + "\n2026-08-01,2026-08-02\n", "no-usable-rows b.csv:3:1"},
      {kBadInputHeader + "2026-08-02,2026-08-01,5,n\n", "no-usable-rows b.csv:2:12"},
      {kBadInputHeader + "1/8/26,2/8/26,5,n\n", "no-usable-rows b.csv:2:1"},
      {kBadInputHeader + kGood + "\"2026-08-01", "quote-unclosed b.csv:3:1"},
      {gzip(kBadInputHeader + kGood).substr(0, 30), "gzip-damaged b.csv"},
      {kBadInputHeader + "2026-08-01,2026-08-02,9e18,a\n2026-08-01,2026-08-02,9e18,b\n",
       "cost-too-large"},
  };
  for (const auto& [text, refusal] : cases) {
    BillWorld world("bill", "bill/b.csv");
    world.write("b.csv", text);
    EXPECT_EQ(world.refusal(), refusal) << text;
    EXPECT_FALSE(std::filesystem::exists(world.store_path("catalog.json")));
  }
}

TEST(BadInput, AMissingColumnNamesTheNearestAndTheWayOut) {
  BillWorld world("focus");
  world.write("b.csv",
              "BilledCosts,BillingCurrency,ChargePeriodStart,ChargePeriodEnd\n1,USD,2,3\n");
  try {
    world.load();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(error.message().find("'BilledCost'"), std::string::npos) << error.message();
    EXPECT_NE(error.hint().find("'BilledCosts'"), std::string::npos) << error.hint();
    EXPECT_NE(error.hint().find("columns:"), std::string::npos) << error.hint();
  }
}

TEST(BadInput, BadRowsAreQuarantinedWithTheirTextAndMoney) {
  BillWorld world("bill");
  world.write("b.csv", kBadInputHeader + kGood + "2026-08-01,2026-08-02,\"1,5\",a\n" +  // 3
                           "2026-08-01,2026-08-02,,b\n" +                               // 4
                           "2026-08-03,2026-08-02,7,c\n" +                              // 5
                           "soon,2026-08-02,8,d\n" +                                    // 6
                           "2026-08-01,never,9,e\n" +                                   // 7
                           "2026-08-01,2026-08-02,1,f,more\n" +                         // 8
                           "2026-08-01,2026-08-01,0.5,instant\n");
  const SourceResult result = world.load();
  expect_all_accounted(result);
  EXPECT_EQ(result.inputs[0].rows_in, 8);
  EXPECT_EQ(result.inputs[0].rows_quarantined, 6);
  EXPECT_EQ(result.inputs[0].sums_in.at("billed_cost USD"), "25.5");
  EXPECT_EQ(result.inputs[0].sums_out.at("billed_cost USD"), "1.5");
  EXPECT_EQ(world.sql("SELECT place, code, cost::INTEGER, currency, text FROM store_quarantine"),
            (Texts{"bill/b.csv:3:23|cost-not-decimal||USD|2026-08-01,2026-08-02,\"1,5\",a",
                   "bill/b.csv:4:23|cost-missing||USD|2026-08-01,2026-08-02,,b",
                   "bill/b.csv:5:12|charge-period-reversed|7|USD|2026-08-03,2026-08-02,7,c",
                   "bill/b.csv:6:1|charge-period-unreadable|8|USD|soon,2026-08-02,8,d",
                   "bill/b.csv:7:12|charge-period-unreadable|9|USD|2026-08-01,never,9,e",
                   "bill/b.csv:8:1|ragged-row|||2026-08-01,2026-08-02,1,f,more"}));
  EXPECT_EQ(world.sql("SELECT code, rows, cost::INTEGER FROM finding WHERE severity = 'error'"),
            (Texts{"charge-period-reversed|1|7", "charge-period-unreadable|2|17", "cost-missing|1|",
                   "cost-not-decimal|1|", "ragged-row|1|"}));
  EXPECT_EQ(world.sql("SELECT billed_cost::DOUBLE FROM bill_line"), (Texts{"0.5", "1.0"}));
}

TEST(BadInput, AHeaderWithoutRowsIsFineBesideOthers) {
  BillWorld world("bill");
  world.write("a.csv", kBadInputHeader).write("b.csv", kBadInputHeader + kGood);
  const SourceResult result = world.load();
  EXPECT_EQ(result.inputs[0].rows_in, 0);
  EXPECT_EQ(result.inputs[1].rows_in, 1);
}

TEST(BadInput, ASecondByteOrderMarkIsLeftOutAndCounted) {
  BillWorld world("bill");
  world.write("b.csv", "resource_id,start,end,cost\n\xEF\xBB\xBFnode,2026-08-01,2026-08-02,1\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT resource_id FROM bill_line"), Texts{"node"});
  EXPECT_EQ(world.findings(), (Texts{"effective-missing 1", "second-bom 1"}));
}

TEST(BadInput, ASemicolonFileIsReadByItsHeader) {
  BillWorld world("bill");
  world.write("b.csv", "start;end;cost;service\n2026-08-01;2026-08-02;1.5;a, b\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost::DOUBLE, service_name FROM bill_line"),
            Texts{"1.5|a, b"});
}

TEST(BadInput, OtherCostsAndQuantitiesAreOnlyUnknown) {
  BillWorld world("focus");
  world.write(
      "b.csv",
      "BilledCost,EffectiveCost,ListCost,ContractedCost,ConsumedQuantity,PricingQuantity,"
      "BillingCurrency,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory\n"
      "1,x,\"1,0\",NaN,1_000,0x1,USD,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,"
      "2026-08-01T01:00:00Z,Usage\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost::INTEGER, effective_cost, list_cost, contracted_cost, "
                      "consumed_quantity, pricing_quantity FROM bill_line"),
            Texts{"1|||||"});
  EXPECT_EQ(
      world.findings(),
      (Texts{"cost-unreadable-null contracted_cost 1", "cost-unreadable-null effective_cost 1",
             "cost-unreadable-null list_cost 1", "effective-missing 1",
             "quantity-unreadable consumed_quantity 1", "quantity-unreadable pricing_quantity 1"}));
}

}  // namespace
}  // namespace tare::sources
