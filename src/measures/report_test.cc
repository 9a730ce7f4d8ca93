// The monthly page over a world whose numbers are small enough to add up by hand.
#include <gtest/gtest.h>

#include "base/errors.h"
#include "measures/test_world.h"

namespace tare::measures {
namespace {

using store::DeviceClass;
using store::Rule;
using store::State;

TestPosting of_model(const std::string& model, const std::string& stage, const std::string& pool,
                     const std::string& run, std::vector<TestState> states) {
  return {.account = "model/" + model + "/" + stage + "/" + (run.empty() ? "-" : run),
          .model = model,
          .stage = stage,
          .pool = pool,
          .run_id = run,
          .states = std::move(states)};
}

TestPosting of_idle(const std::string& pool, int64_t ns, const std::string& billed) {
  return {.account = "idle/" + pool, .pool = pool, .states = {{State::kNoRun, ns, billed}}};
}

TestPosting of_kind(const std::string& account, const std::string& billed,
                    const std::string& effective, Rule rule) {
  return {
      .account = account, .states = {{State::kOtherCharges, 0, billed, effective}}, .rule = rule};
}

// August: one node of pool gpu bills 100 h and 100 USD: reco trains 60 h (30 busy, 10 unknown, 20
// not busy), fraud trains 20 h (all useful), 20 h nobody. A CPU node serves reco for 40 USD, no
// telemetry. Tax 10, a fee 50 with effective 0, an unused commitment 0 with effective 30,
// unassigned 5.
void fill_august(TestWorld* world) {
  world->lines.push_back(
      {.postings = {of_model("reco", "training", "gpu", "r1",
                             {{State::kBusy, hours(30), "30"},
                              {State::kUnknown, hours(10), "10"},
                              {State::kNotBusy, hours(20), "20"}}),
                    of_model("fraud", "training", "gpu", "f1", {{State::kUseful, hours(20), "20"}}),
                    of_idle("gpu", hours(20), "20")}});
  world->lines.push_back({.postings = {of_model("reco", "serving", "cpu", "endpoint/reco",
                                                {{State::kUnknown, hours(80), "40"}})},
                          .resource = "cpu-1",
                          .device_class = DeviceClass::kNode});
  world->lines.push_back({.postings = {of_kind("tax", "10", "10", Rule::kTax)},
                          .category = "Tax",
                          .resource = "",
                          .device_class = DeviceClass::kNone});
  world->lines.push_back(
      {.postings = {of_kind("commitment-fee/sp", "50", "0", Rule::kCommitmentFee)},
       .category = "Purchase",
       .resource = "",
       .commitment = "sp",
       .device_class = DeviceClass::kNone});
  world->lines.push_back(
      {.postings = {of_kind("commitment-unused/sp", "0", "30", Rule::kCommitmentUnused)},
       .resource = "",
       .commitment = "sp",
       .commitment_status = "Unused",
       .device_class = DeviceClass::kNone});
  world->lines.push_back({.postings = {of_kind("unassigned/compute", "5", "5", Rule::kUnassigned)},
                          .resource = "disk-9",
                          .device_class = DeviceClass::kNone});
}

TEST(Report, AccountsSumToTheBill) {
  TestWorld world;
  fill_august(&world);
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "accounts", "model", "cost"), "120");
  EXPECT_EQ(cell(page, "accounts", "idle", "cost"), "20");
  EXPECT_EQ(cell(page, "accounts", "commitment-unused", "cost"), "30");
  EXPECT_EQ(cell(page, "accounts", "commitment-fee", "cost"), "0");
  EXPECT_EQ(cell(page, "accounts", "tax", "cost"), "10");
  EXPECT_EQ(cell(page, "accounts", "unassigned", "cost"), "5");
  EXPECT_EQ(cell(page, "accounts", "total", "cost"), "185");
  EXPECT_EQ(cell(page, "bill", "usage", "effective"), "185");
  EXPECT_EQ(cell(page, "bill", "usage", "billed"), "205");
  EXPECT_EQ(cell(page, "bill", "invoiced", "billed"), "205");
  EXPECT_EQ(cell(page, "bill", "usage", "lines"), "6");
  EXPECT_EQ(
      table(page, "bill").title,
      "The bill of 2026-08, USD: conserved, postings equal it in all 4 sums by invoice and cost");
}

