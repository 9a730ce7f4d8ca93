// Detailed usage cost exports made from the documented schema (no public file has a GPU row), their
// answers worked out from R12, the model's rule of credits, and what BigQuery's exports look like.
#include <algorithm>

#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"
#include "sources/bill/native/export_text.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

// A line of JSON; `more` stands before its end.
std::string json_line(const std::string& cost, const std::string& more = "") {
  return R"({"billing_account_id":"01AB-2","invoice":{"month":"202608"},"cost_type":"regular",)"
         R"("service":{"id":"6F81-5844-456A","description":"Compute Engine"},)"
         R"("sku":{"id":"GPU1","description":"Nvidia Tesla A100 GPU running in Americas"},)"
         R"("usage_start_time":"2026-08-03 10:00:00 UTC","usage_end_time":"2026-08-03 11:00:00 UTC",)"
         R"("project":{"id":"p-1","number":"0042","name":"train","labels":[],"ancestors":[]},)"
         R"("location":{"location":"us-central1","region":"us-central1","zone":"us-central1-a"},)"
         R"("currency":"USD","currency_conversion_rate":1.0,)"
         R"("usage":{"amount":3600.0,"unit":"seconds","amount_in_pricing_units":1.0,"pricing_unit":"hour"},)"
         R"("cost":)" +
         cost + more + "}\n";
}

const std::string kResource =
    R"(,"resource":{"name":"vm-1","global_name":"//compute.googleapis.com/projects/1/zones/z/instances/77"})";

Texts gcp_costs(const BillWorld& world) {
  return world.sql("SELECT charge_category, " + shown_costs() + " FROM bill_line");
}

TEST(Gcp, JsonLinesNetTheirUsageCreditsAndSplitOffTheOthers) {
  BillWorld world("gcp-detailed");
  world.write(
      "a.json",
      json_line(
          "10",
          R"(,"cost_at_list":12.5,"credits":[)"
          R"({"name":"CUD","amount":-1.25,"full_name":"","id":"","type":"COMMITTED_USAGE_DISCOUNT"},)"
          R"({"name":"SUD","amount":-0.5,"type":"SUSTAINED_USAGE_DISCOUNT"},)"
          R"({"name":"free","amount":-3,"full_name":"Free trial","type":"PROMOTION"},)"
          R"({"name":"zero","amount":0,"type":"FREE_TIER"}])" +
              kResource));
  const SourceResult result = world.load();
  EXPECT_EQ(gcp_costs(world), (Texts{"Credit|-3|-3|-3|-3", "Usage|8.25|8.25|12.5|10"}));
  EXPECT_EQ(world.sql("SELECT resource_id, sub_account_id, region_id, billing_account_id, "
                      "service_name, sku_id, " +
                      shown("consumed_quantity") + ", consumed_unit, " + shown("pricing_quantity") +
                      ", pricing_unit, charge_period_start, billing_period_start FROM bill_line "
                      "WHERE charge_category = 'Usage'"),
            Texts{"//compute.googleapis.com/projects/1/zones/z/instances/77|p-1|us-central1|01AB-2|"
                  "Compute Engine|GPU1|3600|GPU-Seconds|1|hour|2026-08-03 10:00:00|"
                  "2026-08-01 00:00:00"});
  EXPECT_EQ(result.inputs[0].rows_used, 1);
  EXPECT_EQ(result.inputs[0].lines_out, 2);
  EXPECT_EQ(result.inputs[0].sums_in.at("billed_cost USD"), "5.25");
}

TEST(Gcp, NumbersAreReadAsTheyAreWritten) {
  BillWorld world("gcp-detailed");
  world.write("a.json", json_line("5e-06", R"(,"credits":[{"type":"DISCOUNT","amount":-1e-6}])") +
                            json_line("0.1000000000000000055511151231257827") +
                            json_line("12345678901.123456789012345678"));
  world.load();
  EXPECT_EQ(world.sql("SELECT " + shown("billed_cost") + " FROM bill_line"),
            (Texts{"0.000004", "0.100000000000000006", "12345678901.123456789012345678"}));
}

TEST(Gcp, ABadLineIsQuarantinedAtItsLineAndCostsNoOther) {
  BillWorld world("gcp-detailed");
  const std::string bad = "{\"cost\": 1, \"currency\": \"USD\xff\"";
  world.write("a.json", json_line("1") + bad + "\n\n" + json_line("2") + "[1]\n" +
                            json_line("\"x\"") + json_line("null"));
  const SourceResult result = world.load();
  EXPECT_EQ(result.inputs[0].rows_in, 6);
  EXPECT_EQ(result.inputs[0].rows_used, 2);
  EXPECT_EQ(result.inputs[0].rows_quarantined, 4);
  EXPECT_EQ(world.sql("SELECT place, code, text FROM store_quarantine WHERE code = 'ragged-row'"),
            (Texts{"bill/a.json:2:1|ragged-row|{\"cost\": 1, \"currency\": \"USD?\"",
                   "bill/a.json:5:1|ragged-row|[1]"}));
  EXPECT_EQ(world.sql("SELECT place, code FROM store_quarantine WHERE code <> 'ragged-row'"),
            (Texts{"bill/a.json:6:1|cost-not-decimal", "bill/a.json:7:1|cost-missing"}));
  EXPECT_EQ(world.sql("SELECT " + shown("sum(billed_cost)") + " FROM bill_line"), Texts{"3"});
}

