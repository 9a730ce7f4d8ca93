#include "sources/init.h"

#include <gtest/gtest.h>

#include "sources/discover.h"
#include "sources/formats.h"
#include "sources/plain/plain.h"
#include "sources/policy/test_project.h"

namespace tare::sources {
namespace {

constexpr const char* kSeenFocusHeader =
    "BilledCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,ServiceName\n";

Verdict recognise(const std::vector<std::string>& header, const std::string& name = "x.csv") {
  return recognise_header(header, name);
}

TEST(InitRecognise, EveryPlainFormatByItsColumns) {
  for (const PlainFormat* format : plain_formats()) {
    std::vector<std::string> needed, all;
    for (const PlainColumn& column : format->columns) {
      all.emplace_back(column.name);
      if (column.need != Need::kOptional) needed.emplace_back(column.name);
    }
    if (format->name == "rate-card") needed.emplace_back("currency_per_hour");  // or its parts
    for (const std::vector<std::string>& header : {needed, all}) {
      const Verdict verdict = recognise(header);
      EXPECT_EQ(verdict.certainty, Certainty::kSure) << format->name;
      EXPECT_EQ(verdict.format, format->name) << verdict.why;
    }
  }
}

TEST(InitRecognise, BillsByTheirColumns) {
  EXPECT_EQ(
      recognise({"BilledCost", "BillingCurrency", "ChargePeriodStart", "ChargePeriodEnd"}).format,
      "focus");
  EXPECT_EQ(recognise({"start", "end", "cost", "resource_id"}).format, "bill");
  EXPECT_EQ(recognise({"start", "end", "hours", "rate", "resource_id"}).format, "bill");
  EXPECT_NE(recognise({"start", "end", "hours", "resource_id"}).certainty, Certainty::kSure);
}

TEST(InitRecognise, ProvidersExports) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"aws-cur", {"identity/LineItemId", "lineItem/UnblendedCost"}},
      {"aws-cur", {"line_item_unblended_cost", "resource_tags_user_team"}},
      {"aws-cur2", {"line_item_unblended_cost", "resource_tags"}},
      {"oci", {"lineItem/referenceNo", "cost/myCost"}},
      {"gcp-detailed", {"cost", "usage_start_time", "usage_end_time", "invoice.month"}},
      {"azure-actual", {"SubscriptionGuid", "MeterId", "PreTaxCost"}},
      {"azure-actual", {"ID der Verbrauchseinheit (MeterId)", "PreTaxCost (PreTaxCost)"}},
  };
  for (const auto& [format, header] : cases) {
    const Verdict verdict = recognise(header);
    EXPECT_EQ(verdict.certainty, Certainty::kSure) << format;
    EXPECT_EQ(verdict.format, format);
    EXPECT_NE(find_format(format), nullptr) << format;
  }
  EXPECT_EQ(recognise({"MeterId", "Cost"}, "EA_AmortizedCost.csv").format, "azure-amortized");
}

TEST(InitRecognise, FormatsThatAreNotReadYet) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"nvidia-smi", {"timestamp", "utilization.gpu [%]"}},
      {"slurm-sacct", {"JobID", "AllocTRES", "Start"}},
  };
  for (const auto& [format, header] : cases) {
    const Verdict verdict = recognise(header);
    EXPECT_EQ(verdict.certainty, Certainty::kLater) << format;
    EXPECT_EQ(verdict.format, format);
    EXPECT_NE(find_later_format(format), nullptr) << format;
  }
}

TEST(InitRecognise, RatesByTheirColumns) {
  const Verdict rates = recognise({"from_currency", "to_currency", "day", "rate"});
  EXPECT_EQ(rates.certainty, Certainty::kSure);
  EXPECT_EQ(rates.format, "rates");
  EXPECT_EQ(recognise({"from_currency", "to_currency", "day"}).certainty, Certainty::kNear);
}

TEST(InitRecognise, ARateCardHasAPrice) {
  const Verdict card = recognise({"resource_id", "currency_per_hour", "from", "to"});
  EXPECT_EQ(card.certainty, Certainty::kSure);
  EXPECT_EQ(card.format, "rate-card");
  EXPECT_EQ(recognise({"resource_id", "capex", "life_years", "from", "to", "pool"}).format,
            "rate-card");
  // An inventory says since when, and names pools, too.
  EXPECT_EQ(recognise({"resource_id", "pool", "team", "from", "to"}).format, "resources");
}

