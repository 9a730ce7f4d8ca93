// FOCUS files in small worlds, their answers worked out by hand.
#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const std::string kFocusHeader =
    "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingPeriodStart,"
    "BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ResourceId,ServiceName,"
    "Tags\n";
const std::string kAugust = "USD,2026-08-01T00:00:00Z,2026-09-01T00:00:00Z,";
const std::string kFocusHour = "2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,";

// A row of kFocusHeader: costs, and what stands after the charge period.
std::string row(const std::string& costs, const std::string& rest = "Usage,vm-1,Compute,") {
  return costs + "," + kAugust + kFocusHour + rest + "\n";
}

TEST(Focus, KeepsEveryNormalColumn) {
  BillWorld world("focus");
  world.write(
      "b.csv",
      "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingPeriodStart,"
      "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeClass,BillingAccountId,SubAccountId,"
      "InvoiceId,InvoiceIssuerName,ServiceName,ServiceCategory,ResourceId,ResourceType,RegionId,"
      "ProviderName,SkuId,SkuPriceId,SkuPriceDetails,PricingCategory,CommitmentDiscountId,"
      "CommitmentDiscountStatus,CapacityReservationStatus,ConsumedQuantity,ConsumedUnit,"
      "PricingQuantity,PricingUnit,Tags,x_Team\n"
      "1.5,1.25,2,1.75,USD,2026-08-01T00:00:00Z,2026-07-31T00:00:00Z,2026-08-01T00:00:00Z,Usage,"
      "Correction,acc,sub,inv,issuer,EC2,Compute,vm-1,VM,eu,AWS,sku,price,"
      "\"{\"\"GpuCount\"\":8}\",Committed,plan,Used,Unused,24,Hours,3,Days,"
      "\"{\"\"b\"\":1.10,\"\"a\"\":true}\",red\n");
  world.load();
  EXPECT_EQ(
      world.sql("SELECT * EXCLUDE (bill_line_id) FROM bill_line"),
      Texts{
          "bill/focus|1.500000000000000000|1.250000000000000000|2.000000000000000000|"
          "1.750000000000000000|USD|acc|sub|inv|issuer|2026-08-01 00:00:00|2026-09-01 00:00:00|"
          "2026-07-31 00:00:00|2026-08-01 00:00:00|Usage|Correction|EC2|Compute|vm-1|VM|eu|AWS|sku|"
          "price|{\"GpuCount\":8}|Committed|plan|Used|Unused|24.000000000000000000|Hours|"
          "3.000000000000000000|Days|{\"a\":true,\"b\":1.10}|{\"x_Team\":\"red\"}"});
  EXPECT_EQ(world.findings(), Texts{});
}

TEST(Focus, NamesMatchWithoutRegardToCaseAndUnderscores) {
  BillWorld world("focus");
  world.write(
      "b.csv",
      "billed_cost,BILLINGCURRENCY,Charge Period Start,chargeperiodend,SkuPriceid,SKUMETER,Odd\n"
      "1,USD,2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,p,m,o\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost, sku_price_id, x FROM bill_line"),
            Texts{"1.000000000000000000|p|{\"Odd\":\"o\",\"SkuMeter\":\"m\"}"});
  EXPECT_EQ(world.findings(), (Texts{"billing-period-missing 1", "charge-category-unknown 1",
                                     "effective-missing 1", "unprefixed-column Odd 1"}));
}

// 1.3 names the provider anew, 1.4 drops the old name.
TEST(Focus, TheProviderHasTwoNames) {
  for (const bool both : {false, true}) {
    BillWorld world("focus");
    world.write("b.csv",
                "BilledCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,"
                "ChargePeriodEnd,ChargeCategory,ServiceProviderName,HostProviderName" +
                    std::string(both ? ",ProviderName" : "") +
                    "\n0,USD,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,"
                    "Usage,New,Host" +
                    (both ? ",Old" : "") + "\n");
    world.load();
    EXPECT_EQ(world.sql("SELECT provider_name, x FROM bill_line"),
              Texts{"New|{\"HostProviderName\":\"Host\"}"});
  }
}

