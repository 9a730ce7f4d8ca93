// Cost and Usage Reports made from the documented columns (no public file has a GPU, a commitment
// or a split row), their answers worked out from the table of amortised costs of AWS's own summary
// view and from R03, R05, R06, R11.
#include <algorithm>

#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"
#include "sources/bill/native/export_text.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

ExportText cur_text(std::vector<std::string> more = {}) {
  std::vector<std::string> columns = {"bill/InvoiceId",
                                      "bill/BillingEntity",
                                      "bill/PayerAccountId",
                                      "bill/BillingPeriodStartDate",
                                      "lineItem/UsageAccountId",
                                      "lineItem/LineItemType",
                                      "lineItem/UsageStartDate",
                                      "lineItem/UsageEndDate",
                                      "lineItem/ProductCode",
                                      "lineItem/UsageType",
                                      "lineItem/ResourceId",
                                      "lineItem/UsageAmount",
                                      "lineItem/CurrencyCode",
                                      "lineItem/UnblendedCost",
                                      "lineItem/LineItemDescription",
                                      "product/instanceType",
                                      "pricing/publicOnDemandCost",
                                      "pricing/term",
                                      "pricing/unit",
                                      "reservation/ReservationARN",
                                      "reservation/EffectiveCost",
                                      "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod",
                                      "reservation/UnusedRecurringFee",
                                      "savingsPlan/SavingsPlanARN",
                                      "savingsPlan/SavingsPlanEffectiveCost",
                                      "savingsPlan/TotalCommitmentToDate",
                                      "savingsPlan/UsedCommitment"};
  columns.insert(columns.end(), more.begin(), more.end());
  return ExportText(columns, {{"bill/BillingEntity", "AWS"},
                              {"bill/PayerAccountId", "000123456789"},
                              {"bill/BillingPeriodStartDate", "2026-08-01T00:00:00.000Z"},
                              {"lineItem/UsageAccountId", "111111111111"},
                              {"lineItem/UsageStartDate", "2026-08-03T10:00:00Z"},
                              {"lineItem/UsageEndDate", "2026-08-03T11:00:00Z"},
                              {"lineItem/ProductCode", "AmazonEC2"},
                              {"lineItem/CurrencyCode", "USD"},
                              {"lineItem/UnblendedCost", "0"}});
}

ExportRow of_type(const std::string& type, const std::string& cost, ExportRow more = {}) {
  more["lineItem/LineItemType"] = type;
  more["lineItem/UnblendedCost"] = cost;
  return more;
}

// An hour of a machine: on demand 3, and what a plan or reservation makes of it.
ExportRow hour_of(const std::string& type, const std::string& cost, ExportRow more = {}) {
  more["lineItem/UsageType"] = "USE1-BoxUsage:g5.xlarge";
  more["lineItem/UsageAmount"] = "1";
  more["product/instanceType"] = "g5.xlarge";
  more["pricing/publicOnDemandCost"] = "3";
  more["pricing/unit"] = "Hrs";
  more.emplace("lineItem/ResourceId", "i-1");
  return of_type(type, cost, more);
}

const std::string kPlan = "arn:aws:savingsplans::1:savingsplan/p";
const std::string kReserved = "arn:aws:ec2:us-east-1:1:reserved-instances/r";

ExportRow covered(const std::string& on_demand, const std::string& effective,
                  const std::string& resource = "i-1") {
  return hour_of("SavingsPlanCoveredUsage", on_demand,
                 {{"lineItem/ResourceId", resource},
                  {"savingsPlan/SavingsPlanARN", kPlan},
                  {"savingsPlan/SavingsPlanEffectiveCost", effective}});
}
ExportRow negation(const std::string& cost) {
  return of_type("SavingsPlanNegation", cost,
                 {{"lineItem/UsageType", "USE1-BoxUsage:g5.xlarge"},
                  {"lineItem/UsageAmount", "1"},
                  {"savingsPlan/SavingsPlanARN", kPlan}});
}

Texts cur_lines(const BillWorld& world) {
  return world.sql(
      "SELECT json_extract_string(x, '$.x_LineItemType'), charge_category, "
      "commitment_discount_status, " +
      shown_costs() + " FROM bill_line");
}