TEST(Report, BilledBasisHasTheFeeAndNotTheUnusedPart) {
  TestWorld world;
  fill_august(&world);
  store::Store store = world.open();
  Question asked = question();
  asked.basis = CostBasis::kBilled;
  const Document page = report(store, world.project, asked);
  EXPECT_EQ(table(page, "accounts").id, "2026-08@billed/accounts");
  EXPECT_EQ(cell(page, "accounts", "commitment-fee", "cost"), "50");
  EXPECT_EQ(cell(page, "accounts", "commitment-unused", "cost"), "0");
  EXPECT_EQ(cell(page, "accounts", "total", "cost"), "205");
}

TEST(Report, IdleIsSpreadByAllocationCostWithinThePool) {
  TestWorld world;
  fill_august(&world);
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  // Pool gpu: reco was posted 60 of 80, fraud 20; 20 of idle go 15 and 5. Serving is in another
  // pool.
  EXPECT_EQ(cell(page, "models", "reco", "cost"), "100");
  EXPECT_EQ(cell(page, "models", "reco/training", "idle"), "15");
  EXPECT_EQ(cell(page, "models", "reco/serving", "idle"), "0");
  EXPECT_EQ(cell(page, "models", "fraud/training", "idle"), "5");
  EXPECT_EQ(cell(page, "models", "reco/training", "with_idle"), "75");
  EXPECT_EQ(cell(page, "models", "(idle)", "idle"), "-20");
  EXPECT_EQ(cell(page, "models", "(idle)", "with_idle"), "0");
  EXPECT_EQ(cell(page, "models", "total", "with_idle"), "185");
  EXPECT_EQ(row_keys(table(page, "models")),
            (std::vector<std::string>{"reco", "reco/training", "reco/serving", "fraud",
                                      "fraud/training", "(idle)", "(commitment-unused)", "(tax)",
                                      "(unassigned)", "total"}));
}

TEST(Report, IdleOfAPoolWithoutModelsStaysIdle) {
  TestWorld world;
  fill_august(&world);
  world.lines.push_back({.postings = {of_idle("forgotten", hours(7), "7")}, .resource = "node-7"});
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "models", "(idle)", "cost"), "27");
  EXPECT_EQ(cell(page, "models", "(idle)", "with_idle"), "7");
  EXPECT_EQ(table(page, "models").notes.at(0),
            "idle of pools that no model used, spread over none: 7.00 USD");
}

TEST(Report, UsageCostIsARangeUpToUnknownTime) {
  TestWorld world;
  fill_august(&world);
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "models", "reco/training", "usage_cost"), "from 30 to 40");
  EXPECT_EQ(cell(page, "models", "fraud/training", "usage_cost"), "20");
  EXPECT_EQ(cell(page, "models", "reco/serving", "usage_cost"), "from 0 to 40");
}

TEST(Report, StatesPartitionTheBilledTimeAndTheMoney) {
  TestWorld world;
  fill_august(&world);
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "waste", "useful", "device_hours"), "72000000000000 ns (20.0000 h)");
  EXPECT_EQ(cell(page, "waste", "busy", "cost"), "30");
  EXPECT_EQ(cell(page, "waste", "no-run", "cost"), "20");
  EXPECT_EQ(cell(page, "waste", "unknown", "cost"), "50");
  EXPECT_EQ(cell(page, "waste", "unknown", "node_hours"), "288000000000000 ns (80.0000 h)");
  EXPECT_EQ(cell(page, "waste", "other-charges", "cost"), "45");
  EXPECT_EQ(cell(page, "waste", "total", "cost"), "185");
  EXPECT_EQ(cell(page, "waste", "total", "device_hours"), "360000000000000 ns (100.0000 h)");
}