TEST(InitRecognise, SaysWhatIsMissing) {
  const Verdict runs = recognise({"run_id", "model", "stage", "state", "begin", "end"});
  EXPECT_EQ(runs.certainty, Certainty::kNear);
  EXPECT_EQ(runs.format, "runs");
  EXPECT_EQ(runs.why, "like runs, but without 'start'");
  EXPECT_EQ(runs.entry, "columns: {start: <its name in the file>}");
  const Verdict requests = recognise({"arrival", "service_ms", "tokens_in"});
  EXPECT_EQ(requests.format, "requests");
  EXPECT_EQ(requests.entry, "model: <name>");
  const Verdict focus = recognise({"BilledCost", "ChargePeriodStart", "ChargePeriodEnd"});
  EXPECT_EQ(focus.certainty, Certainty::kNear);
  EXPECT_EQ(focus.entry, "currency: <code>");
  EXPECT_EQ(recognise({"a", "b", "resource_id"}).why,
            "no format has these columns: 'a', 'b', 'resource_id'");
  EXPECT_EQ(recognise({"ContractCommitmentId", "ContractId"}).why,
            "FOCUS contract commitments, which are not charges");
}

// A folder as a company might export it.
void write_exports(const TestProject& folder) {
  folder.write("bill/focus/2026-07.csv", std::string(kSeenFocusHeader) +
                                             "1,EUR,2026-07-01T00:00:00Z,2026-07-02T00:00:00Z,a\n"
                                             "1,USD,2026-07-01T00:00:00Z,2026-07-02T00:00:00Z,a\n");
  folder.write("bill/focus/2026-08.csv", std::string(kSeenFocusHeader) +
                                             "1,EUR,2026-08-01T00:00:00Z,2026-08-02T00:00:00Z,a\n");
  folder.write("runs.csv", "run_id,model,stage,state,start,end\n");
  folder.write("serving/replicas.csv", "model,resource_id,start,end,count\n");
  folder.write("serving/reco requests.csv", "model,arrival,service_ms\n");
  folder.write("outcomes.csv",
               "model,outcome,day,count\nfraud,predictions,2026-08-01,9\n"
               "fraud,cases_caught,2026-08-01,1\nreco,clicks,2026-08-01,1\n"
               "reco,baskets,2026-08-01,1\n");
  folder.write("old/gpu.csv", "timestamp,utilization.gpu [%]\n");
  folder.write("jobs.csv", "run_id,model,stage,state,begin,end\n");
  folder.write("notes.txt", "");
  folder.write("README.md", "read me\n");
  folder.write(".hidden/runs.csv", "run_id,model,stage,state,start,end\n");
  folder.write("node_modules/runs.csv", "run_id,model,stage,state,start,end\n");
  folder.write(".tare/catalog.json", "{}");
}

TEST(Init, WritesAProjectThatLoadsAsItIs) {
  const TestProject folder;
  write_exports(folder);
  const InitPlan plan = plan_init(folder.path());
  const Project project = folder.read(plan.yaml);
  EXPECT_EQ(project.name, std::filesystem::path(folder.path()).filename().string());
  EXPECT_EQ(project.currency, "EUR");  // two rows of three
  std::vector<std::string> sources;
  for (const Source& source : project.sources) sources.push_back(source.name + " " + source.path);
  EXPECT_EQ(sources,
            (std::vector<std::string>{
                "bill/focus bill/", "runs/runs runs.csv", "holds/replicas serving/replicas.csv",
                "outcomes/outcomes outcomes.csv", "requests/requests serving/reco requests.csv"}));
  for (const Source& source : project.sources) EXPECT_FALSE(find_files(project, source).empty());
  ASSERT_EQ(project.models.size(), 2U);
  EXPECT_EQ(project.models[0].outcome, "cases_caught");
  EXPECT_EQ(project.models[1].outcome, "baskets");
}

TEST(Init, SaysInCommentsWhatItLeftOut) {
  const TestProject folder;
  write_exports(folder);
  const std::string yaml = plan_init(folder.path()).yaml;
  const std::vector<std::string> parts = {
      "currency: EUR  # of most rows of bill/focus/2026-07.csv\n",
      "    - {format: focus, path: bill/}                  # has BilledCost, BillingCurrency "
      "and the charge period, 2 files\n",
      "    # - {format: nvidia-smi, path: old/gpu.csv}\n    #   has 'utilization.gpu [%]'; not "
      "read "
      "by this version\n",
      "    # - {format: runs, path: jobs.csv, columns: {start: <its name in the file>}}\n"
      "    #   like runs, but without 'start'\n",
      "#   README.md: not a .csv, .tsv, .txt, .gz or .parquet file\n",
      "  reco: {outcome: baskets}  # or clicks\n",
  };
  for (const std::string& part : parts)
    EXPECT_NE(yaml.find(part), std::string::npos) << part << yaml;
  EXPECT_EQ(yaml.find("hidden"), std::string::npos);
  EXPECT_EQ(yaml.find("node_modules"), std::string::npos);
  EXPECT_EQ(yaml.find("catalog.json"), std::string::npos);
}

