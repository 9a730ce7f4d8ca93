// Azure's exports made from the documented columns (the public files have no GPU and no unused
// benefit), their answers worked out from R06, R09, R10 and the ways in which real files are
// written.
#include <algorithm>

#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"
#include "sources/bill/native/export_text.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const std::vector<std::string> kAzureColumns = {"BillingAccountId",
                                                "SubscriptionId",
                                                "BillingPeriodStartDate",
                                                "Date",
                                                "MeterCategory",
                                                "MeterId",
                                                "Product",
                                                "Quantity",
                                                "UnitOfMeasure",
                                                "EffectivePrice",
                                                "UnitPrice",
                                                "Cost",
                                                "BillingCurrency",
                                                "ResourceId",
                                                "ResourceLocation",
                                                "ChargeType",
                                                "PricingModel",
                                                "benefitId",
                                                "ReservationId",
                                                "Frequency",
                                                "Tags",
                                                "AdditionalInfo",
                                                "PublisherName"};
const ExportRow kUsualVm = {
    {"BillingAccountId", "8611537"},
    {"SubscriptionId", "sub-1"},
    {"BillingPeriodStartDate", "08/01/2026"},
    {"Date", "08/03/2026"},
    {"MeterCategory", "Virtual Machines"},
    {"MeterId", "m-1"},
    {"Product", "NCads A100 v4"},
    {"Quantity", "24"},
    {"UnitOfMeasure", "1 Hour"},
    {"EffectivePrice", "3"},
    {"UnitPrice", "3"},
    {"Cost", "72"},
    {"BillingCurrency", "USD"},
    {"ResourceId", "/subscriptions/sub-1/virtualMachines/vm-1"},
    {"ResourceLocation", "eastus"},
    {"ChargeType", "Usage"},
    {"PricingModel", "OnDemand"},
    {"Frequency", "UsageBased"},
    {"AdditionalInfo", R"({"ServiceType":"Standard_NC24ads_A100_v4","VCPUs":24,"VMName":"x"})"}};

Texts azure_costs(const BillWorld& world) {
  return world.sql("SELECT charge_category, commitment_discount_status, pricing_category, " +
                   shown("billed_cost") + ", " + shown("effective_cost") + ", " +
                   shown("consumed_quantity") + " FROM bill_line");
}

const ExportRow kReservedUse = {{"PricingModel", "Reservation"}, {"benefitId", "/r/1"}};
ExportRow with(ExportRow row, const ExportRow& more) {
  for (const auto& [column, cell] : more) row[column] = cell;
  return row;
}

TEST(Azure, ADayOfAMachine) {
  BillWorld world("azure-actual");
  world.write("a.csv", "\xEF\xBB\xBF" + ExportText(kAzureColumns, kUsualVm).add({}).csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT billing_account_id, sub_account_id, billing_period_start, "
                      "charge_period_start, charge_period_end, service_name, service_category, "
                      "resource_id, region_id, sku_id, sku_price_details, consumed_unit, " +
                      shown("consumed_quantity") + ", " + shown("billed_cost") +
                      ", effective_cost, invoice_issuer_name FROM bill_line"),
            Texts{"8611537|sub-1|2026-08-01 00:00:00|2026-08-03 00:00:00|2026-08-04 00:00:00|"
                  "Virtual Machines|Compute|/subscriptions/sub-1/virtualMachines/vm-1|eastus|m-1|"
                  "{\"InstanceType\":\"Standard_NC24ads_A100_v4\",\"CoreCount\":24,"
                  "\"x_VMName\":\"x\"}|Hours|24|72||Microsoft"});
}

