// From a figure, an account, a run, a model or a bill line back to postings, rules, runs and lines.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/errors.h"
#include "measures/meanings.h"
#include "measures/test_world.h"

namespace tare::measures {
namespace {

using store::Rule;
using store::State;

// One node: reco trains 60 of 100 USD with two runs, 15 is idle, fraud has 25; the month before 10.
void fill_explained_world(TestWorld* world) {
  const auto reco = [](const std::string& run, int64_t count, const std::string& billed) {
    return TestPosting{.account = "model/reco/training/" + run,
                       .model = "reco",
                       .stage = "training",
                       .pool = "gpu",
                       .run_id = run,
                       .states = {{State::kUseful, hours(count), billed}}};
  };
  world->lines.push_back(
      {.postings = {
           reco("r1", 4, "40"),
           reco("r2", 2, "20"),
           {.account = "model/fraud/training/f",
            .model = "fraud",
            .stage = "training",
            .pool = "gpu",
            .run_id = "f",
            .states = {{State::kNotBusy, hours(2), "25"}}},
           {.account = "idle/gpu", .pool = "gpu", .states = {{State::kNoRun, hours(1), "15"}}}}});
  world->lines.push_back({.postings = {reco("r0", 1, "10")},
                          .start = "2026-07-05",
                          .end = "2026-07-06",
                          .period = "2026-07",
                          .invoice = "inv-7"});
  world->runs = {{.run_id = "r1",
                  .model = "reco",
                  .stage = "training",
                  .state = "finished",
                  .start = "2026-08-10T00:00:00Z",
                  .end = "2026-08-10T04:00:00Z"},
                 {.run_id = "r2",
                  .model = "reco",
                  .stage = "training",
                  .state = "finished",
                  .start = "2026-08-10T04:00:00Z",
                  .end = "2026-08-10T06:00:00Z"}};
  world->holds = {{.run_id = "r1",
                   .resource = "node-1",
                   .device = "0",
                   .start = "2026-08-10T00:00:00Z",
                   .end = "2026-08-10T04:00:00Z"}};
  world->outcomes = {{.model = "reco", .outcome = "clicks", .day = "2026-08-02", .count = "30"},
                     {.model = "reco", .outcome = "clicks", .day = "2026-08-03", .count = "10"}};
}

std::string error_of(store::Store& store, const TestWorld& world, const std::string& subject) {
  try {
    explain(store, world.project, {}, subject);
    return "";
  } catch (const UserError& error) {
    return error.code() + ": " + error.hint();
  }
}

TEST(Explain, AFigureOfTheReport) {
  TestWorld world;
  fill_explained_world(&world);
  store::Store store = world.open();
  const Document answer =
      explain(store, world.project, question(), "2026-08/models/reco/training/cost");
  EXPECT_EQ(cell(answer, "explain/figure", "value", "is"), "60 USD");
  EXPECT_EQ(cell(answer, "explain/figure", "meaning", "is"),
            "allocation cost: what the model or stage was posted");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "model%2Freco%2Ftraining%2Fr1/overlap/device-time",
                 "cost"),
            "40");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "60");
  EXPECT_EQ(cell(answer, "explain/runs:USD", "r1/0", "cost"), "40");
  EXPECT_EQ(cell(answer, "explain/runs:USD", "r1/0", "end"), "2026-08-10T04:00:00Z");
  EXPECT_EQ(cell(answer, "explain/runs:USD", "total", "cost"), "60");
  EXPECT_EQ(cell(answer, "explain/holds:USD", "r1/0/node-1", "held_hours"),
            "14400000000000 ns (4.0000 h)");
  EXPECT_EQ(cell(answer, "explain/lines:USD", world.line_id(0), "cost"), "60");
  EXPECT_EQ(cell(answer, "explain/lines:USD", world.line_id(0), "billed"), "100");
  EXPECT_EQ(cell(answer, "explain/lines:USD", world.line_id(0), "file"), "bill-2026-08.csv");
  EXPECT_EQ(cell(answer, "explain/lines:USD", "total", "cost"), "60");
  EXPECT_TRUE(
      table(answer, "explain/postings:USD").notes.at(0).starts_with("device-time: The line's"));
}