TEST(Report, UtilisationHasCoverageAndAPriceOfUsefulHours) {
  TestWorld world;
  fill_august(&world);
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  // 50 of 100 h busy, 10 unknown: coverage 0.9 is enough for one figure.
  EXPECT_EQ(cell(page, "utilisation", "accelerators", "utilisation"),
            "180000000000000 / 360000000000000 (50.0000 %)");
  EXPECT_EQ(cell(page, "utilisation", "accelerators", "per_hour"), "1");
  EXPECT_EQ(cell(page, "utilisation", "accelerators", "per_useful_hour"), "2");
  // Nothing is known of the node: anything from 0 to all of it.
  EXPECT_EQ(
      cell(page, "utilisation", "nodes", "utilisation"),
      "from 0 / 288000000000000 (0.0000 %) to 288000000000000 / 288000000000000 (100.0000 %)");
  EXPECT_EQ(cell(page, "utilisation", "nodes", "per_useful_hour"), "more than 0.5");
}

TEST(Report, LowCoverageGivesARangeAndNoSingleFigure) {
  TestWorld world;
  fill_august(&world);
  world.project.policy.min_coverage = "0.95";
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(
      cell(page, "utilisation", "accelerators", "utilisation"),
      "from 180000000000000 / 360000000000000 (50.0000 %) to 216000000000000 / 360000000000000 "
      "(60.0000 %)");
  EXPECT_EQ(cell(page, "utilisation", "accelerators", "per_useful_hour"),
            "from 1.666666666666666667 to 2");
}

TEST(Report, LostWorkIsBusyOnlyWhereASignSaysSo) {
  TestWorld world;
  world.lines.push_back({.postings = {of_model("m", "training", "p", "r",
                                               {{State::kLost, hours(3), "3", std::nullopt, true},
                                                {State::kLost, hours(2), "2"},
                                                {State::kSync, hours(1), "1"},
                                                {State::kData, hours(4), "4"}})}});
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "utilisation", "accelerators", "busy_hours"),
            "14400000000000 ns (4.0000 h)");
  EXPECT_EQ(cell(page, "models", "m", "usage_cost"), "4");
  EXPECT_EQ(cell(page, "utilisation", "accelerators", "per_useful_hour"), "unknown");
}

TEST(Report, BridgeFromUsageToInvoice) {
  TestWorld world;
  // July's use in August's invoice, and August's use in September's.
  world.lines.push_back({.postings = {of_idle("p", 0, "100")}});
  world.lines.push_back(
      {.postings = {of_idle("p", 0, "-3")}, .start = "2026-07-20", .end = "2026-07-21"});
  world.lines.push_back(
      {.postings = {of_idle("p", 0, "8")}, .period = "2026-09", .invoice = "inv-9"});
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "bill", "usage", "billed"), "108");
  EXPECT_EQ(cell(page, "bill", "billed-elsewhere", "billed"), "-8");
  EXPECT_EQ(cell(page, "bill", "billed-elsewhere", "lines"), "-1");
  EXPECT_EQ(cell(page, "bill", "used-elsewhere", "billed"), "-3");
  EXPECT_EQ(cell(page, "bill", "invoiced", "billed"), "97");
  EXPECT_EQ(cell(page, "accounts", "total", "cost"), "108");
}

TEST(Report, NoBridgeRowsWhereTheTwoViewsAgree) {
  TestWorld world;
  fill_august(&world);
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(row_keys(table(page, "bill")), (std::vector<std::string>{"usage", "invoiced"}));
}

