// The forms in which AWS delivers one bill (legacy CSV and Parquet, 2.0 CSV and Parquet), its tags,
// and the rows that count again what others count. Made from the documented columns: no public file
// has such rows.
#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"
#include "sources/bill/native/export_text.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const ExportRow kUsualHour = {{"bill/BillingEntity", "AWS"},
                              {"bill/PayerAccountId", "000123456789"},
                              {"bill/BillingPeriodStartDate", "2026-08-01T00:00:00Z"},
                              {"lineItem/LineItemType", "Usage"},
                              {"lineItem/UsageStartDate", "2026-08-03T10:00:00Z"},
                              {"lineItem/UsageEndDate", "2026-08-03T11:00:00Z"},
                              {"lineItem/ProductCode", "AmazonEC2"},
                              {"lineItem/UsageType", "USE1-BoxUsage:p4d.24xlarge"},
                              {"lineItem/ResourceId", "i-1"},
                              {"lineItem/UsageAmount", "1"},
                              {"lineItem/CurrencyCode", "USD"},
                              {"lineItem/UnblendedCost", "32.5"},
                              {"pricing/unit", "Hrs"},
                              {"product/ProductName", "Amazon Elastic Compute Cloud"},
                              {"product/productFamily", "Compute Instance"},
                              {"product/instanceType", "p4d.24xlarge"},
                              {"product/gpu", "8"},
                              {"product/vcpu", "96"},
                              {"product/memory", "1152 GiB"},
                              {"product/region", "us-east-1"},
                              {"product/sku", "SKU1"}};

std::vector<std::string> columns_of(const ExportRow& row, const Texts& more) {
  std::vector<std::string> columns;
  for (const auto& [column, cell] : row) columns.push_back(column);
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

// Three rows: tagged, another tag and a cost category, and none of these.
ExportText legacy_text() {
  ExportText text(columns_of(kUsualHour, {"resourceTags/aws:createdBy", "resourceTags/user:team",
                                          "costCategory/project"}),
                  kUsualHour);
  text.add({{"resourceTags/user:team", "vision"}, {"resourceTags/aws:createdBy", "x"}});
  text.add({{"resourceTags/user:team", "text, \"all\""}, {"costCategory/project", "p"}});
  text.add({{"lineItem/UnblendedCost", "1.81E-8"}});
  return text;
}

// COPY of a query over legacy_text() as the table `cur`, all texts.
void copy(const BillWorld& from, const std::string& query, const std::string& to) {
  store::Database database({.threads = 1});
  store::Connection connection = database.connect();
  const std::string source = const_cast<BillWorld&>(from).project().directory + "/bill/cur.csv";
  connection.query("CREATE TABLE cur AS SELECT * FROM read_csv('" + source +
                   "', all_varchar=true)");
  connection.query("COPY (" + query + ") TO '" + to + "'");
}

// The columns that Parquet and 2.0 have under their own names.
const std::string kPlainColumns = R"(
  "bill/BillingEntity" AS bill_billing_entity, "bill/PayerAccountId" AS bill_payer_account_id,
  CAST("bill/BillingPeriodStartDate" AS TIMESTAMP) AS bill_billing_period_start_date,
  "lineItem/LineItemType" AS line_item_line_item_type,
  CAST("lineItem/UsageStartDate" AS TIMESTAMP) AS line_item_usage_start_date,
  CAST("lineItem/UsageEndDate" AS TIMESTAMP) AS line_item_usage_end_date,
  "lineItem/ProductCode" AS line_item_product_code, "lineItem/UsageType" AS line_item_usage_type,
  "lineItem/ResourceId" AS line_item_resource_id,
  CAST("lineItem/UsageAmount" AS DOUBLE) AS line_item_usage_amount,
  "lineItem/CurrencyCode" AS line_item_currency_code,
  CAST("lineItem/UnblendedCost" AS DOUBLE) AS line_item_unblended_cost,
  "pricing/unit" AS pricing_unit, "product/instanceType" AS product_instance_type,
  "product/productFamily" AS product_product_family, "product/sku" AS product_sku)";

const std::string kLegacyParquet = "SELECT " + kPlainColumns + R"(,
  "product/ProductName" AS product_product_name, "product/gpu" AS product_gpu,
  "product/vcpu" AS product_vcpu, "product/memory" AS product_memory,
  "product/region" AS product_region, "resourceTags/aws:createdBy" AS "resource_tags_aws_createdBy",
  "resourceTags/user:team" AS resource_tags_user_team,
  "costCategory/project" AS cost_category_project FROM cur)";