void expect_all_rows(const SourceResult& result) {
  for (const store::InputFile& input : result.inputs) {
    EXPECT_EQ(input.rows_in, input.rows_used + input.rows_netted + input.rows_quarantined);
  }
}

// Money that nobody would type in would show a column that is mixed up with another.
TEST(AwsCur, EveryTypeOfRowCostsWhatTheTableOfAmortisedCostsSays) {
  BillWorld world("aws-cur");
  ExportText text = cur_text();
  text.add(hour_of("Usage", "2", {{"pricing/term", "OnDemand"}}));
  text.add(
      hour_of("DiscountedUsage", "0",
              {{"reservation/ReservationARN", kReserved}, {"reservation/EffectiveCost", "1.25"}}));
  text.add(of_type("RIFee", "100",
                   {{"reservation/ReservationARN", kReserved},
                    {"reservation/UnusedAmortizedUpfrontFeeForBillingPeriod", "5"},
                    {"reservation/UnusedRecurringFee", "7.5"}}));
  text.add(covered("3", "1.5"));
  text.add(negation("-3"));
  text.add(of_type("SavingsPlanRecurringFee", "10",
                   {{"savingsPlan/SavingsPlanARN", kPlan},
                    {"savingsPlan/TotalCommitmentToDate", "10"},
                    {"savingsPlan/UsedCommitment", "8.25"}}));
  text.add(of_type("SavingsPlanUpfrontFee", "500", {{"savingsPlan/SavingsPlanARN", kPlan}}));
  text.add(of_type("Fee", "1000", {{"reservation/ReservationARN", kReserved}}));
  text.add(of_type("Fee", "29"));
  text.add(of_type("Refund", "-50", {{"reservation/ReservationARN", kReserved}}));
  text.add(of_type("Refund", "-1", {{"lineItem/UsageType", "USE1-BoxUsage:g5.xlarge"}}));
  text.add(of_type("Refund", "-2"));
  text.add(of_type("Tax", "4.2"));
  text.add(of_type("Credit", "-7"));
  text.add(of_type("EdpDiscount", "-0.5"));
  text.add(of_type("PrivateRateDiscount", "-0.25"));
  text.add(of_type("BundledDiscount", "-0.125"));
  text.add(of_type("Marvel", "6"));
  world.write("cur.csv", text.csv());
  const SourceResult result = world.load();
  EXPECT_EQ(cur_lines(world), (Texts{
                                  "BundledDiscount|Usage||-0.125|-0.125|-0.125|-0.125",
                                  "Credit|Credit||-7|-7|-7|-7",
                                  "DiscountedUsage|Usage|Used|0|1.25|3|",
                                  "EdpDiscount|Usage||-0.5|-0.5|-0.5|-0.5",
                                  "Fee|Purchase||1000|0|1000|1000",
                                  "Fee|Purchase||29|29|29|29",
                                  "Marvel|Adjustment||6|6||",
                                  "PrivateRateDiscount|Usage||-0.25|-0.25|-0.25|-0.25",
                                  "RIFee|Purchase||100|0|100|100",
                                  "RIFee|Usage|Unused|0|12.5||",
                                  "Refund|Adjustment||-2|-2||",
                                  "Refund|Purchase||-50|0|-50|-50",
                                  "Refund|Usage||-1|-1||",
                                  "SavingsPlanCoveredUsage|Usage|Used|0|1.5|3|3",
                                  "SavingsPlanRecurringFee|Purchase||10|0|10|10",
                                  "SavingsPlanRecurringFee|Usage|Unused|0|1.75||",
                                  "SavingsPlanUpfrontFee|Purchase||500|0|500|500",
                                  "Tax|Tax||4.2|4.2|4.2|4.2",
                                  "Usage|Usage||2|2|3|2",
                              }));
  expect_all_rows(result);
  EXPECT_EQ(result.inputs[0].rows_in, 18);
  EXPECT_EQ(result.inputs[0].rows_netted, 1);
  EXPECT_EQ(result.inputs[0].lines_out, 19);
  // The file's own sum, negation and all, is what its lines sum to: 2 + 100 + 3 - 3 + 10 + 500 +
  // 1000 + 29 - 50 - 1 - 2 + 4.2 - 7 - 0.875 + 6.
  EXPECT_EQ(result.inputs[0].sums_in.at("billed_cost USD"), "1590.325");
  EXPECT_EQ(result.inputs[0].sums_out.at("billed_cost USD"), "1590.325");
  // R11: a quantity is counted from three types only.
  EXPECT_EQ(
      world.sql("SELECT json_extract_string(x, '$.x_LineItemType'), " + shown("consumed_quantity") +
                ", consumed_unit FROM bill_line WHERE consumed_quantity IS NOT NULL"),
      (Texts{"DiscountedUsage|1|Hrs", "SavingsPlanCoveredUsage|1|Hrs", "Usage|1|Hrs"}));
}

