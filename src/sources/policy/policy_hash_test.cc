#include <gtest/gtest.h>

#include "sources/policy/test_project.h"

namespace tare::sources {
namespace {

Hash128 hash_of(const std::string& body) { return TestProject().read_body(body).policy_hash; }

TEST(PolicyHash, DoesNotSeeOrderOfKeysOrComments) {
  EXPECT_EQ(
      hash_of(
          "models: {a: {outcome: x, team: t}, b: {}}\npolicy: {idle: own, split: device-time}\n"),
      hash_of("# a comment\npolicy:\n  split: device-time  # another\n  idle: \"own\"\n"
              "models:\n  b:\n  a:\n    team: t\n    outcome: x\n"));
  EXPECT_EQ(hash_of("identity: [{match: {a: x, b: y}, model: m}]\n"),
            hash_of("identity: [{model: m, match: {b: y, a: x}}]\n"));
}

TEST(PolicyHash, DoesNotSeeHowAValueIsWritten) {
  EXPECT_EQ(hash_of("policy: {idle_after: 60m, min_coverage: 0.80}\n"),
            hash_of("policy: {min_coverage: 8e-1, idle_after: 1h}\n"));
  EXPECT_EQ(hash_of("shares: [{run: r, models: {a: 2/4, b: 0.5}}]\n"),
            hash_of("shares: [{run: r, models: {b: 1/2, a: 1/2}}]\n"));
}

TEST(PolicyHash, DoesNotSeeWhatDecidesNoNumber) {
  EXPECT_EQ(hash_of(""), hash_of("sources: {runs: [{format: runs, path: runs.csv}]}\n"));
  EXPECT_EQ(hash_of(""), hash_of("quality: {a: {metric: recall}}\nassumptions: [{check: c}]\n"));
  EXPECT_EQ(hash_of(""), hash_of("engine: trino\ntime_zone: \"+02:00\"\n"));
}

TEST(PolicyHash, SeesEverythingElse) {
  const std::vector<std::string> bodies = {
      "",
      "basis: billed\n",
      "sources: {bill: [{format: focus, path: a, basis: list}]}\n",
      "models: {a: {}}\n",
      "models: {a: {outcome: x}}\n",
      "models: {a: {team: x}}\n",
      "models: {a: {deploy_window: 1h}}\n",
      "models: {a: {interrupt_tolerant: true}}\n",
      "models: {a: {stage_tags: {serving: k=v}}}\n",
      "identity: [{match: {a: x}, model: m}]\n",
      "identity: [{match: {a: x}, model: m, stage: s}]\n",
      "identity: [{match: {a: x}, model: m}, {match: {b: x}, model: m}]\n",
      "identity: [{match: {b: x}, model: m}, {match: {a: x}, model: m}]\n",
      "shares: [{run: r, by: requests}]\n",
      "shares: [{run: r, models: {a: 1}}]\n",
      "pools: {p: t}\n",
      "shapes: {s: {devices: 1}}\n",
      "shapes: {s: {devices: 1, cpus: 2}}\n",
      "policy: {idle: proportional}\n",
      "policy: {credits: follow}\n",
      "policy: {shared: {support: keep}}\n",
      "policy: {shared: {support: proportional}}\n",
      "policy: {shared: {support: keep, network: keep}}\n",
      "policy: {shared: {network: keep, support: keep}}\n",  // the first that matches counts
      "policy: {pool_tag: p}\n",
      "policy: {run_id_tags: [a]}\n",
      "policy: {run_id_tags: [a, b]}\n",
      "policy: {flat_ratio: 0.1}\n",
      "policy: {min_coverage: 0.1}\n",
      "policy: {efficient_sm_active: 0.1}\n",
      "policy: {idle_after: 1h}\n",
      "policy: {silence: 1h}\n",
      "policy: {maturity_days: 1}\n",
  };
  std::map<Hash128, std::string> seen;
  for (const std::string& body : bodies) {
    const auto [at, fresh] = seen.emplace(hash_of(body), body);
    EXPECT_TRUE(fresh) << body << " and " << at->second;
  }
}

}  // namespace
}  // namespace tare::sources