TEST(Init, NamesEveryFile) {
  const TestProject folder;
  write_exports(folder);
  std::map<std::string, std::string> formats;
  for (const Recognised& file : plan_init(folder.path()).files) {
    formats[file.path] = file.format;
    EXPECT_FALSE(file.why.empty()) << file.path;
  }
  EXPECT_EQ(formats, (std::map<std::string, std::string>{{"README.md", ""},
                                                         {"bill/focus/2026-07.csv", "focus"},
                                                         {"bill/focus/2026-08.csv", "focus"},
                                                         {"jobs.csv", ""},
                                                         {"notes.txt", ""},
                                                         {"old/gpu.csv", "nvidia-smi"},
                                                         {"outcomes.csv", "outcomes"},
                                                         {"runs.csv", "runs"},
                                                         {"serving/reco requests.csv", "requests"},
                                                         {"serving/replicas.csv", "replicas"}}));
}

TEST(Init, AnEmptyFolderIsAProjectWithoutSources) {
  const TestProject folder;
  const InitPlan plan = plan_init(folder.path());
  EXPECT_TRUE(plan.files.empty());
  const Project project = folder.read(plan.yaml);
  EXPECT_TRUE(project.sources.empty());
  EXPECT_EQ(project.currency, "USD");
  EXPECT_NE(plan.yaml.find("set the currency of your reports"), std::string::npos);
}

TEST(Init, OneKindOfFilesOnlyIsTheWholeFolder) {
  const TestProject folder;
  folder.write("a.csv", kSeenFocusHeader);
  folder.write("b.csv", kSeenFocusHeader);
  const Project project = folder.read(plan_init(folder.path()).yaml);
  ASSERT_EQ(project.sources.size(), 1U);
  EXPECT_EQ(project.sources[0].path, ".");
  EXPECT_EQ(find_files(project, project.sources[0]).size(), 2U);
}

// Names of files are data: they come back as they are, or stay out of the file.
TEST(Init, StrangeNamesComeBackAsTheyAre) {
  const TestProject folder;
  const std::vector<std::string> names = {"a: b.csv", "#1.csv", "q\"uote's.csv", "{x}.csv", "-.csv",
                                          "null.csv", "ä€.csv", "a\\b.csv",      "[z].csv"};
  for (const std::string& name : names) folder.write(name, "alias,resource_id\n");
  folder.write("other.csv", "run_id,model,stage,state,start,end\n");
  folder.write("new\nline: x.csv", "alias,resource_id\n");
  folder.write("\xff.csv", "alias,resource_id\n");
  const InitPlan plan = plan_init(folder.path());
  const Project project = folder.read(plan.yaml);
  std::set<std::string> paths;
  for (const Source& source : project.sources) {
    if (source.format != "aliases") continue;
    paths.insert(source.path);
    EXPECT_EQ(find_files(project, source).size(), 1U) << source.path;
  }
  EXPECT_EQ(paths, std::set<std::string>(names.begin(), names.end()));
  EXPECT_NE(plan.yaml.find("#   \\xff.csv: its name can't be written here\n"), std::string::npos);
}

TEST(Init, ReadsParquetHeads) {
  const TestProject folder;
  store::Database database;
  store::Connection connection = database.connect();
  connection.query(
      "COPY (SELECT 1.5 AS BilledCost, 'JPY' AS BillingCurrency, now() AS ChargePeriodStart, "
      "now() AS ChargePeriodEnd) TO " +
      store::quote_text(folder.path() + "/bill.parquet") + " (FORMAT parquet)");
  const Project project = folder.read(plan_init(folder.path()).yaml);
  ASSERT_EQ(project.sources.size(), 1U);
  EXPECT_EQ(project.sources[0].format, "focus");
  EXPECT_EQ(project.currency, "JPY");
}

TEST(Init, ThereMustBeAFolder) {
  const TestProject folder;
  EXPECT_NE(folder.error_of([&] { plan_init(folder.path() + "/none"); }).find("folder-missing"),
            std::string::npos);
}

}  // namespace
}  // namespace tare::sources