TEST(Report, PostingsThatDifferFromTheBillAreSaid) {
  TestWorld world;
  world.lines.push_back({.postings = {of_idle("p", 0, "100")}, .billed_instead = "101"});
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(
      table(page, "bill").title,
      "The bill of 2026-08, USD: NOT conserved, postings differ in 3 of 4 sums (tare reconcile)");
}

TEST(Report, UnknownEffectiveCostFallsBackToBilledAndSaysSo) {
  TestWorld world;
  world.lines.push_back({.postings = {of_model("m", "serving", "p", "",
                                               {{State::kOtherCharges, 0, "12.5", "null"}})}});
  world.lines.push_back(
      {.postings = {of_model("m", "serving", "p", "", {{State::kOtherCharges, 0, "10", "7"}})}});
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "models", "m", "cost"), "19.5");
  ASSERT_FALSE(page.notes.empty());
  EXPECT_EQ(page.notes.front(),
            "12.50 USD of the effective cost is unknown in the bill and stands in as billed");
}

TEST(Report, ASourceMayHaveABasisOfItsOwn) {
  TestWorld world;
  Source second;
  second.name = "second";
  second.basis = CostBasis::kBilled;
  world.project.sources.push_back(second);
  world.lines.push_back(
      {.postings = {of_model("m", "serving", "p", "", {{State::kOtherCharges, 0, "10", "7"}})}});
  world.lines.push_back(
      {.postings = {of_model("m", "serving", "p", "", {{State::kOtherCharges, 0, "10", "7"}})},
       .source = "second"});
  store::Store store = world.open();
  EXPECT_EQ(cell(report(store, world.project, question()), "models", "m", "cost"), "17");
  Question listed = question();
  listed.basis = CostBasis::kList;
  EXPECT_EQ(cell(report(store, world.project, listed), "models", "m", "cost"), "20");
}

TEST(Report, CurrenciesStandInBlocksOfTheirOwn) {
  TestWorld world;
  fill_august(&world);
  world.lines.push_back({.postings = {of_model("reco", "training", "gpu", "r9",
                                               {{State::kUseful, hours(1), "1000"}})},
                         .currency = "JPY",
                         .invoice = "inv-j"});
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "accounts", "total", "cost"), "185");
  EXPECT_EQ(cell(page, "accounts:JPY", "total", "cost"), "1000");
  EXPECT_EQ(cell(page, "models:JPY", "reco", "cost"), "1000");
  EXPECT_EQ(page.notes.back(), "currencies are never added up: JPY stands in tables of its own");
}

TEST(Report, TheNewestMonthIsAskedForByDefault) {
  TestWorld world;
  fill_august(&world);
  world.lines.push_back({.postings = {of_idle("p", 0, "3")},
                         .start = "2026-07-02",
                         .end = "2026-07-03",
                         .period = "2026-07"});
  store::Store store = world.open();
  EXPECT_EQ(table(report(store, world.project, {}), "models").id, "2026-08/models");
  const Document july = report(store, world.project, question("2026-07"));
  EXPECT_EQ(cell(july, "accounts", "total", "cost"), "3");
  EXPECT_EQ(cell(july, "accounts", "total", "before"), "unknown");
  const Document august = report(store, world.project, question());
  EXPECT_EQ(cell(august, "accounts", "idle", "before"), "3");
  EXPECT_EQ(cell(august, "accounts", "total", "before"), "3");
}

TEST(Report, AMonthWithoutLinesSaysWhichHasSome) {
  TestWorld world;
  fill_august(&world);
  store::Store store = world.open();
  const Document page = report(store, world.project, question("2026-01"));
  EXPECT_TRUE(page.tables.empty());
  EXPECT_EQ(page.notes.front(),
            "no bill line begins in 2026-01; the newest month with lines is 2026-08");
}