// Maps leave out what they have no value for.
std::string cur2_query(bool as_json) {
  const auto map = [&](const std::string& pairs) {
    const std::string made = "map_from_entries(list_filter([" + pairs + "], e -> e.v IS NOT NULL))";
    return as_json ? "CAST(to_json(" + made + ") AS VARCHAR)" : made;
  };
  const auto pair = [](const std::string& key, const std::string& column) {
    return "{k: '" + key + "', v: \"" + column + "\"}";
  };
  return "SELECT " + kPlainColumns + ", " +
         map(pair("product_name", "product/ProductName") + "," + pair("gpu", "product/gpu") + "," +
             pair("vcpu", "product/vcpu") + "," + pair("memory", "product/memory") + "," +
             pair("region", "product/region")) +
         " AS product, " +
         map(pair("aws_createdBy", "resourceTags/aws:createdBy") + "," +
             pair("user_team", "resourceTags/user:team")) +
         " AS resource_tags, " + map(pair("project", "costCategory/project")) +
         " AS cost_category FROM cur";
}

TEST(AwsForms, FourFormsOfOneBillAreTheSameLines) {
  BillWorld legacy("aws-cur"), parquet("aws-cur"), maps("aws-cur"), map_texts("aws-cur");
  legacy.write("cur.csv", legacy_text().csv());
  for (BillWorld* world : {&parquet, &maps, &map_texts}) world->write("x", "").remove("x");
  const auto file = [](BillWorld& world, const char* name) {
    return world.project().directory + "/bill/" + name;
  };
  copy(legacy, kLegacyParquet, file(parquet, "cur.parquet"));
  copy(legacy, cur2_query(false), file(maps, "cur.parquet"));
  copy(legacy, cur2_query(true), file(map_texts, "cur.csv"));
  for (BillWorld* world : {&legacy, &parquet, &maps, &map_texts}) world->load();
  EXPECT_EQ(
      legacy.sql("SELECT " + shown("billed_cost") +
                 ", billing_account_id, service_name, region_id, sku_price_details, tags "
                 "FROM bill_line"),
      (Texts{"0.0000000181|000123456789|Amazon Elastic Compute Cloud|us-east-1|"
             "{\"InstanceType\":\"p4d.24xlarge\",\"GpuCount\":8,\"CoreCount\":96,"
             "\"MemorySize\":\"1152 GiB\"}|",
             "32.5|000123456789|Amazon Elastic Compute Cloud|us-east-1|"
             "{\"InstanceType\":\"p4d.24xlarge\",\"GpuCount\":8,\"CoreCount\":96,"
             "\"MemorySize\":\"1152 GiB\"}|{\"aws:createdBy\":\"x\",\"user:team\":\"vision\"}",
             "32.5|000123456789|Amazon Elastic Compute Cloud|us-east-1|"
             "{\"InstanceType\":\"p4d.24xlarge\",\"GpuCount\":8,\"CoreCount\":96,"
             "\"MemorySize\":\"1152 GiB\"}|"
             "{\"costCategory/project\":\"p\",\"user:team\":\"text, \\\"all\\\"\"}"}));
  EXPECT_EQ(legacy.lines(), parquet.lines());
  EXPECT_EQ(legacy.lines(), maps.lines());
  EXPECT_EQ(legacy.lines(), map_texts.lines());
  EXPECT_EQ(parquet.findings(), Texts{"cost-stored-as-double 3"});
}

// Cells of tags that stand beside each other in other ways are other tags.
TEST(AwsForms, TagsOfRowsThatLookAlikeAreNotMixedUp) {
  BillWorld world("aws-cur");
  ExportText text(columns_of(kUsualHour, {"resourceTags/user:a", "resourceTags/user:b"}),
                  kUsualHour);
  text.add({{"resourceTags/user:a", "1"}});
  text.add({{"resourceTags/user:b", "1"}});
  text.add({{"resourceTags/user:a", "1\n2"}, {"resourceTags/user:b", "3"}});
  text.add({{"resourceTags/user:a", "1"}, {"resourceTags/user:b", "2\n3"}});
  world.write("cur.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT tags FROM bill_line"),
            (Texts{"{\"user:a\":\"1\",\"user:b\":\"2\\n3\"}", "{\"user:a\":\"1\"}",
                   "{\"user:a\":\"1\\n2\",\"user:b\":\"3\"}", "{\"user:b\":\"1\"}"}));
}

TEST(AwsForms, AMapOfTagsThatCannotBeReadCostsOnlyTheTags) {
  BillWorld world("aws-cur2");
  ExportText text(columns_of(kUsualHour, {"resource_tags"}), kUsualHour);
  text.add({{"resource_tags", "{user_team=vision}"}}).add({{"resource_tags", "{}"}});
  world.write("cur.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT " + shown("sum(billed_cost)") + ", max(tags) FROM bill_line"),
            Texts{"65|"});
  EXPECT_EQ(world.findings(), Texts{"tags-unreadable 1"});
}