// What nothing used of a commitment is no machine's, and carries no device-time.
TEST(AwsCur, TheUnusedPartOfACommitmentHasNoResource) {
  BillWorld world("aws-cur");
  ExportText text = cur_text();
  text.add(of_type("RIFee", "100",
                   {{"reservation/ReservationARN", kReserved},
                    {"lineItem/ResourceId", kReserved},
                    {"lineItem/UsageAmount", "744"},
                    {"pricing/unit", "Hrs"},
                    {"lineItem/UsageType", "USE1-HeavyUsage:p4d.24xlarge"},
                    {"reservation/UnusedRecurringFee", "7"}}));
  world.write("cur.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT charge_category, resource_id, consumed_quantity, "
                      "commitment_discount_id, pricing_category FROM bill_line"),
            (Texts{"Purchase|" + kReserved + "||" + kReserved + "|",
                   "Usage|||" + kReserved + "|Committed"}));
}

TEST(AwsCur, NetColumnsStandBeforeTheOthersWhereTheyAreFilled) {
  BillWorld world("aws-cur");
  ExportText text =
      cur_text({"lineItem/NetUnblendedCost", "reservation/NetEffectiveCost",
                "reservation/NetUnusedAmortizedUpfrontFeeForBillingPeriod",
                "reservation/NetUnusedRecurringFee", "savingsPlan/NetSavingsPlanEffectiveCost"});
  const auto net = [](ExportRow row, const std::string& cost, ExportRow more = {}) {
    row["lineItem/NetUnblendedCost"] = cost;
    for (const auto& [column, cell] : more) row[column] = cell;
    return row;
  };
  text.add(net(hour_of("Usage", "2"), "1.8"));
  text.add(hour_of("Usage", "5"));  // not said: the cost as it stands
  text.add(net(of_type("EdpDiscount", "-0.2"), "0"));
  text.add(net(hour_of("DiscountedUsage", "0", {{"reservation/EffectiveCost", "1"}}), "0",
               {{"reservation/NetEffectiveCost", "0.9"}}));
  text.add(net(covered("3", "1.5"), "2.7", {{"savingsPlan/NetSavingsPlanEffectiveCost", "1.35"}}));
  text.add(net(negation("-3"), "-2.7"));
  text.add(net(
      of_type("RIFee", "10",
              {{"reservation/ReservationARN", kReserved}, {"reservation/UnusedRecurringFee", "4"}}),
      "9",
      {{"reservation/NetUnusedRecurringFee", "3.6"},
       {"reservation/NetUnusedAmortizedUpfrontFeeForBillingPeriod", "0.4"}}));
  world.write("cur.csv", text.csv());
  world.load();
  EXPECT_EQ(cur_lines(world), (Texts{
                                  "DiscountedUsage|Usage|Used|0|0.9|3|",
                                  "EdpDiscount|Usage||0|0|0|0",
                                  "RIFee|Purchase||9|0|9|9",
                                  "RIFee|Usage|Unused|0|4||",
                                  "SavingsPlanCoveredUsage|Usage|Used|0|1.35|3|2.7",
                                  "Usage|Usage||1.8|1.8|3|1.8",
                                  "Usage|Usage||5|5|3|5",
                              }));
}

