// tare cost and tare waste: groupings, filters, sorting, limits, and totals that are the bill.
#include <gtest/gtest.h>

#include "base/errors.h"
#include "measures/test_world.h"

namespace tare::measures {
namespace {

using store::Rule;
using store::State;

TestPosting share(const std::string& model, const std::string& stage, const std::string& run,
                  const std::string& team, std::vector<TestState> states) {
  return {.account = "model/" + model + "/" + stage + "/" + run,
          .model = model,
          .stage = stage,
          .team = team,
          .pool = "gpu",
          .run_id = run,
          .states = std::move(states)};
}

void fill_world(TestWorld* world) {
  world->lines.push_back(
      {.postings = {share("reco", "training", "r1", "growth",
                          {{State::kUseful, hours(6), "60"}, {State::kData, hours(2), "20"}}),
                    share("fraud", "training", "f1", "risk", {{State::kUseful, hours(1), "10"}}),
                    {.account = "idle/gpu",
                     .team = "growth",
                     .pool = "gpu",
                     .states = {{State::kNoRun, hours(1), "10"}}}}});
  world->lines.push_back(
      {.postings = {share("fraud", "serving", "f2", "risk", {{State::kUnknown, hours(4), "4"}})},
       .start = "2026-08-11",
       .end = "2026-08-12",
       .resource = "cpu",
       .device_class = store::DeviceClass::kNode});
  world->lines.push_back({.postings = {{.account = "tax",
                                        .states = {{State::kOtherCharges, 0, "6"}},
                                        .rule = Rule::kTax}},
                          .start = "2026-08-01",
                          .end = "2026-09-01",
                          .category = "Tax",
                          .service = "tax",
                          .resource = "",
                          .device_class = store::DeviceClass::kNone});
}

Question by(std::vector<std::string> names) {
  Question asked = question();
  asked.by = std::move(names);
  return asked;
}

std::string error_of(store::Store& store, const TestWorld& world, const Question& asked) {
  try {
    cost(store, world.project, asked);
    return "";
  } catch (const UserError& error) {
    return error.code() + ": " + error.hint();
  }
}

TEST(Cost, ByModelAndStageWithTheBillAsTotal) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  const Document answer = cost(store, world.project, question());
  const Table& found = table(answer, "cost:model,stage");
  EXPECT_EQ(found.id, "2026-08/cost:model,stage");
  EXPECT_EQ(row_keys(found),
            (std::vector<std::string>{"reco/training", "(idle)/-", "fraud/training", "(tax)/-",
                                      "fraud/serving", "total"}));
  EXPECT_EQ(cell(answer, "cost:model,stage", "reco/training", "cost"), "80");
  EXPECT_EQ(cell(answer, "cost:model,stage", "reco/training", "usage_cost"), "60");
  EXPECT_EQ(cell(answer, "cost:model,stage", "fraud/serving", "usage_cost"), "from 0 to 4");
  EXPECT_EQ(cell(answer, "cost:model,stage", "total", "cost"), "110");
  EXPECT_EQ(cell(answer, "cost:model,stage", "total", "device_hours"),
            "36000000000000 ns (10.0000 h)");
  EXPECT_TRUE(found.rows.back().is_total);
}

TEST(Cost, EveryGroupingSumsToTheBill) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  for (const std::string& name : cost_groupings()) {
    const Document answer = cost(store, world.project, by({name}));
    Money sum;
    for (const Row& row : answer.tables.at(0).rows) {
      if (!row.is_total) sum += std::get<Money>(row.cells.at(1));
    }
    EXPECT_EQ(to_text(sum), "110") << name;
    EXPECT_EQ(cell(answer, "cost:" + name, "total", "cost"), "110") << name;
  }
  for (const std::string& name : waste_groupings()) {
    const Document answer = waste(store, world.project, by({name}));
    EXPECT_EQ(cell(answer, "waste:" + name, "total", "cost"), "110") << name;
  }
}

TEST(Cost, DaysAndEvidenceHaveMoneyOnly) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  const Document answer = cost(store, world.project, by({"day", "evidence"}));
  EXPECT_EQ(cell(answer, "cost:day,evidence", "2026-08-10/overlap", "cost"), "100");
  EXPECT_EQ(cell(answer, "cost:day,evidence", "2026-08-01/category", "cost"), "6");
  EXPECT_EQ(cell(answer, "cost:day,evidence", "2026-08-01/category", "device_hours"),
            "no such cell");
}

TEST(Cost, FiltersShowWhatTheyLeaveOut) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  Question asked = by({"stage"});
  asked.where = {{"team", "ri*"}, {"model", "fraud"}};
  const Document answer = cost(store, world.project, asked);
  const std::string name = "cost:stage+team=ri*+model=fraud";
  EXPECT_EQ(answer.tables.at(0).id, "2026-08/" + name);
  EXPECT_EQ(cell(answer, name, "training", "cost"), "10");
  EXPECT_EQ(cell(answer, name, "serving", "cost"), "4");
  EXPECT_EQ(cell(answer, name, "filtered", "cost"), "96");
  EXPECT_EQ(cell(answer, name, "total", "cost"), "110");
}

TEST(Cost, TheLimitSumsTheOthers) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  Question asked = by({"model", "stage"});
  asked.limit = 2;
  const Document answer = cost(store, world.project, asked);
  EXPECT_EQ(row_keys(answer.tables.at(0)),
            (std::vector<std::string>{"reco/training", "(idle)/-", "others", "total"}));
  EXPECT_EQ(cell(answer, "cost:model,stage", "others", "model"), "3 others");
  EXPECT_EQ(cell(answer, "cost:model,stage", "others", "cost"), "20");
  asked.limit = 5;
  EXPECT_EQ(cell(cost(store, world.project, asked), "cost:model,stage", "others", "cost"),
            "no such cell");
}

