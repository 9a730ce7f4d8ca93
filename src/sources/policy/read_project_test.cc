#include <gtest/gtest.h>

#include "sources/policy/keys.h"
#include "sources/policy/test_project.h"

namespace tare::sources {
namespace {

constexpr const char* kWhole = R"(project: acme
currency: EUR
time_zone: "+02:00"
basis: billed
sources:
  requests: [{format: requests, path: serving/requests.csv, model: reco, name: log}]
  bill:
    - {format: focus, path: bill/focus/}
    - format: bill
      path: "other/*.csv"
      currency: USD
      basis: list
      columns: {cost: MyCost, start: {column: begin, unit: ms}}
    - {format: focus, path: /mnt/exports}
models:
  reco:
  fraud:
    outcome: cases_caught
    team: risk
    stage_tags: {serving: endpoint=fraud, training: {job: "fraud-*"}}
    deploy_window: 6h
    interrupt_tolerant: true
identity:
  - {match: {team: "*", app: "reco-*"}, model: reco, stage: training, team: "${team}"}
shares:
  - {run: endpoint/both, models: {fraud: 1/3, reco: 2/3}}
  - {run: "endpoint/mixed-*", by: requests}
policy:
  split: device-time
  idle: proportional
  credits: follow
  shared:
    support: proportional
    network: by-request
    storage: keep
    egress: {match: {service: "*Transfer*"}, rule: equal}
    other: {match: {category: X}, models: {a: 1/2, b: 0.5}}
  pool_tag: pool
  run_id_tags: [my_run]
  flat_ratio: 5e-2
  min_coverage: 0.90
  efficient_sm_active: 0.4
  idle_after: 30m
  silence: 1h
  maturity_days: 7
pools: {gpu-a: ml, gpu-b: {team: growth}}
shapes: {x9.large: {devices: 4, cpus: 48, device_model: A100}}
quality: {fraud: {metric: recall, budget: 0.005, slices: {critical: [merchant_category]}}}
assumptions:
  - {check: attribution_coverage, at_least: 0.95, respond: tag the jobs}
engine: {kind: trino, anything: [1, 2]}
)";

TEST(ReadProject, ReadsEveryKey) {
  const TestProject folder;
  const Project project = folder.read(kWhole);
  EXPECT_EQ(project.directory, folder.path());
  EXPECT_EQ(project.name, "acme");
  EXPECT_EQ(project.currency, "EUR");
  EXPECT_EQ(project.time_zone, "+02:00");
  EXPECT_EQ(project.basis, CostBasis::kBilled);
  EXPECT_EQ(project.pool_teams,
            (std::map<std::string, std::string>{{"gpu-a", "ml"}, {"gpu-b", "growth"}}));
  ASSERT_EQ(project.shapes.size(), 1U);
  EXPECT_EQ(project.shapes[0].name, "x9.large");
  EXPECT_EQ(project.shapes[0].devices, 4);
  EXPECT_EQ(project.shapes[0].cpus, 48);
  EXPECT_EQ(project.shapes[0].device_model, "A100");
}

TEST(ReadProject, SourcesByKindThenOrderWithDefaultNames) {
  const TestProject folder;
  const std::vector<Source> sources = folder.read(kWhole).sources;
  ASSERT_EQ(sources.size(), 4U);
  EXPECT_EQ(sources[0].name, "bill/focus");
  EXPECT_EQ(sources[0].path, "bill/focus/");
  EXPECT_EQ(to_text(sources[0].place), folder.path() + "/tare.yaml:8:7");
  EXPECT_EQ(sources[1].name, "bill/bill");
  EXPECT_EQ(sources[1].currency, "USD");
  EXPECT_EQ(sources[1].basis, CostBasis::kList);
  EXPECT_EQ(sources[1].columns.at("cost").column, "MyCost");
  EXPECT_EQ(sources[1].columns.at("start").column, "begin");
  EXPECT_EQ(sources[1].columns.at("start").time_unit, "ms");
  EXPECT_EQ(sources[2].name, "bill/focus-2");
  EXPECT_EQ(sources[2].path, "/mnt/exports");
  EXPECT_EQ(sources[3].name, "log");
  EXPECT_EQ(sources[3].kind, SourceKind::kRequests);
  EXPECT_EQ(sources[3].model, "reco");
}

TEST(ReadProject, DefaultNamesLeaveChosenOnesAlone) {
  const TestProject folder;
  const Project project = folder.read_body(
      "sources:\n  runs:\n    - {format: runs, path: a.csv}\n"
      "    - {format: runs, path: b.csv, name: runs/runs}\n");
  EXPECT_EQ(project.sources[0].name, "runs/runs-2");
  EXPECT_EQ(project.sources[1].name, "runs/runs");
}

TEST(ReadProject, ModelsAndIdentity) {
  const TestProject folder;
  const Project project = folder.read(kWhole);
  ASSERT_EQ(project.models.size(), 2U);  // sorted by name
  const ModelPolicy& fraud = project.models[0];
  EXPECT_EQ(fraud.name, "fraud");
  EXPECT_EQ(fraud.outcome, "cases_caught");
  EXPECT_EQ(fraud.team, "risk");
  EXPECT_EQ(fraud.stage_tags.at("serving"),
            std::pair(std::string("endpoint"), std::string("fraud")));
  EXPECT_EQ(fraud.stage_tags.at("training"), std::pair(std::string("job"), std::string("fraud-*")));
  EXPECT_EQ(fraud.deploy_window_ns, 6LL * 3600 * 1'000'000'000);
  EXPECT_TRUE(fraud.interrupt_tolerant);
  EXPECT_EQ(project.models[1].name, "reco");
  EXPECT_FALSE(project.models[1].interrupt_tolerant);
  ASSERT_EQ(project.identity.size(), 1U);
  const IdentityRule& rule = project.identity[0];
  EXPECT_EQ(rule.match,
            (std::vector<std::pair<std::string, std::string>>{{"app", "reco-*"}, {"team", "*"}}));
  EXPECT_EQ(rule.model, "reco");
  EXPECT_EQ(rule.stage, "training");
  EXPECT_EQ(rule.team, "${team}");
}

TEST(ReadProject, SharesAndPolicy) {
  const TestProject folder;
  const Project project = folder.read(kWhole);
  ASSERT_EQ(project.shares.size(), 2U);
  EXPECT_EQ(project.shares[0].run, "endpoint/both");
  EXPECT_EQ(project.shares[0].declared,
            (std::map<std::string, std::string>{{"fraud", "1/3"}, {"reco", "2/3"}}));
  EXPECT_TRUE(project.shares[1].declared.empty());
  const Policy& policy = project.policy;
  EXPECT_TRUE(policy.idle_proportional);
  EXPECT_TRUE(policy.credits_follow);
  EXPECT_EQ(policy.pool_tag, "pool");
  EXPECT_EQ(policy.run_id_tags, std::vector<std::string>{"my_run"});
  EXPECT_EQ(policy.flat_ratio, "0.05");
  EXPECT_EQ(policy.min_coverage, "0.9");
  EXPECT_EQ(policy.efficient_sm_active, "0.4");
  EXPECT_EQ(policy.idle_after_ns, 30LL * 60 * 1'000'000'000);
  EXPECT_EQ(policy.silence_ns, 3600LL * 1'000'000'000);
  EXPECT_EQ(policy.maturity_days, 7);
}

TEST(ReadProject, SharedChargesInTheirOrder) {
  const TestProject folder;
  const std::vector<SharedPolicy> shared = folder.read(kWhole).policy.shared;
  ASSERT_EQ(shared.size(), 6U);
  // A short entry is for services and for categories that hold its name.
  EXPECT_EQ(shared[0].what, "support");
  EXPECT_EQ(shared[0].service, "*support*");
  EXPECT_EQ(shared[0].category, "");
  EXPECT_EQ(shared[0].rule, SharedRule::kProportional);
  EXPECT_EQ(shared[1].what, "support");
  EXPECT_EQ(shared[1].service, "");
  EXPECT_EQ(shared[1].category, "*support*");
  EXPECT_EQ(shared[2].category, "Networking");
  EXPECT_EQ(shared[2].rule, SharedRule::kByRequest);
  EXPECT_EQ(shared[3].category, "Storage");
  EXPECT_EQ(shared[3].rule, SharedRule::kKeep);
  EXPECT_EQ(shared[4].service, "*Transfer*");
  EXPECT_EQ(shared[4].rule, SharedRule::kEqual);
  EXPECT_EQ(shared[5].rule, SharedRule::kDeclared);
  EXPECT_EQ(shared[5].declared, (std::map<std::string, std::string>{{"a", "1/2"}, {"b", "1/2"}}));
}

TEST(ReadProject, HasDefaults) {
  const TestProject folder;
  const Project project = folder.read_body("");
  EXPECT_EQ(project.time_zone, "UTC");
  EXPECT_EQ(project.basis, std::nullopt);
  EXPECT_TRUE(project.sources.empty());
  EXPECT_EQ(project.policy.min_coverage, "0.8");
  EXPECT_EQ(project.policy.run_id_tags.size(), 10U);
  EXPECT_FALSE(project.policy.idle_proportional);
  // Keys without a value are as if they were not there.
  EXPECT_EQ(folder.read_body("sources:\nmodels:\npolicy:\n  shared:\n").policy_hash,
            project.policy_hash);
}

TEST(FindProject, LooksUpward) {
  const TestProject folder;
  folder.write("tare.yaml", "project: a\ncurrency: USD\n");
  folder.write("deep/er/file", "");
  EXPECT_EQ(find_project(folder.path()), folder.path());
  EXPECT_EQ(find_project(folder.path() + "/deep/er"),
            std::filesystem::weakly_canonical(folder.path()).string());
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path() + "/deep/er");
  EXPECT_EQ(find_project("."), "../..");
  std::filesystem::current_path(folder.path());
  EXPECT_EQ(find_project("."), ".");
  // From there, messages name the file as it can be opened.
  folder.write("tare.yaml", "projekt: a\n");
  EXPECT_EQ(folder.error_of([] { read_project("."); }),
            "tare: tare.yaml:1:1: error[yaml-key-unknown]: unknown key 'projekt'\n"
            "  1 | projekt: a\n"
            "      ^^^^^^^\n"
            "  hint: did you mean 'project'?\n");
  std::filesystem::current_path(before);
}

TEST(FindProject, SaysThatThereIsNone) {
  const TestProject folder;
  folder.write("deep/file", "");
  EXPECT_NE(folder.error_of([&] { find_project(folder.path() + "/deep"); })
                .find("error[no-project]: there is no tare.yaml in 'deep' or above it"),
            std::string::npos);
  EXPECT_NE(folder.error_of([&] { find_project(folder.path() + "/none"); }).find("no-project"),
            std::string::npos);
  EXPECT_NE(folder.error_of([&] { read_project(folder.path()); }).find("no-project"),
            std::string::npos);
}

}  // namespace
}  // namespace tare::sources