TEST(Explain, TheMonthBeforeIdleAndUnitsHaveTheirOwnLineage) {
  TestWorld world;
  fill_explained_world(&world);
  store::Store store = world.open();
  Document answer = explain(store, world.project, {}, "2026-08/models/reco/before");
  EXPECT_EQ(cell(answer, "explain/figure", "value", "is"), "10 USD");
  EXPECT_EQ(cell(answer, "explain/lines:USD", world.line_id(1), "cost"), "10");
  answer = explain(store, world.project, {}, "2026-08/models/reco/training/idle");
  // 15 over 60 of reco and 25 of fraud.
  EXPECT_EQ(cell(answer, "explain/idle:USD", "2026-08/gpu/reco/training", "posted"), "60");
  EXPECT_EQ(cell(answer, "explain/idle:USD", "2026-08/gpu/reco/training", "all_posted"), "85");
  EXPECT_EQ(cell(answer, "explain/idle:USD", "total", "share") + " USD",
            cell(answer, "explain/figure", "value", "is"));
  answer = explain(store, world.project, {}, "2026-08/unit-costs/reco/clicks/per_unit");
  EXPECT_EQ(cell(answer, "explain/figure", "value", "is"), "1.5 USD");
  EXPECT_EQ(cell(answer, "explain/outcomes", "total", "count"), "40");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "60");
  answer = explain(store, world.project, {}, "2026-08/unit-costs/reco/retrain/units");
  EXPECT_EQ(cell(answer, "explain/retrains", "total", "runs"), "2");
}

TEST(Explain, StatesOfDeviceTime) {
  TestWorld world;
  fill_explained_world(&world);
  store::Store store = world.open();
  const Document answer = explain(store, world.project, {}, "2026-08/waste/useful/cost");
  EXPECT_EQ(cell(answer, "explain/device-time:USD", "model%2Freco%2Ftraining%2Fr1/useful", "cost"),
            "40");
  EXPECT_EQ(cell(answer, "explain/device-time:USD", "total", "cost"), "60");
  EXPECT_EQ(cell(answer, "explain/figure", "value", "is"), "60 USD");
}

bool is_first_or_last(const Table& table, const Row& row) {
  return &row == &table.rows.front() || &row == &table.rows.back();
}

// What was laid out sums to the figure, where the figure is a sum of money.
void expect_sum(const Document& answer, const std::string& column, const std::string& value) {
  if (column != "cost" && column != "billed" && column != "list") return;
  for (const Table& evidence : answer.tables) {
    const bool parts = evidence.id.starts_with("explain/postings:") ||
                       evidence.id.starts_with("explain/device-time:") ||
                       evidence.id.starts_with("explain/lines:");
    if (!parts) continue;
    EXPECT_EQ(cell(answer, evidence.id, "total", "cost"), value) << evidence.id;
  }
}

// Whatever figure a command shows: it can be explained.
TEST(Explain, EveryKindOfFigure) {
  TestWorld world;
  fill_explained_world(&world);
  world.lines.push_back({.postings = {{.account = "tax",
                                       .states = {{State::kOtherCharges, 0, "6"}},
                                       .rule = Rule::kTax}},
                         .currency = "EUR"});
  store::Store store = world.open();
  Question filtered = question();
  filtered.by = {"model", "team"};
  filtered.where = {{"model", "r*"}, {"resource", "node-1*"}, {"service", "*:,/%"}};
  filtered.basis = CostBasis::kList;
  int64_t figures = 0;
  for (const Document& document :
       {report(store, world.project, question()), cost(store, world.project, filtered),
        waste(store, world.project, question())}) {
    for (const Table& made : document.tables) {
      for (const Row& row : made.rows) {
        if (!is_first_or_last(made, row)) continue;
        for (size_t i = 0; i < made.columns.size(); ++i) {
          if (std::holds_alternative<std::string>(row.cells[i])) continue;
          const std::string id = made.id + "/" + row.key + "/" + made.columns[i].name;
          SCOPED_TRACE(id);
          const Document answer = explain(store, world.project, {}, id);
          EXPECT_TRUE(
              cell(answer, "explain/figure", "value", "is").starts_with(exact_text(row.cells[i])));
          if (std::holds_alternative<Money>(row.cells[i])) {
            expect_sum(answer, made.columns[i].name, exact_text(row.cells[i]));
          }
          ++figures;
        }
      }
    }
  }
  EXPECT_GT(figures, 100);
}