TEST(Gcp, LinesWithoutAColumnThatIsNeededAreNoExport) {
  BillWorld world("gcp-detailed", "bill/a.json");
  world.write("a.json", "{\"cost\":1,\"usage_start_time\":\"2026-08-01\",\"currency\":\"USD\"}\n");
  EXPECT_EQ(world.refusal(), "missing-column a.json:1:1");
  world.write(
      "a.json",
      "{\"cost\":1,\"usage_start_time\":\"2026-08-01\",\"usage_end_time\":\"2026-08-02\"}\n");
  EXPECT_EQ(world.refusal(), "missing-column a.json:1:1");
  world.source().currency = "EUR";
  world.load();
  EXPECT_EQ(world.sql("SELECT billing_currency FROM bill_line"), Texts{"EUR"});
}

// What a data frame writes: Python's quotes, None, and nan where there is nothing.
const std::vector<std::string> kGcpCsvColumns = {"billing_account_id",
                                                 "invoice.month",
                                                 "cost_type",
                                                 "service.description",
                                                 "sku.id",
                                                 "sku.description",
                                                 "usage_start_time",
                                                 "usage_end_time",
                                                 "project.id",
                                                 "location.region",
                                                 "resource.name",
                                                 "resource.global_name",
                                                 "cost",
                                                 "currency",
                                                 "usage.amount",
                                                 "usage.unit",
                                                 "credits",
                                                 "labels",
                                                 "system_labels",
                                                 "tags"};
const ExportRow kUsualGcpRow = {{"billing_account_id", "01AB-2"},
                                {"invoice.month", "202608"},
                                {"cost_type", "regular"},
                                {"service.description", "Compute Engine"},
                                {"sku.id", "GPU1"},
                                {"sku.description", "Nvidia Tesla A100 GPU running in Americas"},
                                {"usage_start_time", "2026-08-03 10:00:00+00:00"},
                                {"usage_end_time", "2026-08-03 11:00:00+00:00"},
                                {"project.id", "p-1"},
                                {"location.region", "us-central1"},
                                {"resource.name", "vm-1"},
                                {"cost", "10"},
                                {"currency", "USD"},
                                {"usage.amount", "3600"},
                                {"usage.unit", "seconds"},
                                {"credits", "[]"}};

TEST(Gcp, CsvHoldsPythonsListsAndJson) {
  BillWorld world("gcp-detailed");
  ExportText text(kGcpCsvColumns, kUsualGcpRow);
  text.add({{"credits",
             "[{'name': \"Bob's\", 'amount': -1.5, 'full_name': None, 'id': '', 'type': "
             "'DISCOUNT'}]"}});
  text.add({{"credits", "[{\"type\":\"RESELLER_MARGIN\",\"amount\":\"-2\",\"name\":\"m\"}]"},
            {"cost", "20"}});
  text.add({{"credits", "nan"}, {"cost", "30"}, {"labels", "{'team': 'a', 'empty': ''}"}});
  text.add({{"cost", "40"},
            {"labels", "[{'key': 'team', 'value': 'b'}]"},
            {"tags", "[{'key': 'team', 'value': 'no'}, {'key': 'cost', 'value': '1'}]"}});
  world.write("a.csv", text.csv());
  world.load();
  EXPECT_EQ(
      world.sql("SELECT charge_category, " + shown("billed_cost") +
                ", resource_id, tags "
                "FROM bill_line"),
      (Texts{"Credit|-2|vm-1|", "Usage|20|vm-1|", "Usage|30|vm-1|{\"empty\":\"\",\"team\":\"a\"}",
             "Usage|40|vm-1|{\"cost\":\"1\",\"team\":\"b\"}", "Usage|8.5|vm-1|"}));
}