// 3 + 3 - 5.5: half a dollar is not taken back, and no money is lost over it.
TEST(AwsCur, WhatANegationLeavesOverIsAnAdjustment) {
  BillWorld world("aws-cur");
  ExportText text = cur_text();
  text.add(covered("3", "1.5", "i-1")).add(covered("3", "1.5", "i-2")).add(negation("-5.5"));
  world.write("cur.csv", text.csv());
  const SourceResult result = world.load();
  EXPECT_EQ(world.sql("SELECT charge_category, sku_id, commitment_discount_id, resource_id, " +
                      shown_costs() + " FROM bill_line WHERE charge_category <> 'Usage'"),
            Texts{"Adjustment|USE1-BoxUsage:g5.xlarge|" + kPlan + "||0.5|0.5||"});
  EXPECT_EQ(world.sql("SELECT " + shown("sum(billed_cost)") + " FROM bill_line"), Texts{"0.5"});
  EXPECT_EQ(world.sql("SELECT code, rows, " + shown("cost") +
                      " FROM finding WHERE code = 'netting-remainder'"),
            Texts{"netting-remainder|1|0.5"});
  EXPECT_EQ(result.inputs[0].sums_in.at("billed_cost USD"), "0.5");
  EXPECT_EQ(result.inputs[0].sums_out.at("billed_cost USD"), "0");
}

// The parts of one delivery: what one gives, another takes back.
TEST(AwsCur, RowsNetAcrossFilesAndLoads) {
  BillWorld world("aws-cur");
  ExportText usage = cur_text(), taken = cur_text();
  usage.add(covered("3", "1.5", "i-1")).add(covered("3", "1.5", "i-2"));
  taken.add(negation("-6"));
  world.write("part-1.csv", usage.csv()).write("part-2.csv", taken.csv());
  const SourceResult result = world.load();
  expect_all_rows(result);
  EXPECT_EQ(result.inputs[1].rows_netted, 1);
  EXPECT_EQ(result.inputs[1].sums_in.at("billed_cost USD"), "-6");
  EXPECT_EQ(world.sql("SELECT count(*), " + shown("sum(billed_cost)") + " FROM bill_line"),
            Texts{"2|0"});
  // Another file of the month comes: the part without lines is read again.
  ExportText more = cur_text();
  more.add(hour_of("Usage", "2", {{"lineItem/ResourceId", "i-9"}}));
  world.write("part-3.csv", more.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT count(*), " + shown("sum(billed_cost)") + " FROM bill_line"),
            Texts{"3|2"});
  // The part without lines goes: what it took back is money again.
  world.remove("part-2.csv");
  world.load();
  EXPECT_EQ(world.sql("SELECT count(*), " + shown("sum(billed_cost)") + " FROM bill_line"),
            Texts{"4|8"});
}

TEST(AwsCur, AFileOfNegationsAloneLosesNoMoney) {
  BillWorld world("aws-cur");
  world.write("cur.csv", cur_text().add(negation("-6")).csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT charge_category, " + shown("billed_cost") + " FROM bill_line"),
            Texts{"Adjustment|-6"});
}

// Neither what is netted nor what is quarantined may come to light as a line without a time.
TEST(AwsCur, ACoveredRowThatCannotBeUsedIsQuarantinedWithItsOwnMoney) {
  BillWorld world("aws-cur");
  ExportText text = cur_text();
  ExportRow untimely = covered("3", "1.5"), reversed = covered("4", "1.5"), nobody = negation("-5");
  untimely["lineItem/UsageStartDate"] = "soon";
  reversed["lineItem/UsageEndDate"] = "2026-08-01T00:00:00Z";
  nobody["lineItem/CurrencyCode"] = "";
  text.add(hour_of("Usage", "2")).add(untimely).add(reversed).add(nobody);
  text.add(negation("x"));
  world.write("cur.csv", text.csv());
  const SourceResult result = world.load();
  expect_all_rows(result);
  EXPECT_EQ(result.inputs[0].rows_quarantined, 4);
  EXPECT_EQ(
      world.sql("SELECT code, " + shown("cost") + ", place FROM store_quarantine"),
      (Texts{"charge-period-reversed|4|bill/cur.csv:4:102",
             "charge-period-unreadable|3|bill/cur.csv:3:81", "cost-not-decimal||bill/cur.csv:6:160",
             "currency-missing|-5|bill/cur.csv:5:156"}));
  EXPECT_EQ(world.sql("SELECT " + shown("sum(billed_cost)") + " FROM bill_line"), Texts{"2"});
}

