#include "timeline/aliases.h"

#include <gtest/gtest.h>

namespace tare::timeline {
namespace {

AliasRow alias(const std::string& name, const std::string& id, std::optional<int64_t> from = {},
               std::optional<int64_t> to = {}) {
  return {name, id, std::nullopt, from, to, "aliases"};
}

TEST(Aliases, FollowsAChainInItsTime) {
  Findings findings;
  Aliases aliases(
      {alias("node-1", "ip-10", 0, 100), alias("node-1", "ip-20", 100, {}), alias("ip-10", "i-a")},
      &findings);
  EXPECT_EQ(aliases.resolve("node-1", 50).resource_id, "i-a");
  EXPECT_EQ(aliases.resolve("node-1", 100).resource_id, "ip-20");
  EXPECT_EQ(aliases.resolve("node-1", -1).resource_id, "node-1");
  EXPECT_EQ(aliases.changes("node-1", {10, 200}), std::vector<int64_t>{100});
  EXPECT_TRUE(findings.empty());
}

TEST(Aliases, ALoopIsIgnoredAndFound) {
  Findings findings;
  Aliases aliases({alias("a", "b"), alias("b", "c"), alias("c", "a"), alias("d", "a")}, &findings);
  EXPECT_EQ(findings.rows_of("alias-loop"), 3);
  EXPECT_EQ(aliases.resolve("a", 0).resource_id, "a");
  EXPECT_EQ(aliases.resolve("d", 0).resource_id, "a");
}

TEST(Aliases, TheNewerStartWinsAndIsFound) {
  Findings findings;
  Aliases aliases({alias("n", "old", 0, 100), alias("n", "new", 50, 100)}, &findings);
  EXPECT_EQ(aliases.resolve("n", 60).resource_id, "new");
  EXPECT_EQ(aliases.resolve("n", 40).resource_id, "old");
  EXPECT_EQ(findings.rows_of("alias-conflict"), 1);
}

TEST(Aliases, AzureIdsCompareWithoutRegardToCase) {
  Findings findings;
  Aliases aliases({}, &findings);
  EXPECT_EQ(aliases.resolve("/Subscriptions/AB/x", 0).resource_id,
            aliases.resolve("/subscriptions/ab/X", 0).resource_id);
  EXPECT_NE(aliases.resolve("i-AB", 0).resource_id, aliases.resolve("i-ab", 0).resource_id);
}

}  // namespace
}  // namespace tare::timeline