TEST(Gcp, CreditsThatCannotBeReadAreMoneyAndQuarantineTheirRow) {
  for (const std::string bad :
       {"[{'type': 'DISCOUNT', 'amount': 'much'}]", "[{'type': 'DISCOUNT'}]",
        "array([{'amount': 1}])", "-1.5",
        "[{'type': 'DISCOUNT', 'amount': 9e18}, {'type': 'DISCOUNT', 'amount': 9e18}]"}) {
    BillWorld world("gcp-detailed");
    ExportText text(kGcpCsvColumns, kUsualGcpRow);
    text.add({}).add({{"credits", bad}});
    world.write("a.csv", text.csv());
    const SourceResult result = world.load();
    EXPECT_EQ(result.inputs[0].rows_used, 1) << bad;
    EXPECT_EQ(world.sql("SELECT code, " + shown("cost") +
                        ", regexp_extract(place, ':3:(\\d+)', 1)"
                        " FROM store_quarantine"),
              Texts{"cost-not-decimal||" + std::string("179")})
        << bad;
    EXPECT_EQ(world.sql("SELECT text FROM store_quarantine").at(0).find("01AB-2,202608,regular,"),
              0U);
    EXPECT_EQ(gcp_costs(world), Texts{"Usage|10|10||10"}) << bad;
  }
}

TEST(Gcp, TheInvoicesMonthAndTheTypeOfCostDecideAndNotTheTimeOfUse) {
  BillWorld world("gcp-detailed");
  ExportText text(kGcpCsvColumns, kUsualGcpRow);
  text.add({{"cost", "1"},
            {"usage_start_time", "2026-07-31 23:00:00 UTC"},
            {"usage_end_time", "2026-08-01 00:00:00 UTC"}});
  text.add({{"cost", "2"}, {"invoice.month", "202609"}});
  text.add({{"cost", "3"}, {"cost_type", "tax"}});
  text.add({{"cost", "-4"}, {"cost_type", "adjustment"}, {"invoice.month", "202609"}});
  text.add({{"cost", "0.01"}, {"cost_type", "rounding_error"}});
  text.add({{"cost", "6"}, {"cost_type", "novelty"}});
  text.add({{"cost", "7"}, {"invoice.month", ""}});
  world.write("a.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT " + shown("billed_cost") +
                      ", charge_category, strftime(billing_period_start, '%Y-%m'), "
                      "strftime(charge_period_start, '%m-%dT%H') FROM bill_line"),
            (Texts{"-4|Adjustment|2026-09|08-03T10", "0.01|Adjustment|2026-08|08-03T10",
                   "1|Usage|2026-08|07-31T23", "2|Usage|2026-09|08-03T10", "3|Tax|2026-08|08-03T10",
                   "6|Adjustment|2026-08|08-03T10", "7|Usage|2026-08|08-03T10"}));
  EXPECT_EQ(world.sql("SELECT code, sum(rows) FROM finding WHERE code IN ('billing-period-missing',"
                      "'charge-category-unknown') GROUP BY ALL"),
            (Texts{"billing-period-missing|1", "charge-category-unknown|1"}));
}

// R12: GPU seconds are device-time; cores, memory and licences are other charges.
TEST(Gcp, TheSkuSaysWhatSecondsAreCounted) {
  BillWorld world("gcp-detailed");
  ExportText text(kGcpCsvColumns, kUsualGcpRow);
  const std::tuple<std::string, std::string, std::string> skus[] = {
      {"Nvidia Tesla A100 GPU running in Americas", "seconds", "1"},
      {"Nvidia H100 80GB Gpu attached to Spot Preemptible VMs running in Iowa", "seconds", "2"},
      {"A2 Instance Core running in Americas", "seconds", "3"},
      {"A2 Instance Ram running in Americas", "byte-seconds", "4"},
      {"Licensing Fee for RedHat Enterprise Linux (GPU cost)", "seconds", "5"},
      {"Commitment v1: Nvidia Tesla A100 GPU in Iowa for 1 Year", "seconds", "6"},
      {"Scored requests", "seconds", "7"}};
  for (const auto& [sku, unit, cost] : skus) {
    text.add({{"sku.description", sku}, {"usage.unit", unit}, {"cost", cost}});
  }
  world.write("a.csv", text.csv());
  world.load();
  EXPECT_EQ(world.sql("SELECT " + shown("billed_cost") +
                      ", charge_category, consumed_unit, pricing_category FROM bill_line"),
            (Texts{"1|Usage|GPU-Seconds|Standard", "2|Usage|GPU-Seconds|Dynamic",
                   "3|Usage|vCPU-Seconds|Standard", "4|Usage|byte-seconds|Standard",
                   "5|Usage|licence-seconds|Standard", "6|Purchase||Committed",
                   "7|Usage|seconds|Standard"}));
}

