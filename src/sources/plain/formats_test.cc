// What each format makes of a row with all its columns, of one with none but the needed ones, and
// of rows that can't be used. Instants: 2026-08-01T00:00:00Z is 1785542400 s.
#include <gtest/gtest.h>

#include "sources/plain/test_load.h"

namespace tare::sources {
namespace {

TEST(PlainRuns, ReadsAllColumns) {
  TestSource source("runs", "runs");
  source.file(
      "runs.csv",
      "run_id,model,stage,state,start,end,attempt,parent_run_id,team,name,experiment,"
      "last_checkpoint,exit_reason,rows_in,cost_center\n"
      "r1,fraud,training,Finished,2026-08-01T00:00:00Z,2026-08-01T01:00:00+01:00,2,p,risk,n,"
      "e,2026-08-01,oom,12.0,cc\n"
      "r2,,,running,2026-08-01,,,,,,,,,,\n");
  const SourceResult result = source.load();
  EXPECT_EQ(source.rows(),
            (Texts{"r1|2|p|fraud|training|risk|n|e|finished|oom|cc|1785542400000000000|"
                   "1785542400000000000|1785542400000000000|12|runs/runs",
                   "r2|0|||||||running|||1785542400000000000|-|-|-|runs/runs"}));
  EXPECT_TRUE(source.findings().empty());
  ASSERT_EQ(result.inputs.size(), 1U);
  EXPECT_EQ(result.inputs[0].file, "in/runs.csv");
  EXPECT_EQ(result.inputs[0].rows_in, 2);
  EXPECT_EQ(result.inputs[0].rows_used, 2);
  EXPECT_EQ(result.inputs[0].rows_quarantined, 0);
  ASSERT_EQ(result.files.size(), 1U);
  EXPECT_EQ(result.files[0].kind, "facts");
  EXPECT_EQ(result.files[0].table, "run");
  EXPECT_EQ(result.files[0].rows, 2);
}

TEST(PlainRuns, CountsWhatIsWrong) {
  TestSource source("runs", "runs");
  source.file("runs.csv",
              "run_id,model,stage,state,start,end,attempt\n"
              ",fraud,training,finished,2026-08-01,2026-08-02,0\n"
              "r2,fraud,training,finished,yesterday,2026-08-02,0\n"
              "r3,fraud,training,finished,2026-08-02,2026-08-01,0\n"
              "r4,fraud,training,COMPLETED,2026-08-01,soon,-1\n"
              "r5,fraud,training,finished,2026-08-01\n");
  const SourceResult result = source.load();
  EXPECT_EQ(source.query("SELECT run_id, attempt, state, end_ns FROM run"), Texts{"r4|0||-"});
  EXPECT_EQ(source.findings(),
            (Texts{"cell-unreadable end 1: in/runs.csv:5:40 soon",
                   "count-unreadable attempt 1: in/runs.csv:5:45 -1",
                   "ragged-row 1: in/runs.csv:6 r5,fraud,training,finished,2026-08-01",
                   "row-unreadable run_id 1: in/runs.csv:2:1 "
                   ",fraud,training,finished,2026-08-01,2026-08-02,0",
                   "row-unreadable start 1: in/runs.csv:3:28 yesterday",
                   "run-end-before-start end 1: in/runs.csv:4:39 2026-08-01",
                   "run-state-unknown state 1: in/runs.csv:5:19 COMPLETED"}));
  EXPECT_EQ(
      source.quarantine(),
      (Texts{"in/runs.csv:2:1|row-unreadable|,fraud,training,finished,2026-08-01,2026-08-02,0",
             "in/runs.csv:3:28|row-unreadable|r2,fraud,training,finished,yesterday,2026-08-02,0",
             "in/runs.csv:4:39|run-end-before-start|"
             "r3,fraud,training,finished,2026-08-02,2026-08-01,0",
             "in/runs.csv:6|ragged-row|r5,fraud,training,finished,2026-08-01"}));
  EXPECT_EQ(result.inputs[0].rows_in, 5);
  EXPECT_EQ(result.inputs[0].rows_used, 1);
  EXPECT_EQ(result.inputs[0].rows_quarantined, 4);
}

TEST(PlainHolds, ReadsAllColumns) {
  TestSource source("holds", "holds");
  source.file("holds.csv",
              "run_id,resource_id,start,end,attempt,device,device_count,weight,cpus\n"
              "r1,i-1,2026-08-01,2026-08-02,1,0,,1/7,\n"
              "r2,i-1,2026-08-01,,,,2,1.5,3.5\n");
  source.load();
  EXPECT_EQ(source.rows(),
            (Texts{"r1|1|i-1|0|-|1785542400000000000|1785628800000000000|1/7|-||holds/holds",
                   "r2|0|i-1|-|2|1785542400000000000|-|3/2|7/2||holds/holds"}));
  EXPECT_TRUE(source.findings().empty());  // a weight over 1 is the timeline's to judge
}

TEST(PlainHolds, CountsWhatIsWrong) {
  TestSource source("holds", "holds");
  source.file("holds.csv",
              "run_id,resource_id,start,end,weight,cpus,device_count\n"
              "r1,i-1,2026-08-02,2026-08-01,1,,\n"
              "r2,,2026-08-01,2026-08-02,1,,\n"
              "r3,i-1,2026-08-01,2026-08-02,half,lots,1.5\n"
              "r4,i-1,2026-08-01,2026-08-02,-1,,\n");
  source.load();
  EXPECT_EQ(source.query("SELECT run_id, weight, cpus, device_count FROM hold"),
            (Texts{"r3|-|-|-", "r4|-|-|-"}));
  EXPECT_EQ(source.findings(),
            (Texts{"cell-unreadable cpus 1: in/holds.csv:4:35 lots",
                   "count-unreadable device_count 1: in/holds.csv:4:40 1.5",
                   "hold-end-before-start end 1: in/holds.csv:2:19 2026-08-01",
                   "row-unreadable resource_id 1: in/holds.csv:3:4 r2,,2026-08-01,2026-08-02,1,,",
                   "weight-unreadable weight 2: in/holds.csv:4:30 half; in/holds.csv:5:30 -1"}));
}

TEST(PlainReplicas, AreHoldsOfAnEndpoint) {
  TestSource source("holds", "replicas");
  source.file("replicas.csv",
              "model,resource_id,start,end,endpoint,device,weight,count\n"
              "reco,i-1,2026-08-01,2026-08-02,,,,4\n"
              "reco,i-1,2026-08-01,,both,1,1/2,\n");
  source.load();
  EXPECT_EQ(source.rows(),
            (Texts{"endpoint/reco|0|i-1|-|4|1785542400000000000|1785628800000000000|-|-|reco|"
                   "holds/replicas",
                   "endpoint/both|0|i-1|1|-|1785542400000000000|-|1/2|-|reco|holds/replicas"}));
}

TEST(PlainResources, ReadsAllColumns) {
  TestSource source("resources", "resources");
  source.file("resources.csv",
              "resource_id,pool,team,devices,device_model,cpus,memory_bytes,from,to\n"
              "i-1,gpu,ml,8,A100,96,1099511627776,2026-08-01,2026-09-01\n"
              "i-2,,,,,,,,\n"
              "i-3,,,,,,,2026-08-02,2026-08-01\n");
  source.load();
  EXPECT_EQ(source.rows(), (Texts{"i-1|gpu|ml|A100|8|1099511627776|96|1785542400000000000|"
                                  "1788220800000000000|resources/resources",
                                  "i-2||||-|-|-|-|-|resources/resources"}));
  EXPECT_EQ(source.findings(), Texts{"row-unreadable to 1: in/resources.csv:4:22 2026-08-01"});
}

TEST(PlainAliases, ReadsAllColumns) {
  TestSource source("aliases", "aliases");
  source.file("aliases.csv",
              "alias,resource_id,device,from,to\n"
              "node-7,i-1,,2026-08-01,\n"
              "GPU-abc,i-1,0,,\n");
  source.load();
  EXPECT_EQ(source.rows(), (Texts{"node-7|i-1|-|1785542400000000000|-|aliases/aliases",
                                  "GPU-abc|i-1|0|-|-|aliases/aliases"}));
}

TEST(PlainDeviceUsage, RatiosArePartsPerBillion) {
  TestSource source("telemetry", "device-usage");
  source.file(
      "usage.csv",
      "resource_id,device,start,end,busy_ratio,sm_active_ratio,tensor_active_ratio,"
      "dram_active_ratio,memory_used_bytes,power_watts\n"
      "i-1,0,2026-08-01T00:00:00Z,2026-08-01T00:01:00Z,0.5,1,1e-9,0.1234567895,1024,310.25\n"
      "i-1,1,2026-08-01T00:00:00Z,2026-08-01T00:01:00Z,,,,,,\n");
  source.load();
  EXPECT_EQ(source.rows(),
            (Texts{"i-1|0|1785542400000000000|1785542460000000000|500000000|1000000000|1|123456790|"
                   "1024|310|250000000000000000|telemetry/device-usage",
                   "i-1|1|1785542400000000000|1785542460000000000|-|-|-|-|-|-|-|"
                   "telemetry/device-usage"}));
  EXPECT_TRUE(source.findings().empty());
}

TEST(PlainDeviceUsage, ImpossibleSignsAreUnknown) {
  TestSource source("telemetry", "device-usage");
  std::string text = "resource_id,device,start,end,busy_ratio,memory_used_bytes,power_watts\n";
  const std::string head = "i-1,0,2026-08-01,2026-08-02,";
  const std::vector<std::string> rows = {"1.01,,",
                                         "-0.1,,",
                                         "NaN,,",
                                         "97,,",
                                         ",2147483632,",
                                         ",,2147483635",
                                         ",-5,",
                                         ",9223372036854775794,",
                                         ",9223372036854776000,",
                                         ",,140737488355328.0",
                                         ",4294967295,",
                                         ",[N/A],",
                                         ",,inf"};
  for (const std::string& row : rows) text += head + row + "\n";
  // Just beside the sentinels values are possible.
  text += head + "1,2147483631,2147483636\n" + head + "0,4294967296,140737488355332\n";
  text += head + "half,lots,much\n";
  source.file("usage.csv", text);
  const SourceResult result = source.load();
  EXPECT_EQ(result.inputs[0].rows_used, 16);
  EXPECT_EQ(source.query("SELECT count(*), count(busy_ppb), count(memory_used_bytes), "
                         "count(power_watts_units) FROM device_usage"),
            Texts{"16|2|2|2"});
  EXPECT_EQ(
      source.query("SELECT code, subject, sum(rows) FROM finding GROUP BY ALL ORDER BY ALL"),
      (Texts{"count-unreadable|memory_used_bytes|1", "quantity-unreadable|busy_ratio|1",
             "quantity-unreadable|power_watts|1", "telemetry-impossible|busy_ratio|4",
             "telemetry-impossible|memory_used_bytes|6", "telemetry-impossible|power_watts|3"}));
}

TEST(PlainDeviceUsage, AnIntervalHasALength) {
  TestSource source("telemetry", "device-usage");
  source.file("usage.csv",
              "resource_id,device,start,end,busy_ratio\n"
              "i-1,0,2026-08-01,2026-08-01,1\n"
              "i-1,,2026-08-01,2026-08-02,1\n");
  source.load();
  EXPECT_TRUE(source.rows().empty());
  EXPECT_EQ(source.findings(),
            (Texts{"row-unreadable device 1: in/usage.csv:3:5 i-1,,2026-08-01,2026-08-02,1",
                   "row-unreadable end 1: in/usage.csv:2:18 2026-08-01"}));
}

TEST(PlainOutcomes, ReadsAllColumns) {
  TestSource source("outcomes", "outcomes");
  source.file("outcomes.csv",
              "model,outcome,day,count,count_low,count_high,labelled_until\n"
              "fraud,cases_caught,2026-08-01,12,,,2026-08-20\n"
              "reco,clicks,2026-08-01T13:00:00Z,-1.5,-3,0.25,\n"
              "reco,clicks,2026-08-02,5,6,4,\n"
              "reco,clicks,2026-08-03,many,,,\n"
              "reco,clicks,2026-08-04,0.1234567890123456789,,,\n");
  source.load();
  EXPECT_EQ(source.query("SELECT model, outcome, day_ns, count_units, count_atto, count_low_units, "
                         "count_high_atto, labelled_until_ns FROM outcome"),
            (Texts{"fraud|cases_caught|1785542400000000000|12|0|-|-|1787184000000000000",
                   "reco|clicks|1785542400000000000|-2|500000000000000000|-3|250000000000000000|-",
                   "reco|clicks|1785628800000000000|5|0|-|-|-",
                   "reco|clicks|1785801600000000000|0|123456789012345679|-|-|-"}));
  EXPECT_EQ(source.findings(),
            (Texts{"decimal-rounded count 1: in/outcomes.csv:6:24 0.1234567890123456789",
                   "quantity-unreadable count_high 1: in/outcomes.csv:4:28 4",
                   "quantity-unreadable count_low 1: in/outcomes.csv:4:26 6",
                   "row-unreadable count 1: in/outcomes.csv:5:24 many"}));
}

// Nothing is lost: the row counts as delivered. An estimate may lie below zero.
TEST(PlainOutcomes, ANegativeCountIsAFinding) {
  TestSource source("outcomes", "outcomes");
  source.file("outcomes.csv",
              "model,outcome,day,count,count_low,count_high\n"
              "fraud,cases_caught,2026-08-01,-3,,\n"
              "fraud,cases_caught,2026-08-02,-0.5,-2,1\n"
              "fraud,cases_caught,2026-08-03,0,,\n");
  const SourceResult result = source.load();
  EXPECT_EQ(result.inputs[0].rows_used, 3);
  EXPECT_EQ(source.query("SELECT sum(count_units)::BIGINT, sum(count_atto)::BIGINT FROM outcome"),
            Texts{"-4|500000000000000000"});
  EXPECT_EQ(source.findings(), Texts{"outcome-negative count 1: in/outcomes.csv:2:31 -3"});
}

TEST(PlainRequests, TakeTheirModelFromTheSource) {
  TestSource source("requests", "requests", "model: reco");
  source.file("requests.csv",
              "arrival,service_ms,queue_ms,key,size,tokens_in,tokens_out,status,replica\n"
              "2026-08-01T00:00:00.5Z,12.5,0,k,3,100,200,ok,a\n"
              "2026-08-01,-1,,,x,,,NULL,\n");
  source.load();
  EXPECT_EQ(source.rows(),
            (Texts{"reco|1785542400500000000|12|500000000000000000|0|0|k|ok|a|3|100|200|"
                   "requests/requests",
                   "reco|1785542400000000000|-|-|-|-|-|-|-|-|-|-|requests/requests"}));
  EXPECT_EQ(source.findings(),
            (Texts{"count-unreadable size 1: in/requests.csv:3:17 x",
                   "quantity-unreadable service_ms 1: in/requests.csv:3:12 -1"}));
}

TEST(PlainInvoices, ReadsAllColumns) {
  TestSource source("invoices", "invoices");
  source.file("invoices.csv",
              "invoice_id,total,currency,issuer,billing_period\n"
              "inv-1,1204388.12,USD,AWS,2026-08\n"
              "inv-2,-3,USX,,2026-08-15\n"
              "inv-3,$3,USD,,\n"
              "inv-4,3,USD,,August\n");
  source.load();
  EXPECT_EQ(source.rows(),
            (Texts{"inv-1|USD|AWS|1204388|120000000000000000|1785542400000000000|invoices/invoices",
                   "inv-2|USX||-3|0|1785542400000000000|invoices/invoices",
                   "inv-4|USD||3|0|-|invoices/invoices"}));
  EXPECT_EQ(source.findings(),
            (Texts{"cell-unreadable billing_period 1: in/invoices.csv:5:14 August",
                   "row-unreadable total 1: in/invoices.csv:4:7 $3",
                   "unknown-currency currency 1: in/invoices.csv:3:10 USX"}));
}

TEST(PlainRates, ReadsAllColumnsAndLeavesOutWhatIsNoRate) {
  TestSource source("rates", "rates");
  source.file("rates.csv",
              "from_currency,to_currency,day,rate\n"
              "EUR,USD,2026-08-01,1.0825\n"
              "eur,usd,2026-08-02T13:00:00Z,1e-3\n"
              "XXQ,USD,2026-08-01,2\n"
              "EUR,USD,2026-08-01,0\n"
              "EUR,USD,2026-08-01,-1\n"
              "EUR,EUR,2026-08-01,1\n"
              "EUR,USD,yesterday,1\n"
              "EUR,USD,2026-08-01,\n"
              ",USD,2026-08-01,1\n");
  const SourceResult result = source.load();
  EXPECT_EQ(source.rows(), (Texts{"EUR|USD|1785542400000000000|1|82500000000000000|rates/rates",
                                  "EUR|USD|1785628800000000000|0|1000000000000000|rates/rates",
                                  "XXQ|USD|1785542400000000000|2|0|rates/rates"}));
  EXPECT_EQ(source.findings(),
            (Texts{"rate-unusable rate 2: in/rates.csv:5:20 0; in/rates.csv:6:20 -1",
                   "rate-unusable to_currency 1: in/rates.csv:7:5 EUR",
                   "row-unreadable day 1: in/rates.csv:8:9 yesterday",
                   "row-unreadable from_currency 1: in/rates.csv:10:1 ,USD,2026-08-01,1",
                   "row-unreadable rate 1: in/rates.csv:9:20 EUR,USD,2026-08-01,",
                   "unknown-currency from_currency 1: in/rates.csv:4:1 XXQ"}));
  EXPECT_EQ(result.inputs[0].rows_quarantined, 6);
}

TEST(PlainRateCards, ReadsAllColumns) {
  TestSource source("rate_cards", "rate-card", "currency: EUR");
  source.file("cards.csv",
              "resource_id,from,to,currency_per_hour,capex,life_years,power_watts,"
              "currency_per_kwh,pue,staff_per_year,pool,team\n"
              "a*,2026-08-01,2026-08-02,2.5,,,,,,,gpu,ml\n"
              "b,2026-08-01,,,100,4,500,0.25,1.5,10,,\n");
  source.load();
  EXPECT_EQ(source.rows(),
            (Texts{"a*|gpu|ml|EUR|1785542400000000000|1785628800000000000|2|500000000000000000|-|-|"
                   "-|-|-|-|-|-|-|-|-|-|rate_cards/rate-card",
                   "b|||EUR|1785542400000000000|-|-|-|100|0|4|0|500|0|0|250000000000000000|1|"
                   "500000000000000000|10|0|rate_cards/rate-card"}));
  EXPECT_TRUE(source.findings().empty());
}

TEST(PlainRateCards, LeavesOutWhatIsNoPrice) {
  TestSource source("rate_cards", "rate-card");
  source.file("cards.csv",
              "resource_id,from,to,currency_per_hour,capex,life_years\n"
              "a,2026-08-01,,-1,,\n"
              "b,2026-08-01,,,,\n"
              "c,2026-08-01,,1,100,4\n"
              "d,2026-08-01,,,100,\n"
              "e,2026-08-01,,,100,0\n"
              "f,2026-08-01,,$1,,\n"
              "g,,,1,,\n"
              "h,2026-08-01,soon,1,,\n"
              "i,2026-08-01,,0,,\n");
  const SourceResult result = source.load();
  EXPECT_EQ(source.query("SELECT resource_id FROM rate_card"), Texts{"i"});
  EXPECT_EQ(source.query("SELECT code, sum(rows) FROM finding GROUP BY ALL ORDER BY ALL"),
            (Texts{"rate-card-unusable|6", "rate-card-zero|1", "row-unreadable|2"}));
  EXPECT_EQ(result.inputs[0].rows_quarantined, 8);
}

TEST(PlainRetrainData, ReadsAllColumns) {
  TestSource source("runs", "retrain-data");
  source.file("data.csv",
              "model,day,rows_changed,rows_total\n"
              "reco,2026-08-01,1000,50000\n"
              "reco,2026-08-02,,\n");
  source.load();
  EXPECT_EQ(source.rows(), Texts{"reco|1785542400000000000|1000|50000|runs/retrain-data"});
  EXPECT_EQ(source.findings(),
            Texts{"row-unreadable rows_changed 1: in/data.csv:3:17 reco,2026-08-02,,"});
}

// Every format's table of columns ends in the store's table, and needs at least one cell.
TEST(PlainFormats, AreWhole) {
  for (const PlainFormat* format : plain_formats()) {
    EXPECT_EQ(find_plain_format(format->name), format);
    EXPECT_EQ(format->table_columns().back().name, "source") << format->name;
    bool needs_cell = false;
    for (const PlainColumn& column : format->columns) {
      EXPECT_FALSE(column.doc.empty()) << format->name << " " << column.name;
      needs_cell = needs_cell || column.need == Need::kCell;
    }
    EXPECT_TRUE(needs_cell) << format->name;
  }
}

}  // namespace
}  // namespace tare::sources