// One row under every name of its columns, and dates and numbers as each kind of contract writes
// them, is one line.
TEST(Azure, HeadersOfAllContractsAreOneTable) {
  const std::string tail =
      ",Virtual Machines,m-1,24,1 Hour,72,USD,vm-1,eastus,\"\"\"team\"\": \"\"a\"\"\"\n";
  BillWorld pay("azure-actual"), german("azure-actual"), camel("azure-actual");
  pay.write("a.csv",
            "SubscriptionGuid,UsageDateTime,MeterCategory,MeterId,UsageQuantity,UnitOfMeasure,"
            "PreTaxCost,Currency,InstanceId,ResourceLocation,Tags\nsub-1,2026-08-03" +
                tail);
  german.write("a.csv",
               "\xEF\xBB\xBF"
               "Abonnement-GUID (SubscriptionGuid),UsageDateTime (UsageDateTime),"
               "Kategorie der Verbrauchseinheit (MeterCategory),ID der Verbrauchseinheit (MeterId),"
               "UsageQuantity (UsageQuantity),Ma\xC3\x9F"
               "einheit (UnitOfMeasure),PreTaxCost (PreTaxCost),Currency,InstanceId (InstanceId),"
               "Ressourcenstandort (ResourceLocation),Tags (Tags)\r\nsub-1,8/3/2026" +
                   tail.substr(0, tail.size() - 1) + "\r\n");
  camel.write("a.csv",
              "subscriptionId,date,meterCategory,meterId,quantity,unitOfMeasure,"
              "costInBillingCurrency,billingCurrency,resourceId,resourceLocation,tags\n"
              "sub-1,08/03/2026" +
                  tail);
  for (BillWorld* world : {&pay, &german, &camel}) world->load();
  EXPECT_EQ(pay.lines(), german.lines());
  EXPECT_EQ(pay.lines(), camel.lines());
  EXPECT_EQ(pay.sql("SELECT sub_account_id, charge_period_start, " + shown("billed_cost") +
                    ", tags FROM bill_line"),
            Texts{"sub-1|2026-08-03 00:00:00|72|{\"team\":\"a\"}"});
}

// Unreadable tags cost the tags only, and of those what can be read stays.
TEST(Azure, TagsComeWithoutTheirBraces) {
  const std::pair<std::string, std::string> tags[] = {
      {R"("a": "1","b": "2")", R"({"a":"1","b":"2"})"},
      {R"({"a": "1"})", R"({"a":"1"})"},
      {R"("a": "1",)", R"({"a":"1"})"},
      {R"("a": "1","b":)", R"({"a":"1"})"},
      {R"("b":)", "{}"},
      {R"("a": "x:y, z")", R"({"a":"x:y, z"})"},
      {R"("a": {"b": 1})", R"({"a":{"b":1}})"},
      {R"(a=1;b=2)", ""},
      {"", ""}};
  for (const auto& [cell, kept] : tags) {
    BillWorld world("azure-actual");
    world.write("a.csv", ExportText(kAzureColumns, kUsualVm).add({{"Tags", cell}}).csv());
    world.load();
    EXPECT_EQ(world.sql("SELECT " + shown("billed_cost") + ", tags FROM bill_line"),
              Texts{"72|" + kept})
        << cell;
    const auto bad = world.sql("SELECT rows FROM finding WHERE code = 'tags-unreadable'");
    EXPECT_EQ(bad.size(), kept.empty() && !cell.empty() ? 1U : 0U) << cell;
  }
}