TEST(Gcp, LabelsOfClustersAndMachinesStand) {
  BillWorld world("gcp-detailed");
  world.write("a.json",
              json_line("1", R"(,"labels":[{"key":"k8s-namespace","value":"train"},)"
                             R"({"key":"goog-k8s-cluster-name","value":"c-1"}],)"
                             R"("system_labels":[{"key":"compute.googleapis.com/machine_spec",)"
                             R"("value":"a2-highgpu-1g"},{"key":"compute.googleapis.com/cores",)"
                             R"("value":"12"}],"tags":[])"));
  world.load();
  EXPECT_EQ(world.sql("SELECT tags, sku_price_details FROM bill_line"),
            Texts{"{\"goog-k8s-cluster-name\":\"c-1\",\"k8s-namespace\":\"train\"}|"
                  "{\"InstanceType\":\"a2-highgpu-1g\",\"CoreCount\":12}"});
}

// One bill as JSON lines, packed, in two files and as Parquet with structs.
TEST(Gcp, JsonPackedParquetAndSplitFilesAreTheSameLines) {
  const std::string first =
      json_line("10.5", R"(,"labels":[{"key":"b","value":"2"},{"key":"a","value":"1"}],)"
                        R"("credits":[{"name":"c","amount":-0.25,"full_name":"","id":"i",)"
                        R"("type":"DISCOUNT"},{"name":"p","amount":-1e-7,"full_name":"","id":"j",)"
                        R"("type":"PROMOTION"}])" +
                            kResource);
  std::string second = json_line("5e-06", R"(,"labels":[],"credits":[])" + kResource);
  second.replace(second.find("GPU1"), 4, "RAM1");
  BillWorld plain("gcp-detailed"), packed("gcp-detailed"), split("gcp-detailed"),
      parquet("gcp-detailed");
  plain.write("a.json", first + second);
  packed.write("a.json.gz", gzip(first + second));
  split.write("a.jsonl", second).write("b.ndjson", first);
  parquet.write("x", "").remove("x");
  store::Database database({.threads = 1});
  database.connect().query(
      "COPY (SELECT * FROM read_json('" + plain.project().directory +
      "/bill/a.json', format='newline_delimited', columns={"
      "billing_account_id: 'VARCHAR', invoice: 'STRUCT(month VARCHAR)', "
      "cost_type: 'VARCHAR', service: 'STRUCT(id VARCHAR, description "
      "VARCHAR)', sku: 'STRUCT(id VARCHAR, description VARCHAR)', "
      "usage_start_time: 'TIMESTAMPTZ', usage_end_time: 'TIMESTAMPTZ', "
      "project: 'STRUCT(id VARCHAR, name VARCHAR)', "
      "labels: 'STRUCT(\"key\" VARCHAR, \"value\" VARCHAR)[]', "
      "location: 'STRUCT(location VARCHAR, region VARCHAR, zone VARCHAR)', "
      "resource: 'STRUCT(\"name\" VARCHAR, global_name VARCHAR)', "
      "cost: 'DOUBLE', currency: 'VARCHAR', usage: 'STRUCT(amount DOUBLE, "
      "unit VARCHAR, amount_in_pricing_units DOUBLE, pricing_unit VARCHAR)', "
      "credits: 'STRUCT(\"name\" VARCHAR, amount DOUBLE, full_name VARCHAR, id "
      "VARCHAR, \"type\" VARCHAR)[]'})) TO '" +
      parquet.project().directory + "/bill/a.parquet'");
  for (BillWorld* world : {&plain, &packed, &split, &parquet}) world->load();
  EXPECT_EQ(gcp_costs(plain),
            (Texts{"Credit|-0.0000001|-0.0000001|-0.0000001|-0.0000001",
                   "Usage|0.000005|0.000005||0.000005", "Usage|10.25|10.25||10.5"}));
  EXPECT_EQ(plain.lines(), packed.lines());
  EXPECT_EQ(plain.lines(), split.lines());
  EXPECT_EQ(plain.lines(), parquet.lines());
}

TEST(Gcp, NoOrderOfRowsAndNoSplitIntoFilesChangesALine) {
  ExportText text(kGcpCsvColumns, kUsualGcpRow);
  for (int i = 0; i < 8; ++i) {
    const std::string hour = (i < 4 ? "0" : "1") + std::to_string(i);
    text.add({{"cost", std::to_string(i % 3)},
              {"usage_start_time", "2026-08-03 " + hour + ":00:00 UTC"},
              {"usage_end_time", "2026-08-03 " + hour + ":30:00 UTC"},
              {"credits", i % 2 == 0 ? "[{'type':'PROMOTION','amount':-1}]" : ""}});
  }
  BillWorld whole("gcp-detailed"), parts("gcp-detailed");
  whole.write("a.csv", text.csv());
  whole.load();
  std::reverse(text.rows().begin(), text.rows().end());
  parts.write("a.csv", text.header() + text.body(0, 3));
  parts.write("b.csv", text.header() + text.body(3, 8));
  parts.load();
  EXPECT_EQ(whole.lines(), parts.lines());
  EXPECT_EQ(whole.lines().size(), 12U);
}

}  // namespace
}  // namespace tare::sources