TEST(Cost, SortsByAnyColumnEitherWay) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  Question asked = by({"model"});
  asked.sort = "cost";
  EXPECT_EQ(row_keys(cost(store, world.project, asked).tables.at(0)),
            (std::vector<std::string>{"(tax)", "(idle)", "fraud", "reco", "total"}));
  asked.sort = "-model";
  EXPECT_EQ(row_keys(cost(store, world.project, asked).tables.at(0)),
            (std::vector<std::string>{"reco", "fraud", "(tax)", "(idle)", "total"}));
  // Unknown cells stand last whichever way: tax has no device time.
  asked.sort = "usage_cost";
  EXPECT_EQ(row_keys(cost(store, world.project, asked).tables.at(0)),
            (std::vector<std::string>{"(idle)", "fraud", "reco", "(tax)", "total"}));
  asked.sort = "-usage_cost";
  EXPECT_EQ(row_keys(cost(store, world.project, asked).tables.at(0)),
            (std::vector<std::string>{"reco", "fraud", "(idle)", "(tax)", "total"}));
}

TEST(Cost, UnknownWordsGetASuggestion) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  EXPECT_EQ(error_of(store, world, by({"modle"})), "grouping-unknown: did you mean 'model'?");
  Question asked = by({"model"});
  asked.where = {{"regoin", "x"}};
  EXPECT_EQ(error_of(store, world, asked), "grouping-unknown: did you mean 'region'?");
  asked = by({"model"});
  asked.sort = "-cots";
  EXPECT_EQ(error_of(store, world, asked), "sort-unknown: did you mean 'cost'?");
  EXPECT_EQ(error_of(store, world, by({"reason"})).substr(0, 17), "grouping-unknown:");
}

TEST(Cost, NamesOfOurOwnRowsAreEncodedInData) {
  TestWorld world;
  world.lines.push_back({.postings = {share("total", "a/b", "r", "", {{State::kUseful, 1, "1"}})}});
  store::Store store = world.open();
  EXPECT_EQ(row_keys(cost(store, world.project, question()).tables.at(0)),
            (std::vector<std::string>{"%74otal/a%2Fb", "total"}));
}

TEST(Cost, ProportionalIdleShowsBothFigures) {
  TestWorld world;
  fill_world(&world);
  world.project.policy.idle_proportional = true;
  store::Store store = world.open();
  const Document answer = cost(store, world.project, by({"model"}));
  // 10 of idle over 80 of reco, 10 and 4 of fraud: 10 × 80 ÷ 94 is 8.510638297872340425 and the
  // largest remainder (53 hundredths of 1e-18, against 19 and 28).
  EXPECT_EQ(cell(answer, "cost:model", "reco", "idle"), "8.510638297872340426");
  EXPECT_EQ(cell(answer, "cost:model", "(idle)", "with_idle"), "0");
  EXPECT_EQ(cell(answer, "cost:model", "total", "with_idle"), "110");
  EXPECT_EQ(cell(answer, "cost:model", "total", "idle"), "0");
}

TEST(Cost, CurrenciesNeverAdd) {
  TestWorld world;
  fill_world(&world);
  world.lines.push_back(
      {.postings = {share("reco", "training", "r1", "growth", {{State::kUseful, 1, "7"}})},
       .currency = "EUR"});
  store::Store store = world.open();
  const Document answer = cost(store, world.project, by({"model"}));
  ASSERT_EQ(answer.tables.size(), 2U);
  EXPECT_EQ(cell(answer, "cost:model", "total", "cost"), "110");
  EXPECT_EQ(cell(answer, "cost:model:EUR", "total", "cost"), "7");
}

TEST(Waste, ByModelAndReason) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  const Document answer = waste(store, world.project, question());
  const std::string name = "waste:model,reason";
  EXPECT_EQ(cell(answer, name, "reco/useful", "cost"), "60");
  EXPECT_EQ(cell(answer, name, "reco/data", "device_hours"), "7200000000000 ns (2.0000 h)");
  EXPECT_EQ(cell(answer, name, "(idle)/no-run", "device_share"),
            "3600000000000 / 36000000000000 (10.0000 %)");
  EXPECT_EQ(cell(answer, name, "fraud/unknown", "node_hours"), "14400000000000 ns (4.0000 h)");
  EXPECT_EQ(cell(answer, name, "(tax)/other-charges", "cost"), "6");
  EXPECT_EQ(cell(answer, name, "total", "cost"), "110");
}

TEST(Waste, WithoutReasonShowsBusyUsefulAndUnknownHours) {
  TestWorld world;
  fill_world(&world);
  store::Store store = world.open();
  const Document answer = waste(store, world.project, by({"team"}));
  EXPECT_EQ(cell(answer, "waste:team", "growth", "device_hours"), "32400000000000 ns (9.0000 h)");
  EXPECT_EQ(cell(answer, "waste:team", "growth", "busy_hours"), "21600000000000 ns (6.0000 h)");
  EXPECT_EQ(cell(answer, "waste:team", "growth", "utilisation"),
            "21600000000000 / 32400000000000 (66.6667 %)");
  EXPECT_EQ(cell(answer, "waste:team", "-", "cost"), "6");
}

}  // namespace
}  // namespace tare::measures
