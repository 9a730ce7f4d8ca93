// Cost reports of Oracle Cloud made from the public file's columns (it has no GPU and no
// correction), their answers worked out from R13.
#include <algorithm>

#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"
#include "sources/bill/native/export_text.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const std::vector<std::string> kOciTestColumns = {"lineItem/referenceNo",
                                                  "lineItem/tenantId",
                                                  "lineItem/intervalUsageStart",
                                                  "lineItem/intervalUsageEnd",
                                                  "product/service",
                                                  "product/compartmentId",
                                                  "product/region",
                                                  "product/resourceId",
                                                  "usage/billedQuantity",
                                                  "cost/productSku",
                                                  "product/Description",
                                                  "cost/myCost",
                                                  "cost/currencyCode",
                                                  "cost/skuUnitDescription",
                                                  "lineItem/isCorrection",
                                                  "lineItem/backreferenceNo",
                                                  "tags/Team.Name",
                                                  "tags/Oracle-Tags.CreatedBy"};
const ExportRow kUsualOciRow = {{"lineItem/referenceNo", "ref-1"},
                                {"lineItem/tenantId", "tenant"},
                                {"lineItem/intervalUsageStart", "2026-08-03T10:00Z"},
                                {"lineItem/intervalUsageEnd", "2026-08-03T11:00Z"},
                                {"product/service", "COMPUTE"},
                                {"product/compartmentId", "comp"},
                                {"product/region", "us-ashburn-1"},
                                {"product/resourceId", "ocid1.instance.1"},
                                {"usage/billedQuantity", "8"},
                                {"cost/productSku", "B98415"},
                                {"product/Description", "Compute - GPU - A100 - v2"},
                                {"cost/myCost", "32"},
                                {"cost/currencyCode", "USD"},
                                {"cost/skuUnitDescription", "GPU Per Hour"},
                                {"lineItem/isCorrection", "false"}};

TEST(Oci, EveryDigitOfACostCounts) {
  BillWorld world("oci");
  ExportText text(kOciTestColumns, kUsualOciRow);
  text.add({{"cost/myCost", "0.012264277499950943"}});
  text.add({{"cost/myCost", "2.323760000E-9"}});
  text.add({{"cost/myCost", "0.000000000000000001"}, {"usage/billedQuantity", "7"}});
  world.write("a.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT " + shown("sum(billed_cost)") + ", " + shown("sum(effective_cost)") +
                      " FROM bill_line"),
            Texts{"0.012264279823710944|0.012264279823710944"});
  EXPECT_EQ(world.findings(), Texts{});
}

// R13: ordinary lines have back references too, and they mean nothing there.
TEST(Oci, OnlyWhatIsACorrectionCorrects) {
  BillWorld world("oci");
  ExportText text(kOciTestColumns, kUsualOciRow);
  text.add({{"lineItem/backreferenceNo", "17053"}});
  text.add({{"lineItem/isCorrection", "TRUE"},
            {"lineItem/backreferenceNo", "ref-1"},
            {"cost/myCost", "-32"}});
  text.add(
      {{"lineItem/isCorrection", ""}, {"lineItem/backreferenceNo", "9"}, {"cost/myCost", "1"}});
  world.write("a.csv", text.csv());
  world.load();
  EXPECT_EQ(
      world.sql("SELECT " + shown("billed_cost") +
                ", charge_class, json_extract_string(x, '$.x_BackReferenceNo') FROM bill_line"),
      (Texts{"-32|Correction|ref-1", "1||", "32||"}));
}

TEST(Oci, GpuHoursAreDeviceTimeAndOtherHoursAreNot) {
  BillWorld world("oci");
  ExportText text(kOciTestColumns, kUsualOciRow);
  text.add({});
  text.add({{"cost/skuUnitDescription", "OCPU Per Hour"}, {"cost/myCost", "2"}});
  text.add({{"product/service", "DATABASE"},
            {"cost/skuUnitDescription", "Hours"},
            {"cost/myCost", "3"}});
  world.write("a.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT " + shown("billed_cost") +
                      ", service_category, consumed_unit FROM bill_line"),
            (Texts{"2|Compute|OCPU Per Hour", "32|Compute|GPU-Hours", "3|Other|Hours"}));
}

TEST(Oci, AColumnOfTagsIsATag) {
  BillWorld world("oci");
  ExportText text(kOciTestColumns, kUsualOciRow);
  text.add({{"tags/Team.Name", "vision"}, {"tags/Oracle-Tags.CreatedBy", "a/b"}}).add({});
  world.write("a.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT tags, sub_account_id, billing_account_id, billing_period_start "
                      "FROM bill_line"),
            (Texts{"{\"Oracle-Tags.CreatedBy\":\"a/b\",\"Team.Name\":\"vision\"}|comp|tenant|"
                   "2026-08-01 00:00:00",
                   "|comp|tenant|2026-08-01 00:00:00"}));
}

TEST(Oci, BadRowsAreQuarantinedWithTheirPlaces) {
  BillWorld world("oci");
  ExportText text(kOciTestColumns, kUsualOciRow);
  text.add({}).add({{"cost/myCost", "x"}}).add({{"cost/myCost", ""}});
  text.add({{"lineItem/intervalUsageEnd", "later"}, {"cost/myCost", "5"}});
  text.add({{"cost/currencyCode", ""}, {"cost/myCost", "6"}});
  world.write("a.csv", text.csv());
  const SourceResult result = world.load();
  EXPECT_EQ(result.inputs[0].rows_used, 1);
  EXPECT_EQ(result.inputs[0].rows_quarantined, 4);
  EXPECT_EQ(result.inputs[0].rows_netted, 0);
  EXPECT_EQ(world.sql("SELECT regexp_extract(place, 'csv:(\\d+)', 1), code, " + shown("cost") +
                      " FROM store_quarantine"),
            (Texts{"3|cost-not-decimal|", "4|cost-missing|", "5|charge-period-unreadable|5",
                   "6|currency-missing|6"}));
}

TEST(Oci, NoOrderOfRowsAndNoSplitIntoFilesChangesALine) {
  ExportText text(kOciTestColumns, kUsualOciRow);
  for (int i = 0; i < 6; ++i) {
    text.add({{"product/resourceId", "ocid1.instance." + std::to_string(i)},
              {"cost/myCost", std::to_string(i)}});
  }
  BillWorld whole("oci"), parts("oci");
  whole.write("a.csv", text.csv());
  whole.load();
  std::reverse(text.rows().begin(), text.rows().end());
  parts.write("a.csv", text.header() + text.body(0, 2));
  parts.write("b.csv", text.header() + text.body(2, 6));
  parts.load();
  EXPECT_EQ(whole.lines(), parts.lines());
}

}  // namespace
}  // namespace tare::sources
