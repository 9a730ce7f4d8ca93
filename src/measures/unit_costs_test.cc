// Unit costs, their intervals and trends, and the two identities.
#include <gtest/gtest.h>

#include "measures/interval.h"
#include "measures/test_world.h"
#include "measures/trend.h"

namespace tare::measures {
namespace {

using store::State;

TestLine line_of(const std::string& model, const std::string& stage, const std::string& billed,
                 const std::string& month = "2026-08") {
  TestLine line;
  line.postings = {{.account = "model/" + model + "/" + stage + "/-",
                    .model = model,
                    .stage = stage,
                    .pool = "gpu",
                    .states = {{State::kUseful, hours(1), billed}}}};
  line.start = month + "-05";
  line.end = month + "-06";
  line.period = month;
  return line;
}

void add_retrain(TestWorld* world, const std::string& id, const std::string& end,
                 const std::string& state = "finished", const std::string& parent = "") {
  world->runs.push_back({.run_id = id,
                         .model = "fraud",
                         .stage = "training",
                         .state = state,
                         .start = "2026-07-31",
                         .end = end,
                         .parent = parent});
}

TEST(UnitCosts, PerRetrainCountsFinishedTopLevelRunsThatEndedInTheMonth) {
  TestWorld world;
  world.lines = {line_of("fraud", "training", "90"), line_of("fraud", "serving", "10")};
  add_retrain(&world, "a", "2026-08-02T00:00:00Z");
  add_retrain(&world, "b", "2026-09-01T00:00:00Z");  // its last instant is in August
  add_retrain(&world, "c", "2026-08-01T00:00:00Z");  // its last instant is in July
  add_retrain(&world, "d", "2026-08-03T00:00:00Z", "failed");
  add_retrain(&world, "sweep-child", "2026-08-04T00:00:00Z", "finished", "a");
  add_retrain(&world, "of-a-pipeline", "2026-08-05T00:00:00Z", "finished", "not-a-training-run");
  // A second attempt of a run is the same retrain.
  add_retrain(&world, "a", "2026-08-02T05:00:00Z");
  world.runs.back().attempt = 1;
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "unit-costs", "fraud/retrain", "units"), "3");
  EXPECT_EQ(cell(page, "unit-costs", "fraud/retrain", "per_unit"), "30");
}

TEST(UnitCosts, TrainingWithoutAFinishedRunHasALowerBound) {
  TestWorld world;
  world.lines = {line_of("fraud", "training", "90")};
  add_retrain(&world, "a", "2026-08-02", "failed");
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "unit-costs", "fraud/retrain", "units"), "0");
  EXPECT_EQ(cell(page, "unit-costs", "fraud/retrain", "per_unit"), "more than 90");
}

TEST(UnitCosts, PredictionsByTheThousandAndOutcomesWithGarwoodLimits) {
  TestWorld world;
  world.lines = {line_of("fraud", "training", "90"), line_of("fraud", "serving", "10")};
  world.outcomes = {
      {.model = "fraud", .outcome = "predictions", .day = "2026-08-01", .count = "1500"},
      {.model = "fraud", .outcome = "predictions", .day = "2026-08-31", .count = "2500"},
      {.model = "fraud", .outcome = "predictions", .day = "2026-09-01", .count = "9"},
      {.model = "fraud", .outcome = "cases", .day = "2026-08-02", .count = "10"}};
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "unit-costs", "fraud/thousand-predictions", "units"), "4000");
  EXPECT_EQ(cell(page, "unit-costs", "fraud/thousand-predictions", "per_unit"), "2.5");
  EXPECT_EQ(cell(page, "unit-costs", "fraud/cases", "per_unit"), "10");
  // Garwood for 10: 4.795389 to 18.390357 (tables: 4.795 and 18.390).
  EXPECT_EQ(cell(page, "outcomes", "fraud/cases", "count_low"), "4.795388");
  EXPECT_EQ(cell(page, "outcomes", "fraud/cases", "count_high"), "18.390357");
  EXPECT_EQ(cell(page, "unit-costs", "fraud/cases", "range").substr(0, 12), "from 5.43763");
}

TEST(UnitCosts, PerUnitWithIdleAddsTheShareOfThePool) {
  TestWorld world;
  world.lines = {line_of("fraud", "training", "60"), line_of("reco", "training", "20")};
  world.lines.push_back(
      {.postings = {
           {.account = "idle/gpu", .pool = "gpu", .states = {{State::kNoRun, hours(1), "8"}}}}});
  add_retrain(&world, "a", "2026-08-02");
  add_retrain(&world, "b", "2026-08-03");
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "unit-costs", "fraud/retrain", "per_unit"), "30");
  EXPECT_EQ(cell(page, "unit-costs", "fraud/retrain", "per_unit_with_idle"), "33");
}

