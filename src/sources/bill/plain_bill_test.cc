#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const std::string kHour = "2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,";

TEST(PlainBill, ACostIsTheBilledCost) {
  BillWorld world("bill");
  world.write("b.csv",
              "start,end,cost,resource_id,service,sku,run_id,invoice_id,category,tags,note\n" +
                  kHour + "1.5,node-1,compute,p5,run-7,inv,,\"{\"\"a\"\":\"\"b\"\"}\",hello\n" +
                  kHour + "2,,support,,,,tax,,\n");
  world.load();
  EXPECT_EQ(
      world.sql(
          "SELECT billed_cost::DOUBLE, effective_cost, list_cost::DOUBLE, billing_currency, "
          "charge_category, service_name, resource_id, sku_id, invoice_id, tags, x FROM bill_line"),
      (Texts{"1.5|||USD|Usage|compute|node-1|p5|inv|{\"a\":\"b\"}|"
             "{\"note\":\"hello\",\"run_id\":\"run-7\"}",
             "2.0||2.0|USD|Tax|support|||||"}));
  EXPECT_EQ(world.sql("SELECT period, count(*) FROM store_line GROUP BY ALL"), Texts{"2026-08|2"});
  EXPECT_EQ(world.findings(),
            (Texts{"charge-category-case 1", "effective-missing 2", "list-cost-defaulted 1"}));
}

// 0.333333333333333333 × 1.5 = 0.4999999999999999995, half to even: …500; × 0.5:
// …1666666666666666665.
TEST(PlainBill, HoursTimesRateIsExactAndRoundedHalfEven) {
  BillWorld world("bill");
  world.write("b.csv", "start,end,hours,rate,devices\n" + kHour + "2.5,32.77,8\n" + kHour +
                           "0.333333333333333333,1.5,\n" + kHour +
                           "0.333333333333333333,0.5,1.5\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost FROM bill_line"),
            (Texts{"0.166666666666666666", "0.500000000000000000", "81.925000000000000000"}));
  EXPECT_EQ(
      world.sql("SELECT consumed_unit, sku_price_details FROM bill_line WHERE billed_cost > 1"),
      Texts{"Hours|{\"GpuCount\":8}"});
  EXPECT_EQ(world.findings(),
            (Texts{"decimal-rounded 2", "effective-missing 3", "quantity-unreadable devices 1"}));
}

TEST(PlainBill, NoColumnOfMoneyIsDropped) {
  BillWorld world("bill");
  world.write("b.csv", "start,end,cost,billed_cost,effective_cost,hours,rate\n" + kHour +
                           "5,7,,1,2\n" + kHour + "5,7,6,1,2\n" + kHour + "5,,,1,2\n" + kHour +
                           ",,,1,2\n" + kHour + "oops,7,,1,2\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost::INTEGER, effective_cost::INTEGER FROM bill_line"),
            (Texts{"2|", "5|", "7|", "7|5", "7|6"}));
  EXPECT_EQ(world.findings(),
            (Texts{"cost-unreadable-null effective_cost 1", "effective-missing 3"}));
}

TEST(PlainBill, TheCurrencyIsTheRowsTheSourcesOrTheProjects) {
  BillWorld world("bill");
  world.write("b.csv", "start,end,cost,currency\n" + kHour + "1,eur\n" + kHour + "2,\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT billing_currency FROM bill_line"), (Texts{"EUR", "USD"}));
  world.source().currency = "GBP";
  world.load();
  EXPECT_EQ(world.sql("SELECT billing_currency FROM bill_line"), (Texts{"EUR", "GBP"}));
  world.source().currency = world.project().currency = "";
  world.load();
  EXPECT_EQ(world.sql("SELECT code, cost::INTEGER, currency FROM store_quarantine"),
            Texts{"currency-missing|2|"});
}

TEST(PlainBill, NeedsACostOrHoursAndRate) {
  BillWorld world("bill");
  world.write("b.csv", "start,end,hours\n" + kHour + "1\n");
  EXPECT_EQ(world.refusal(), "missing-column b.csv:1:1");
  world.write("b.csv", "start,end,billed_cost\n" + kHour + "1\n");
  EXPECT_EQ(world.refusal(), "");
  world.write("b.csv", "begin,end,cost\n" + kHour + "1\n");
  EXPECT_EQ(world.refusal(), "missing-column b.csv:1:1");
  world.source().columns["start"].column = "begin";
  EXPECT_EQ(world.refusal(), "");
  world.source().columns["start"] = {"begun", "", Place{"tare.yaml", 7, 3}};
  EXPECT_EQ(world.refusal(), "missing-column tare.yaml:7:3");
}

}  // namespace
}  // namespace tare::sources