TEST(Focus, AzureHasItsSkuDetailsUnderAnotherName) {
  const std::string columns =
      "BilledCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,"
      "ChargeCategory,x_SkuDetails";
  const std::string cells =
      "0,USD,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,Usage,"
      "\"{\"\"ServiceType\"\":\"\"Standard_NC24ads_A100_v4\"\"}\"";
  BillWorld alone("focus"), both("focus");
  alone.write("b.csv", columns + "\n" + cells + "\n");
  both.write("b.csv", columns + ",SkuPriceDetails\n" + cells + ",{}\n");
  alone.load();
  both.load();
  EXPECT_EQ(alone.sql("SELECT sku_price_details, x FROM bill_line"),
            Texts{R"({"ServiceType":"Standard_NC24ads_A100_v4"}|)"
                  R"({"x_SkuDetails":"{\"ServiceType\":\"Standard_NC24ads_A100_v4\"}"})"});
  EXPECT_EQ(both.sql("SELECT sku_price_details FROM bill_line"), Texts{"{}"});
}

TEST(Focus, UnknownCellsAreNullAndLiteralNullsAreCounted) {
  BillWorld world("focus");
  world.write("b.csv", kFocusHeader + row("1,NULL,null,", "Usage,NULL,Null,NULL"));
  world.load();
  EXPECT_EQ(world.sql("SELECT effective_cost IS NULL, list_cost IS NULL, contracted_cost IS NULL, "
                      "resource_id IS NULL, service_name IS NULL, tags IS NULL FROM bill_line"),
            Texts{"true|true|true|true|true|true"});
  EXPECT_EQ(world.findings(), (Texts{"effective-missing 1", "literal-null-text 1"}));
}

TEST(Focus, ScientificNotationAndAllDigitsAreExact) {
  BillWorld world("focus");
  world.write("b.csv", kFocusHeader + row("35.2E-7,1.81E-8,0.123456789012345678,12345678901234.5") +
                           row("0.1234567890123456785,1e2,-0,0.1234567890123456775"));
  world.load();
  EXPECT_EQ(
      world.sql("SELECT billed_cost, effective_cost, list_cost, contracted_cost FROM bill_line"),
      (Texts{"0.000003520000000000|0.000000018100000000|0.123456789012345678|"
             "12345678901234.500000000000000000",
             "0.123456789012345678|100.000000000000000000|0.000000000000000000|"
             "0.123456789012345678"}));
  EXPECT_EQ(world.findings(), (Texts{"contracted-over-list 2", "decimal-rounded 1"}));
}

TEST(Focus, R03CostsOfFeesTaxesAndCreditsDefaultToBilled) {
  BillWorld world("focus");
  world.write("b.csv", kFocusHeader + row("1,1,,", "Tax,,,") + row("-2,-2,,-3", "Credit,,,") +
                           row("3,0,4,", "Purchase,,,") + row("5,5,,", "Usage,,,") +
                           row("6,6,,", "Adjustment,,,"));
  world.load();
  EXPECT_EQ(
      world.sql(
          "SELECT charge_category, list_cost::DOUBLE, contracted_cost::DOUBLE FROM bill_line"),
      (Texts{"Adjustment||", "Credit|-2.0|-3.0", "Purchase|4.0|3.0", "Tax|1.0|1.0", "Usage||"}));
  EXPECT_EQ(world.findings(), Texts{"list-cost-defaulted 3"});
}

TEST(Focus, CategoriesThatAreNoneBecomeAdjustmentsWithTheirText) {
  BillWorld world("focus");
  world.write("b.csv", kFocusHeader + row("1,1,1,1", "usage,,,") + row("2,2,2,2", "Refund,,,") +
                           row("3,3,3,3", ",,,"));
  world.load();
  EXPECT_EQ(
      world.sql("SELECT charge_category, billed_cost::DOUBLE, x FROM bill_line"),
      (Texts{"Adjustment|2.0|{\"ChargeCategory\":\"Refund\"}", "Adjustment|3.0|", "Usage|1.0|"}));
  EXPECT_EQ(world.findings(), (Texts{"charge-category-case 1", "charge-category-unknown 2"}));
}

TEST(Focus, MoneyThatLooksWrongIsCountedWithItsAmount) {
  BillWorld world("focus");
  world.write(
      "b.csv",
      "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingPeriodStart,"
      "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ListUnitPrice,PricingQuantity\n"
      "2,0,2,3,USD,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,Usage,0.5,3\n"
      "-4,-4,-4,-4,USD,2026-08-01T00:00:00Z,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,Usage,1,-4\n"
      "7,7,0.1,0.1,USD,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,Usage,"
      "0.3333333333333333333,0.3\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT code, rows, cost FROM finding"),
            (Texts{"billing-period-mismatch|1|-4.000000000000000000",
                   "contracted-over-list|1|1.000000000000000000",
                   "decimal-rounded|1|7.000000000000000000",
                   "effective-zero-billed-not|1|2.000000000000000000",
                   "list-price-mismatch|2|0.500000000000000000",
                   "negative-usage-cost|1|-4.000000000000000000"}));
}