// R10, and what says nothing.
TEST(Azure, HoursAreCountedByWhatAPriceIsOf) {
  struct Case {
    std::string unit, quantity, charged, unit_price, cost, hours;
  };
  const Case cases[] = {
      {"1 Hour", "24", "3", "3", "72", "24"},
      {"100 Hours", "24", "0.03", "3", "0.72", "24"},              // a price of an hour
      {"100 Hours", "0.24", "3", "3", "0.72", "24"},               // a price of the block
      {"100 Hours", "24", "0.018", "3", "0.432", "24"},            // an hour's, discounted
      {"100 Hours", "0.24", "1.8", "3", "0.432", "24"},            // a block's, discounted
      {"10 Hours", "2.4", "0.1234567", "0.13", "0.296296", "24"},  // rounded costs
      {"100 Hours", "-0.24", "3", "3", "-0.72", "-24"},
      {"10 Hours", "10", "1.2", "0.1", "0", "10"},  // price × quantity is not the cost
      {"100 Hours", "24", "0", "3", "0", "24"},     // covered: no price says anything
      {"100 Hours", "24", "", "", "0.72", "24"},
      {"100 Hours", "24", "?", "3", "0.72", "24"},
      {"100 Hours", "9000000000000000000", "1", "1", "9000000000000000000", "9000000000000000000"},
  };
  for (const Case& each : cases) {
    BillWorld world("azure-actual");
    world.write("a.csv", ExportText(kAzureColumns, kUsualVm)
                             .add({{"UnitOfMeasure", each.unit},
                                   {"Quantity", each.quantity},
                                   {"EffectivePrice", each.charged},
                                   {"UnitPrice", each.unit_price},
                                   {"Cost", each.cost}})
                             .csv());
    world.load();
    EXPECT_EQ(world.sql("SELECT " + shown("consumed_quantity") + ", consumed_unit FROM bill_line"),
              Texts{each.hours + "|Hours"})
        << each.unit << ' ' << each.quantity << ' ' << each.charged;
  }
  BillWorld world("azure-actual");
  world.write("a.csv", ExportText(kAzureColumns, kUsualVm)
                           .add({{"UnitOfMeasure", "100 GB"}, {"Quantity", "2"}})
                           .csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT " + shown("consumed_quantity") + ", consumed_unit FROM bill_line"),
            Texts{"2|100 GB"});
}

ExportText benefits() {
  ExportText text(kAzureColumns, kUsualVm);
  text.add({{"Cost", "72"}});
  text.add({{"Cost", "21.6"}, {"PricingModel", "Spot"}});
  text.add(with(kReservedUse, {{"Cost", "40"}}));
  text.add({{"Cost", "41"}, {"PricingModel", "SavingsPlan"}, {"benefitId", "/s/1"}});
  // A reservation's use that is called standard: its id says what it is.
  text.add({{"Cost", "42"}, {"PricingModel", "OnDemand"}, {"ReservationId", "r-2"}});
  for (const std::string unused : {"UnusedReservation", "UnusedSavingsPlan"}) {
    text.add(with(kReservedUse,
                  {{"Cost", "5"},
                   {"ChargeType", unused},
                   {"PricingModel", unused == "UnusedReservation" ? "Reservation" : "SavingsPlan"},
                   {"ResourceId", ""}}));
  }
  return text;
}

TEST(Azure, TheActualExportSaysWhatIsBilled) {
  BillWorld world("azure-actual");
  ExportText text = benefits();
  text.add(with(kReservedUse, {{"ChargeType", "Purchase"}, {"Cost", "1000"}, {"ResourceId", ""}}));
  text.add(with(kReservedUse, {{"ChargeType", "Refund"}, {"Cost", "-300"}, {"ResourceId", ""}}));
  text.add({{"ChargeType", "Refund"}, {"Cost", "-3"}});
  text.add({{"ChargeType", "RoundingAdjustment"}, {"Cost", "0.01"}});
  text.add({{"ChargeType", "Purchase"},
            {"PublisherName", "Acme"},
            {"Cost", "99"},
            {"PricingModel", ""},
            {"Frequency", "OneTime"}});
  text.add({{"ChargeType", "Tax"}, {"Cost", "7"}, {"PricingModel", ""}});
  text.add({{"ChargeType", "Tribute"}, {"Cost", "8"}, {"PricingModel", ""}});
  world.write("a.csv", text.csv());
  world.load();
  EXPECT_EQ(
      azure_costs(world),
      (Texts{"Adjustment||Standard|-3||", "Adjustment||Standard|0.01||", "Adjustment|||8||",
             "Purchase||Committed|-300||", "Purchase||Committed|1000||", "Purchase|||99||",
             "Tax|||7||", "Usage|Unused|Committed|5||", "Usage|Unused|Committed|5||",
             "Usage|Used|Committed|40||24", "Usage|Used|Committed|41||24",
             "Usage|Used|Committed|42||24", "Usage||Dynamic|21.6||24", "Usage||Standard|72||24"}));
}