// A cluster on Databricks: what it writes as tags is what rules are made of.
TEST(AwsForms, DatabricksTagsStand) {
  BillWorld world("aws-cur");
  ExportText text(columns_of(kUsualHour, {"resourceTags/user:ClusterId", "resourceTags/user:JobId",
                                          "resourceTags/user:RunName", "resourceTags/user:Vendor"}),
                  kUsualHour);
  text.add({{"resourceTags/user:ClusterId", "0803-100000-abc"},
            {"resourceTags/user:JobId", "42"},
            {"resourceTags/user:Vendor", "Databricks"}});
  world.write("cur.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT tags FROM bill_line"),
            Texts{"{\"user:ClusterId\":\"0803-100000-abc\",\"user:JobId\":\"42\","
                  "\"user:Vendor\":\"Databricks\"}"});
}

// The machine is billed in two rows of the hour, part under a plan; three pods share it. The total
// is the machine's alone.
TEST(AwsForms, SharesOfASplitMachineAreNeverSummedWithIt) {
  BillWorld world("aws-cur");
  ExportText text(
      columns_of(kUsualHour, {"splitLineItem/ParentResourceId", "splitLineItem/SplitCost"}),
      kUsualHour);
  text.add({{"lineItem/UnblendedCost", "20"}, {"lineItem/UsageAmount", "0.625"}});
  text.add({{"lineItem/UnblendedCost", "12"}, {"lineItem/UsageAmount", "0.375"}});
  for (const std::string pod : {"a", "b", "c"}) {
    text.add({{"lineItem/ResourceId", "arn:aws:eks:pod/" + pod},
              {"lineItem/UsageType", "USE1-EKS-EC2-Accelerator-Hours"},
              {"lineItem/UnblendedCost", pod == "a" ? "0" : ""},
              {"splitLineItem/ParentResourceId", "i-1"},
              {"splitLineItem/SplitCost", "10"}});
  }
  world.write("cur.csv", text.csv());
  const SourceResult result = world.load();
  EXPECT_EQ(result.inputs[0].rows_netted, 3);
  EXPECT_EQ(world.sql("SELECT resource_id, " + shown("sum(billed_cost)") + ", " +
                      shown("sum(consumed_quantity)") + " FROM bill_line GROUP BY ALL"),
            Texts{"i-1|32|1"});
  // A share that is billed is money of its own; one whose cost can't be read is no share of
  // nothing.
  text.add({{"lineItem/ResourceId", "fargate"},
            {"lineItem/UnblendedCost", "0.5"},
            {"splitLineItem/ParentResourceId", "i-1"}});
  text.add({{"lineItem/UnblendedCost", "?"}, {"splitLineItem/ParentResourceId", "i-1"}});
  world.write("cur.csv", text.csv());
  const SourceResult again = world.load();
  EXPECT_EQ(again.inputs[0].rows_quarantined, 1);
  EXPECT_EQ(world.sql("SELECT " + shown("sum(billed_cost)") + " FROM bill_line"), Texts{"32.5"});
}

// A reservation of two machines, one of them used. All its hours stand in a row of no cost.
TEST(AwsForms, UnusedCapacityIsSaidByItsColumnsOrByTheUsageType) {
  BillWorld columns("aws-cur2"), legacy("aws-cur");
  const std::string arn = "arn:aws:ec2:us-east-1:1:capacity-reservation/cr-1";
  ExportText text(columns_of(kUsualHour, {"capacity_reservation_capacity_reservation_arn",
                                          "capacity_reservation_capacity_reservation_status"}),
                  kUsualHour);
  const auto row = [&](const std::string& status, const std::string& resource,
                       const std::string& cost) {
    return ExportRow{{"capacity_reservation_capacity_reservation_arn", arn},
                     {"capacity_reservation_capacity_reservation_status", status},
                     {"lineItem/ResourceId", resource},
                     {"lineItem/UnblendedCost", cost}};
  };
  text.add(row("Used", "i-1", "32")).add(row("Unused", arn, "32")).add(row("Reserved", arn, "0"));
  columns.write("cur.csv", text.csv());
  const SourceResult result = columns.load();
  EXPECT_EQ(result.inputs[0].rows_netted, 1);
  const std::string query = "SELECT " + shown("billed_cost") +
                            ", resource_id, capacity_reservation_status FROM bill_line";
  EXPECT_EQ(columns.sql(query), (Texts{"32|" + arn + "|Unused", "32|i-1|Used"}));
  ExportText old(columns_of(kUsualHour, {}), kUsualHour);
  old.add({});
  for (const std::string word : {"UnusedBox", "UnusedDed"}) {
    old.add(
        {{"lineItem/UsageType", "USE1-" + word + ":p4d.24xlarge"}, {"lineItem/ResourceId", arn}});
  }
  legacy.write("cur.csv", old.csv());
  legacy.load();
  EXPECT_EQ(legacy.sql(query),
            (Texts{"32.5|" + arn + "|Unused", "32.5|" + arn + "|Unused", "32.5|i-1|"}));
}