TEST(AwsCur, UnreadableMoneyIsPlacedInTheColumnItStandsIn) {
  BillWorld world("aws-cur");
  ExportText text({"lineItem/LineItemType", "lineItem/UsageStartDate", "lineItem/UsageEndDate",
                   "bill/BillingPeriodStartDate", "lineItem/CurrencyCode", "lineItem/UnblendedCost",
                   "lineItem/NetUnblendedCost"},
                  {{"lineItem/LineItemType", "Usage"},
                   {"lineItem/UsageStartDate", "2026-08-03"},
                   {"lineItem/UsageEndDate", "2026-08-04"},
                   {"bill/BillingPeriodStartDate", "2026-08-01"},
                   {"lineItem/CurrencyCode", "USD"},
                   {"lineItem/UnblendedCost", "1"}});
  text.add({}).add({{"lineItem/NetUnblendedCost", "$1"}}).add({{"lineItem/UnblendedCost", "1,0"}});
  world.write("cur.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT place, code, text FROM store_quarantine"),
            (Texts{"bill/cur.csv:3:46|cost-not-decimal|Usage,2026-08-03,2026-08-04,2026-08-01,USD,"
                   "1,$1",
                   "bill/cur.csv:4:44|cost-not-decimal|Usage,2026-08-03,2026-08-04,2026-08-01,USD,"
                   "\"1,0\","}));
}

TEST(AwsCur, AnUnusedPartThatCannotBeReadIsUnknownAndNotZero) {
  BillWorld world("aws-cur");
  world.write("cur.csv", cur_text()
                             .add(of_type("RIFee", "9",
                                          {{"reservation/ReservationARN", kReserved},
                                           {"reservation/UnusedRecurringFee", "?"}}))
                             .csv());
  world.load();
  EXPECT_EQ(cur_lines(world), Texts{"RIFee|Purchase||9||9|9"});
  EXPECT_EQ(world.sql("SELECT rows FROM finding WHERE code = 'cost-unreadable-null'"), Texts{"1"});
}

TEST(AwsCur, NoOrderOfRowsAndNoSplitIntoFilesChangesALine) {
  ExportText text = cur_text();
  for (int i = 0; i < 6; ++i) {
    const std::string machine = "i-" + std::to_string(i);
    text.add(covered("3", "1.5", machine)).add(negation("-2.75"));
    text.add(hour_of("Usage", "2." + std::to_string(i), {{"lineItem/ResourceId", machine}}));
    text.add(of_type(
        "RIFee", std::to_string(i),
        {{"reservation/ReservationARN", kReserved}, {"reservation/UnusedRecurringFee", "1"}}));
  }
  BillWorld whole("aws-cur"), parts("aws-cur");
  whole.write("cur.csv", text.csv());
  whole.load();
  std::reverse(text.rows().begin(), text.rows().end());
  for (size_t i = 0; i < 4; ++i) {
    parts.write("part-" + std::to_string(i) + ".csv", text.header() + text.body(i * 6, i * 6 + 6));
  }
  parts.load();
  EXPECT_EQ(whole.lines(), parts.lines());
  EXPECT_EQ(whole.lines().size(), 25U);  // 6 of each, two of a fee, and a remainder of 1.5
}

TEST(AwsCur, TheSourcesCurrencyStandsInForAnAbsentColumn) {
  BillWorld world("aws-cur");
  ExportText text({"lineItem/LineItemType", "lineItem/UsageStartDate", "lineItem/UsageEndDate",
                   "bill/BillingPeriodStartDate", "lineItem/UnblendedCost"});
  text.add({{"lineItem/LineItemType", "Usage"},
            {"lineItem/UsageStartDate", "2026-08-03"},
            {"lineItem/UsageEndDate", "2026-08-04"},
            {"bill/BillingPeriodStartDate", "2026-08-01"},
            {"lineItem/UnblendedCost", "1"}});
  world.write("cur.csv", text.csv());
  try {
    world.load();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), "missing-column");
    EXPECT_EQ(error.hint(), "name the currency of the source: 'currency: USD'");
  }
  world.source().currency = "EUR";
  world.load();
  EXPECT_EQ(world.sql("SELECT billing_currency, " + shown("billed_cost") + " FROM bill_line"),
            Texts{"EUR|1"});
}

}  // namespace
}  // namespace tare::sources