// R09: alone, billed is the cost, and 0 of what a benefit pays for.
TEST(Azure, TheAmortisedExportSaysWhatIsEffective) {
  BillWorld world("azure-amortized");
  world.write("a.csv", benefits().csv());
  world.load();
  EXPECT_EQ(azure_costs(world),
            (Texts{"Usage|Unused|Committed|0|5|", "Usage|Unused|Committed|0|5|",
                   "Usage|Used|Committed|0|40|24", "Usage|Used|Committed|0|41|24",
                   "Usage|Used|Committed|0|42|24", "Usage||Dynamic|21.6|21.6|24",
                   "Usage||Standard|72|72|24"}));
}

TEST(Azure, UnreadableMoneyIsQuarantinedInBothExports) {
  for (const std::string format : {"azure-actual", "azure-amortized"}) {
    BillWorld world(format);
    ExportText text(kAzureColumns, kUsualVm);
    text.add({}).add({{"Cost", "1,5"}}).add(with(kReservedUse, {{"Cost", "1,5"}}));
    text.add({{"Cost", ""}}).add({{"Date", "31/08/2026"}, {"Cost", "3"}});
    world.write("a.csv", text.csv());
    const SourceResult result = world.load();
    EXPECT_EQ(result.inputs[0].rows_used, 1);
    EXPECT_EQ(result.inputs[0].rows_quarantined, 4);
    EXPECT_EQ(world.sql("SELECT regexp_extract(place, 'csv:(\\d+)', 1), code, " + shown("cost") +
                        " FROM store_quarantine"),
              (Texts{"3|cost-not-decimal|", "4|cost-not-decimal|", "5|cost-missing|",
                     "6|charge-period-unreadable|3"}));
  }
}

TEST(Azure, ARowOfNothingButADateIsNoCharge) {
  BillWorld world("azure-actual");
  ExportText text(kAzureColumns, kUsualVm);
  text.add({});
  ExportText last(kAzureColumns);
  last.add({{"Date", "08/31/2026"}});
  world.write("a.csv", text.csv() + last.body(0, 1));
  const SourceResult result = world.load();
  EXPECT_EQ(result.inputs[0].rows_in, 2);
  EXPECT_EQ(result.inputs[0].rows_netted, 1);
  EXPECT_EQ(result.inputs[0].lines_out, 1);
}

TEST(Azure, WithoutACurrencyTheSourceHasToNameOne) {
  BillWorld world("azure-actual");
  std::vector<std::string> columns = kAzureColumns;
  std::erase(columns, "BillingCurrency");
  world.write("a.csv", ExportText(columns, kUsualVm).add({}).csv());
  try {
    world.load();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), "missing-column");
    EXPECT_NE(error.message().find("'BillingCurrency'"), std::string::npos) << error.message();
    EXPECT_EQ(error.hint(), "name the currency of the source: 'currency: USD'");
  }
  world.source().currency = "eur";
  world.load();
  EXPECT_EQ(world.sql("SELECT billing_currency FROM bill_line"), Texts{"EUR"});
}

TEST(Azure, NoOrderOfRowsAndNoSplitIntoFilesChangesALine) {
  ExportText text(kAzureColumns, kUsualVm);
  for (int i = 1; i < 9; ++i) {
    text.add({{"Date", "08/0" + std::to_string(i) + "/2026"}, {"Cost", "72." + std::to_string(i)}});
  }
  BillWorld whole("azure-actual"), parts("azure-actual");
  whole.write("a.csv", text.csv());
  whole.load();
  std::reverse(text.rows().begin(), text.rows().end());
  parts.write("a.csv", text.header() + text.body(0, 3));
  parts.write("b.csv", text.header() + text.body(3, 8));
  parts.load();
  EXPECT_EQ(whole.lines(), parts.lines());
}

}  // namespace
}  // namespace tare::sources