// Only a machine's own hours name its type.
TEST(AwsForms, TheUsageTypeNamesTheMachineWhereNoColumnDoes) {
  BillWorld world("aws-cur");
  ExportText text({"lineItem/LineItemType", "lineItem/UsageStartDate", "lineItem/UsageEndDate",
                   "bill/BillingPeriodStartDate", "lineItem/CurrencyCode", "lineItem/UnblendedCost",
                   "lineItem/ProductCode", "lineItem/UsageType"},
                  kUsualHour);
  const std::pair<std::string, std::string> usage[] = {
      {"AmazonSageMaker", "USE1-Cluster:ml.p4d.24xlarge"},
      {"AmazonSageMaker", "USE1-Train:ml.p5.48xlarge"},
      {"AmazonSageMaker", "USE1-SpotTrain:ml.g5.xlarge"},
      {"AmazonEC2", "SpotUsage:g5.xlarge"},
      {"AmazonEC2", "EBS:VolumeUsage.gp3"},
      {"AmazonEC2", "USE1-EBSOptimized:m1.large"},
      {"AmazonEC2", "USE1-DataTransfer-Out-Bytes"}};
  for (const auto& [product, type] : usage) {
    text.add({{"lineItem/ProductCode", product}, {"lineItem/UsageType", type}});
  }
  world.write("cur.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT sku_id, pricing_category, service_category, sku_price_details FROM "
                      "bill_line"),
            (Texts{"EBS:VolumeUsage.gp3|||",
                   "SpotUsage:g5.xlarge|Dynamic||{\"InstanceType\":\"g5.xlarge\"}",
                   "USE1-Cluster:ml.p4d.24xlarge||AI and Machine Learning|"
                   "{\"InstanceType\":\"ml.p4d.24xlarge\"}",
                   "USE1-DataTransfer-Out-Bytes|||", "USE1-EBSOptimized:m1.large|||",
                   "USE1-SpotTrain:ml.g5.xlarge|Dynamic|AI and Machine Learning|"
                   "{\"InstanceType\":\"ml.g5.xlarge\"}",
                   "USE1-Train:ml.p5.48xlarge||AI and Machine Learning|"
                   "{\"InstanceType\":\"ml.p5.48xlarge\"}"}));
}

// What is paid before for a block or a training plan is a purchase without hours; the machine's row
// costs nothing and counts them.
TEST(AwsForms, CapacityBlocksAndTrainingPlansArePaidBeforeAndCountedOnce) {
  BillWorld world("aws-cur2");
  const std::string block = "arn:aws:ec2:us-east-1:1:capacity-reservation/cr-block";
  ExportText text(columns_of(kUsualHour, {"capacity_reservation_capacity_reservation_arn",
                                          "capacity_reservation_capacity_reservation_status"}),
                  kUsualHour);
  text.add({{"lineItem/LineItemType", "Fee"},
            {"lineItem/UnblendedCost", "750"},
            {"lineItem/UsageAmount", "24"},
            {"lineItem/ResourceId", block}});
  text.add({{"lineItem/UnblendedCost", "0"},
            {"capacity_reservation_capacity_reservation_arn", block},
            {"capacity_reservation_capacity_reservation_status", "Used"}});
  text.add({{"lineItem/LineItemType", "Fee"},
            {"lineItem/ProductCode", "AmazonSageMaker"},
            {"lineItem/UnblendedCost", "300"},
            {"lineItem/ResourceId", "arn:aws:sagemaker:us-east-1:1:training-plan/t"}});
  world.write("cur.csv", text.csv());
  world.load();
  EXPECT_EQ(
      world.sql("SELECT charge_category, " + shown("billed_cost") + ", " + shown("effective_cost") +
                ", " + shown("consumed_quantity") + ", capacity_reservation_status FROM bill_line"),
      (Texts{"Purchase|300|300||", "Purchase|750|750||", "Usage|0|0|1|Used"}));
}

}  // namespace
}  // namespace tare::sources