// The two differ at the 36th decimal only.
TEST(Focus, AListPriceIsCheckedAtEveryDigit) {
  BillWorld world("focus");
  world.write(
      "b.csv",
      "BilledCost,EffectiveCost,ListCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,"
      "ChargePeriodEnd,ChargeCategory,ListUnitPrice,PricingQuantity\n"
      "0,0,1,USD,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,Usage,"
      "1.000000000000000001,0.999999999999999999\n"
      "0,0,1,USD,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,2026-08-01T02:00:00Z,Usage,2,0.5\n");
  world.load();
  EXPECT_EQ(world.findings(), Texts{"list-price-mismatch 1"});
}

TEST(Focus, TimesThatAreNotAsFocusWritesThem) {
  BillWorld world("focus");
  const std::string header =
      "BilledCost,EffectiveCost,BillingCurrency,BillingPeriodStart,"
      "ChargePeriodStart,ChargePeriodEnd,ChargeCategory\n";
  world.write(
      "b.csv",
      header +
          "1,1,USD,2026-08-01 00:00:00,2026-08-01 00:00:00,2026-08-01 01:00:00,Usage\n"
          "2,2,USD,2026-08-01T00:00:00Z,2026-08-01T02:00:00+02:00,2026-08-01T01:00:00Z,Usage\n"
          "3,3,USD,2026-08,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,Usage\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT DISTINCT charge_period_start, billing_period_start FROM bill_line"),
            Texts{"2026-08-01 00:00:00|2026-08-01 00:00:00"});
  EXPECT_EQ(world.findings(),
            (Texts{"billing-period-missing 1", "time-zone-missing 1", "timestamp-not-iso 2"}));
  // A stated zone moves the charge, not the month that the provider wrote.
  world.source().time_zone = "+02:00";
  world.load();
  EXPECT_EQ(
      world.sql(
          "SELECT charge_period_start, billing_period_start FROM bill_line WHERE billed_cost = 1"),
      Texts{"2026-07-31 22:00:00|2026-08-01 00:00:00"});
  EXPECT_EQ(world.findings(), (Texts{"billing-period-mismatch 1", "billing-period-missing 1",
                                     "timestamp-not-iso 2"}));
}

TEST(Focus, TagsAreSortedAndUnreadableOnesCostOnlyTheTag) {
  BillWorld world("focus");
  world.write(
      "b.csv",
      kFocusHeader + row("1,1,1,1", "Usage,,,\"{\"\"b\"\":\"\"2\"\",\"\" a\"\":\"\"x\"\"}\"") +
          row("2,2,2,2", "Usage,,,\"\"\"b\"\":\"\"2\"\"\"") + row("3,3,3,3", "Usage,,,{'a': 'b'}"));
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost::INTEGER, tags FROM bill_line"),
            (Texts{"1|{\" a\":\"x\",\"b\":\"2\"}", "2|", "3|"}));
  EXPECT_EQ(world.findings(), (Texts{"tag-key-untrimmed 1", "tags-unreadable 2"}));
}