TEST(UnitCosts, NoOutcomeGivesALowerBoundNeverInfinity) {
  TestWorld world;
  world.lines = {line_of("fraud", "serving", "100")};
  world.outcomes = {{.model = "fraud", .outcome = "cases", .day = "2026-08-02", .count = "0"}};
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  // At most 3.688880 cases may stand behind a count of none: 100 / 3.688880.
  EXPECT_EQ(cell(page, "unit-costs", "fraud/cases", "per_unit").substr(0, 19),
            "more than 27.108499");
  EXPECT_EQ(cell(page, "unit-costs", "fraud/cases", "range").substr(0, 19), "more than 27.108499");
}

TEST(UnitCosts, AnOutcomeThatIsNotCountedIsUnknown) {
  TestWorld world;
  world.lines = {line_of("fraud", "serving", "100")};
  world.project.models = {{.name = "fraud", .outcome = "cases", .stage_tags = {}, .team = ""}};
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "unit-costs", "fraud/cases", "units"), "unknown");
  EXPECT_EQ(cell(page, "unit-costs", "fraud/cases", "per_unit"), "unknown");
}

TEST(UnitCosts, LimitsOfTheSourceAreSummed) {
  TestWorld world;
  world.lines = {line_of("reco", "serving", "100")};
  world.outcomes = {{.model = "reco",
                     .outcome = "clicks",
                     .day = "2026-08-02",
                     .count = "30",
                     .low = "20",
                     .high = "40"},
                    {.model = "reco",
                     .outcome = "clicks",
                     .day = "2026-08-03",
                     .count = "20",
                     .low = "5",
                     .high = "60"}};
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "unit-costs", "reco/clicks", "per_unit"), "2");
  EXPECT_EQ(cell(page, "unit-costs", "reco/clicks", "range"), "from 1 to 4");
}

TEST(UnitCosts, AnEstimateBelowZeroBoundsFromBelowOnly) {
  TestWorld world;
  world.lines = {line_of("reco", "serving", "100")};
  world.outcomes = {{.model = "reco",
                     .outcome = "clicks",
                     .day = "2026-08-02",
                     .count = "-3",
                     .low = "-8",
                     .high = "4"}};
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "unit-costs", "reco/clicks", "per_unit"), "more than 25");
}

TEST(UnitCosts, AMonthWithYoungLabelsIsPreliminaryAndHasNoTrend) {
  TestWorld world;
  world.project.policy.maturity_days = 10;
  world.lines = {line_of("fraud", "serving", "100"), line_of("fraud", "serving", "50", "2026-07")};
  world.outcomes = {{.model = "fraud", .outcome = "cases", .day = "2026-07-02", .count = "1000"},
                    {.model = "fraud", .outcome = "cases", .day = "2026-08-23", .count = "1000"}};
  world.horizon = "2026-09-01";  // eight days after the end of 23 August
  store::Store store = world.open();
  Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "outcomes", "fraud/cases", "trend"), "preliminary");
  EXPECT_EQ(page.notes.front(),
            "preliminary: labels of 2026-08 are younger than 10 days, and trends leave it out");
  world.outcomes.back().labelled_until = "2026-09-03";  // ten days: old enough
  store::Store later = world.open();
  page = report(later, world.project, question());
  EXPECT_EQ(cell(page, "outcomes", "fraud/cases", "trend"), "wasteful");
}

TEST(UnitCosts, TrendsFromBillAndCostPerOutcome) {
  TestWorld world;
  world.lines = {line_of("fraud", "serving", "200"), line_of("fraud", "serving", "100", "2026-07")};
  world.outcomes = {{.model = "fraud", .outcome = "cases", .day = "2026-07-02", .count = "10000"},
                    {.model = "fraud", .outcome = "cases", .day = "2026-08-02", .count = "20000"}};
  store::Store store = world.open();
  Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "outcomes", "fraud/cases", "trend"), "growing");
  EXPECT_EQ(cell(page, "outcomes", "fraud/cases", "bill_change"), "1 / 1 (100.0000 %)");
  EXPECT_EQ(cell(page, "outcomes", "fraud/cases", "unit_cost_change"), "0 / 1 (0.0000 %)");
  EXPECT_EQ(cell(page, "models", "fraud", "change"), "1 / 1 (100.0000 %)");
}

TEST(Trend, WordsOfTheModel) {
  EXPECT_EQ(trend_word(Direction::kDown, Direction::kUp), "starved");
  EXPECT_EQ(trend_word(Direction::kFlat, Direction::kUp), "starved");
  EXPECT_EQ(trend_word(Direction::kUp, Direction::kUp), "wasteful");
  EXPECT_EQ(trend_word(Direction::kUp, Direction::kFlat), "growing");
  EXPECT_EQ(trend_word(Direction::kUp, Direction::kDown), "growing");
  EXPECT_EQ(trend_word(Direction::kFlat, Direction::kDown), "improving");
  EXPECT_EQ(trend_word(Direction::kDown, Direction::kDown), "improving");
  EXPECT_EQ(trend_word(Direction::kFlat, Direction::kFlat), "steady");
  EXPECT_EQ(trend_word(Direction::kDown, Direction::kFlat), "shrinking");
  EXPECT_EQ(trend_word(Direction::kUp, Direction::kUndecided), "undecided");
}