TEST(Report, AnEmptyStoreAndHalfAMonthAreErrors) {
  TestWorld world;
  store::Store empty = world.open();
  EXPECT_THROW(report(empty, world.project, {}), UserError);
  fill_august(&world);
  store::Store store = world.open();
  Question half = question();
  half.period->end_ns -= kNsPerDay;
  try {
    report(store, world.project, half);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), "period-not-months");
  }
}

TEST(Report, ModelsWithoutANameCountAsNotAttributed) {
  TestWorld world;
  fill_august(&world);
  world.lines.push_back(
      {.postings = {of_model("", "training", "gpu", "exp", {{State::kUnknown, hours(1), "4"}})}});
  world.lines.back().postings[0].account = "model/unnamed/training/exp";
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "accounts", "model", "cost"), "120");
  EXPECT_EQ(cell(page, "accounts", "unnamed", "cost"), "4");
  EXPECT_EQ(cell(page, "models", "unnamed/training", "cost"), "4");
}

TEST(Report, ThePageForPeopleFoldsSmallStagesAndLeavesTablesOut) {
  TestWorld world;
  fill_august(&world);
  for (const char* stage : {"features", "evaluation"}) {
    world.lines.push_back(
        {.postings = {of_model("reco", stage, "cpu", "", {{State::kOtherCharges, 0, "0.5"}})}});
    world.lines.push_back(
        {.postings = {of_model("tiny", stage, "cpu", "", {{State::kOtherCharges, 0, "0.1"}})}});
  }
  store::Store store = world.open();
  Question asked = question();
  asked.full = false;
  const Document page = report(store, world.project, asked);
  EXPECT_EQ(row_keys(table(page, "models")),
            (std::vector<std::string>{"reco", "reco/training", "reco/serving", "reco/others",
                                      "fraud", "fraud/training", "tiny", "(idle)",
                                      "(commitment-unused)", "(tax)", "(unassigned)", "total"}));
  EXPECT_EQ(cell(page, "models", "reco/others", "cost"), "1");
  EXPECT_EQ(cell(page, "models", "reco/others", "model"), "2 other stages");
  EXPECT_EQ(cell(page, "models", "tiny", "cost"), "0.2");
  for (const Table& made : page.tables) {
    EXPECT_FALSE(made.id.ends_with("identities") || made.id.ends_with("/accounts")) << made.id;
  }
  const Document answer = explain(store, world.project, {}, "2026-08/models/reco/others/cost");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "1");
}

TEST(Report, FindingsStandByMoney) {
  TestWorld world;
  fill_august(&world);
  world.findings.add({.code = "tags-unreadable",
                      .source = "bill",
                      .subject = "",
                      .cost = usd("5"),
                      .currency = "USD",
                      .place = "b.csv:3",
                      .text = "x",
                      .rows = 2});
  world.findings.add({.code = "run-without-end",
                      .source = "runs",
                      .subject = "r",
                      .cost = std::nullopt,
                      .currency = "",
                      .place = "",
                      .text = "",
                      .rows = 1});
  world.findings.add({.code = "cost-missing",
                      .source = "bill",
                      .subject = "",
                      .cost = usd("-9"),
                      .currency = "USD",
                      .place = "b.csv:9",
                      .text = "y",
                      .rows = 1});
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(row_keys(table(page, "2026-08/findings")),
            (std::vector<std::string>{"cost-missing", "tags-unreadable", "run-without-end"}));
  const Document all = findings(store, world.project, "", false);
  EXPECT_EQ(cell(all, "findings", "tags-unreadable", "rows"), "2");
  EXPECT_EQ(cell(all, "findings", "cost-missing", "cost"), "-9");
  const Document rows = findings(store, world.project, "tags-unreadable", true);
  EXPECT_EQ(cell(rows, "findings/tags-unreadable/rows", "1", "place"), "b.csv:3");
  try {
    findings(store, world.project, "tags-unreadabel", false);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.hint(), "did you mean 'tags-unreadable'?");
  }
}

}  // namespace
}  // namespace tare::measures