TEST(Focus, CurrenciesAreKeptApart) {
  BillWorld world("focus");
  std::string text = kFocusHeader + row("1,1,1,1");
  for (const std::string code : {"eur", "XYZ"}) {
    std::string other = row("2,2,2,2");
    text += other.replace(other.find("USD"), 3, code);
  }
  world.write("b.csv", text);
  const SourceResult result = world.load();
  EXPECT_EQ(world.findings(), (Texts{"currency-mixed 2", "unknown-currency 1"}));
  EXPECT_EQ(result.inputs[0].sums_in.at("billed_cost EUR"), "2");
  EXPECT_EQ(result.inputs[0].sums_out.at("billed_cost XYZ"), "2");
  EXPECT_EQ(world.sql("SELECT billing_currency FROM bill_line"), (Texts{"EUR", "USD", "XYZ"}));
}

// Row 20,481 and beyond is where readers that guess types go wrong.
TEST(Focus, IdsKeepZerosAndDecimalsTheirDigitsInLongFiles) {
  BillWorld world("focus");
  std::string text =
      "BilledCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,"
      "ChargeCategory,BillingAccountId,ServiceName\n";
  for (int i = 0; i < 30'000; ++i) {
    text +=
        (i < 25'000 ? "1" : "0.000000000000000001") +
        std::string(",USD,2026-08-01T00:00:00Z,2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,Usage,") +
        (i < 25'000 ? "000123456789" : "12345678901234567890") + ",\"Compute, \"\"GPU\"\"\"\n";
  }
  world.write("b.csv", text);
  const SourceResult result = world.load();
  EXPECT_EQ(result.inputs[0].sums_out.at("billed_cost USD"), "25000.000000000000005");
  EXPECT_EQ(
      world.sql("SELECT billing_account_id, service_name, count(*) FROM bill_line GROUP BY ALL"),
      (Texts{"000123456789|Compute, \"GPU\"|25000", "12345678901234567890|Compute, \"GPU\"|5000"}));
  EXPECT_EQ(world.sql("SELECT count(DISTINCT bill_line_id) FROM bill_line"), Texts{"30000"});
}

TEST(Focus, ParquetIsTheSameBill) {
  BillWorld text("focus"), binary("focus");
  text.write("b.csv",
             kFocusHeader +
                 row("0.1,1e-7,0.3,0.2", "Usage,vm-1,Compute,\"{\"\"team\"\":\"\"a\"\"}\"") +
                 row("-5,,1,1", "Credit,,,"));
  binary.write("x", "");
  binary.remove("x");
  store::Database database({.threads = 1});
  const std::string folder = binary.project().directory + "/bill/";
  database.connect().query(
      "COPY (SELECT * REPLACE (CAST(BilledCost AS DOUBLE) AS BilledCost, CAST(EffectiveCost AS "
      "DOUBLE) AS "
      "EffectiveCost, CAST(ListCost AS DECIMAL(38,17)) AS ListCost, CAST(ContractedCost AS "
      "DECIMAL(9,2)) AS "
      "ContractedCost, CAST(ChargePeriodStart AS TIMESTAMPTZ) AS ChargePeriodStart, "
      "CAST(ChargePeriodEnd AS TIMESTAMPTZ) AS ChargePeriodEnd) FROM read_csv('" +
      text.project().directory + "/bill/b.csv', all_varchar=true)) TO '" + folder + "b.parquet'");
  text.load();
  binary.load();
  EXPECT_EQ(text.lines(), binary.lines());
  EXPECT_EQ(binary.findings(), (Texts{"cost-stored-as-double 2", "effective-missing 1"}));
}

TEST(Focus, MappedColumnsAndEpochs) {
  BillWorld world("focus");
  world.source().columns["billed_cost"].column = "Charge";
  world.source().columns["ChargePeriodStart"] = {"from", "ms"};
  world.source().columns["ChargePeriodEnd"] = {"to", "ms"};
  world.source().currency = "EUR";
  world.write("b.csv",
              "Charge,from,to,ChargeCategory,BilledCost\n"
              "1.5,1785542400000,1785546000000.5,Usage,9\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost::DOUBLE, billing_currency, charge_period_start, "
                      "charge_period_end, x FROM bill_line"),
            Texts{"1.5|EUR|2026-08-01 00:00:00|2026-08-01 01:00:00.0005|{\"BilledCost\":\"9\"}"});
  world.source().columns["BiledCost"].column = "Charge";
  EXPECT_EQ(world.refusal({.full_refresh = true}), "column-unknown tare.yaml:3");
}

}  // namespace
}  // namespace tare::sources