TEST(Trend, FlatRatioIsPartOfFlat) {
  const Rational flat(1, 20);
  EXPECT_EQ(direction(Rational(105), Rational(100), flat), Direction::kFlat);
  EXPECT_EQ(direction(Rational(10'501, 100), Rational(100), flat), Direction::kUp);
  EXPECT_EQ(direction(Rational(95), Rational(100), flat), Direction::kFlat);
  EXPECT_EQ(direction(Rational(9'499, 100), Rational(100), flat), Direction::kDown);
}

TEST(Trend, AnIntervalThatReachesBothWaysDecidesNothing) {
  const Rational flat(1, 20);
  const UnitRange wide{Rational(2), Rational(1), Rational(4)};
  const UnitRange narrow{Rational(2), Rational(199, 100), Rational(201, 100)};
  const UnitRange up{Rational(3), Rational(22, 10), std::nullopt};
  EXPECT_EQ(direction(wide, wide, flat), Direction::kUndecided);
  EXPECT_EQ(direction(narrow, narrow, flat), Direction::kFlat);
  EXPECT_EQ(direction(up, wide, flat), Direction::kUndecided);
  EXPECT_EQ(direction(up, narrow, flat), Direction::kUp);
  EXPECT_EQ(direction(narrow, UnitRange{Rational(3), Rational(28, 10), Rational(32, 10)}, flat),
            Direction::kDown);
}

TEST(Interval, GarwoodOfNoneOneAndMany) {
  EXPECT_EQ(to_text(garwood(0).low), "0");
  EXPECT_EQ(to_text(garwood(0).high), "3.68888");  // -ln 0.025 = 3.68887945...
  EXPECT_EQ(to_text(garwood(1).low), "0.025317");  // -ln 0.975 = 0.02531780...
  EXPECT_EQ(to_text(garwood(1).high), "5.571644");
  const CountInterval many = garwood(1'000'000);
  EXPECT_GT(many.low, usd("998040"));
  EXPECT_LT(many.high, usd("1001962"));
}

TEST(Identities, ModelsCostIsRunsAndPredictionsAndTheRest) {
  TestWorld world;
  world.lines = {line_of("fraud", "training", "100"), line_of("fraud", "serving", "10"),
                 line_of("fraud", "features", "7"), line_of("reco", "training", "5")};
  for (const char* id : {"a", "b", "c"}) add_retrain(&world, id, "2026-08-02");
  world.outcomes = {
      {.model = "fraud", .outcome = "predictions", .day = "2026-08-01", .count = "7"}};
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  EXPECT_EQ(cell(page, "identities", "fraud", "per_run"), "100 / 3 (33.333333333333333333)");
  EXPECT_EQ(cell(page, "identities", "fraud", "per_prediction"), "10 / 7 (1.428571428571428571)");
  EXPECT_EQ(cell(page, "identities", "fraud", "rest"), "7");
  EXPECT_EQ(cell(page, "identities", "fraud", "cost"), "117");
  // No finished run: all of it is the rest.
  EXPECT_EQ(cell(page, "identities", "reco", "per_run"), "unknown");
  EXPECT_EQ(cell(page, "identities", "reco", "rest"), "5");
}

TEST(Identities, RunsCostIsPriceTimesWallTimesDevicesAndOtherCharges) {
  TestWorld world;
  TestLine line = line_of("fraud", "training", "0");
  line.postings[0].run_id = "r";
  line.postings[0].states = {{State::kUseful, hours(5), "15"},
                             {State::kNotBusy, hours(3), "9"},
                             {State::kUnknown, hours(8), "24"},
                             {State::kOtherCharges, 0, "2"}};
  world.lines = {line};
  world.runs = {{.run_id = "r",
                 .model = "fraud",
                 .stage = "training",
                 .state = "finished",
                 .start = "2026-08-05T00:00:00Z",
                 .end = "2026-08-05T08:00:00Z"}};
  store::Store store = world.open();
  const Document page = report(store, world.project, question());
  const std::string run = "fraud/training/r";
  EXPECT_EQ(cell(page, "run-identities", run, "cost"), "50");
  EXPECT_EQ(cell(page, "run-identities", run, "per_hour"), "3");
  EXPECT_EQ(cell(page, "run-identities", run, "wall_hours"), "28800000000000 ns (8.0000 h)");
  EXPECT_EQ(cell(page, "run-identities", run, "devices"),
            "57600000000000 / 28800000000000 (200.0000 %)");
  EXPECT_EQ(cell(page, "run-identities", run, "other_charges"), "2");
  EXPECT_EQ(cell(page, "run-identities", run, "useful_cost"), "15");
  EXPECT_EQ(cell(page, "run-identities", run, "coverage"),
            "28800000000000 / 57600000000000 (50.0000 %)");
}

}  // namespace
}  // namespace tare::measures