TEST(Explain, ACostTableSumsToItsFigure) {
  TestWorld world;
  fill_explained_world(&world);
  store::Store store = world.open();
  const Document answer =
      explain(store, world.project, {}, "2026-08/cost:stage+model=fr*/training/cost");
  EXPECT_EQ(cell(answer, "explain/figure", "value", "is"), "25 USD");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "25");
}

TEST(Explain, AnAccountARunAModelAndALine) {
  TestWorld world;
  fill_explained_world(&world);
  store::Store store = world.open();
  Document answer = explain(store, world.project, {}, "idle/gpu");
  EXPECT_EQ(cell(answer, "explain/lines:USD", "total", "cost"), "15");
  EXPECT_EQ(cell(answer, "explain/device-time:USD", "idle%2Fgpu/no-run", "cost"), "15");
  answer = explain(store, world.project, {}, "r1");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "40");
  answer = explain(store, world.project, {}, "reco");  // in all months
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "70");
  answer = explain(store, world.project, question("2026-07"), "reco");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "10");
  answer = explain(store, world.project, {}, world.line_id(0));
  EXPECT_EQ(cell(answer, "explain/line", "billed", "is"), "100 USD");
  EXPECT_EQ(cell(answer, "explain/line", "file", "is"), "bill-2026-08.csv");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "100");
  EXPECT_EQ(table(answer, "explain/postings:USD").rows.size(), 5U);
  // The id without its dashes is the same line.
  std::string bare = world.line_id(0);
  std::erase(bare, '-');
  EXPECT_EQ(cell(explain(store, world.project, {}, bare), "explain/line", "billed", "is"),
            "100 USD");
}

TEST(Explain, TheLargestTwentyAndTheRest) {
  TestWorld world;
  TestLine line;
  for (int i = 0; i < 25; ++i) {
    const std::string run = "run-" + std::to_string(i);
    line.postings.push_back({.account = "model/m/training/" + run,
                             .model = "m",
                             .stage = "training",
                             .run_id = run,
                             .states = {{State::kUseful, hours(1), std::to_string(i + 1)}}});
  }
  world.lines = {line};
  store::Store store = world.open();
  const Document answer = explain(store, world.project, {}, "m");
  EXPECT_EQ(table(answer, "explain/postings:USD").rows.size(), 22U);
  EXPECT_EQ(cell(answer, "explain/postings:USD", "others", "cost"), "15");  // 1 + 2 + 3 + 4 + 5
  EXPECT_EQ(cell(answer, "explain/postings:USD", "others", "account"), "5 others");
  EXPECT_EQ(cell(answer, "explain/postings:USD", "total", "cost"), "325");
  EXPECT_EQ(cell(answer, "explain/runs:USD", "others", "cost"), "15");
}

TEST(Explain, UnknownNamesGetTheNearest) {
  TestWorld world;
  fill_explained_world(&world);
  store::Store store = world.open();
  EXPECT_EQ(error_of(store, world, "2026-08/models/rico/training/cost"),
            "figure-unknown: did you mean '2026-08/models/reco/training/cost'?");
  EXPECT_EQ(error_of(store, world, "idle/gpv"), "figure-unknown: did you mean 'idle/gpu'?");
  EXPECT_EQ(error_of(store, world, "0123456789abcdef0123456789abcdef"),
            "figure-unknown: tare report --ids shows the ids of its figures");
}

TEST(Meanings, EachColumnHasOneMeaning) {
  for (const Meaning& meaning : meanings()) {
    EXPECT_EQ(std::count_if(meanings().begin(), meanings().end(),
                            [&](const Meaning& other) {
                              return other.table == meaning.table && other.column == meaning.column;
                            }),
              1)
        << meaning.table << " " << meaning.column;
    EXPECT_FALSE(meaning.meaning.empty());
    EXPECT_FALSE(meaning.formula.empty());
  }
}

}  // namespace
}  // namespace tare::measures
