// What all plain formats share: columns, times, files that do not change, files that can't be used.
#include <filesystem>

#include <gtest/gtest.h>

#include "sources/plain/test_load.h"

namespace tare::sources {
namespace {

constexpr const char* kRuns = "run_id,model,stage,state,start,end\n";

std::string run(const std::string& id) {
  return id + ",m,training,finished,2026-08-01T00:00:00Z,2026-08-02T00:00:00Z\n";
}

TEST(LoadPlain, MapsColumnsAndUnits) {
  TestSource source("runs", "runs",
                    "columns: {run_id: id, start: {column: begin, unit: ms}, "
                    "end: {column: finish, unit: s}, rows_in: records}");
  source.file("runs.csv",
              "id,model,stage,state,begin,finish,records\n"
              "r1,m,training,finished,1785542400123,1785542401.5,7\n");
  source.load();
  EXPECT_EQ(source.query("SELECT run_id, start_ns, end_ns, rows_in FROM run"),
            Texts{"r1|1785542400123000000|1785542401500000000|7"});
}

TEST(LoadPlain, ColumnsStandInAnyOrderAmongOthers) {
  TestSource source("runs", "runs");
  source.file("runs.csv",
              " end ,x,state,stage,model,run_id,start\n"
              "2026-08-02,?, finished,training,m,\t r1 ,2026-08-01\n");
  source.load();
  EXPECT_EQ(source.query("SELECT run_id, state, model FROM run"), Texts{"r1|finished|m"});
}

TEST(LoadPlain, AMissingColumn) {
  TestSource source("runs", "runs");
  source.file("runs.csv", "run_id,modle,stage,state,start,end\n" + run("r1"));
  EXPECT_EQ(source.load_error(),
            "tare: in/runs.csv:1:1: error[missing-column]: format 'runs' needs the column 'model', "
            "the file has 'run_id', 'modle', 'stage', 'state', 'start', 'end'\n"
            "  1 | run_id,modle,stage,state,start,end\n"
            "      ^\n"
            "  hint: if 'modle' is meant, name it in tare.yaml: columns: {model: modle}\n");
}

// The mapping is what is wrong, and it stands in tare.yaml.
TEST(LoadPlain, AMappedColumnThatIsNotThere) {
  TestSource source("runs", "runs", "columns: {team: squad}");
  source.file("runs.csv", kRuns + run("r1"));
  EXPECT_EQ(
      source.load_error(),
      "tare: tare.yaml:3:60: error[missing-column]: 'in/runs.csv' has no column 'squad', which "
      "stands for 'team'; it has 'run_id', 'model', 'stage', 'state', 'start', 'end'\n"
      "  3 | sources: {runs: [{format: runs, path: in/, columns: {team: squad}}]}\n"
      "                                                                 ^^^^^\n"
      "  hint: name the column as the file's header does\n");
}

TEST(LoadPlain, AnotherDelimiterIsFound) {
  TestSource source("aliases", "aliases");
  source.file("a.csv", "alias;resource_id\na,1;i-1\n")
      .file("b.tsv", "alias\tresource_id\nb\ti-2\n");
  source.load();
  EXPECT_EQ(source.query("SELECT alias, resource_id FROM alias"), (Texts{"a,1|i-1", "b|i-2"}));
}

TEST(LoadPlain, FilesThatCantBeUsed) {
  TestSource empty("runs", "runs");
  empty.file("runs.csv", "");
  EXPECT_NE(empty.load_error().find("error[file-empty]"), std::string::npos) << empty.load_error();
  TestSource cut("runs", "runs");
  cut.file("runs.csv", "\x1f\x8b\x08 not gzip");
  EXPECT_NE(cut.load_error().find("error[gzip-damaged]"), std::string::npos) << cut.load_error();
  TestSource twice("runs", "runs");
  twice.file("runs.csv", "run_id,run_id,model,stage,state,start,end\n");
  EXPECT_NE(twice.load_error().find("error[column-twice]"), std::string::npos);
  TestSource none("runs", "runs");
  none.file("readme", "");
  EXPECT_NE(none.load_error().find("error[file-missing]"), std::string::npos);
  // What can't be used leaves nothing behind.
  EXPECT_FALSE(std::filesystem::exists(store::store_directory(cut.folder().path())));
}

TEST(LoadPlain, AHeaderOnlyIsNoRows) {
  TestSource source("runs", "runs");
  source.file("runs.csv", kRuns);
  const SourceResult result = source.load();
  EXPECT_TRUE(source.rows().empty());
  EXPECT_EQ(result.inputs[0].rows_in, 0);
  EXPECT_EQ(result.files[0].rows, 0);
}

TEST(LoadPlain, ATimeWithoutZoneIsUtcWithAFindingARow) {
  const std::string text = std::string(kRuns) +
                           "r1,m,s,finished,2026-08-01T00:00:00,2026-08-01T01:00:00\n"
                           "r2,m,s,finished,2026-08-01T00:00:00Z,2026-08-01 03:00\n"
                           "r3,m,s,finished,2026-08-01,2026-08-02T00:00:00+02:00\n";
  TestSource source("runs", "runs");
  source.file("runs.csv", text);
  source.load();
  EXPECT_EQ(source.findings(),
            Texts{"time-zone-missing 2: in/runs.csv:2:17 2026-08-01T00:00:00; in/runs.csv:3:38 "
                  "2026-08-01 03:00"});
  EXPECT_EQ(source.query("SELECT start_ns FROM run WHERE run_id = 'r1'"),
            Texts{"1785542400000000000"});

  TestSource utc("runs", "runs", "time_zone: UTC");
  utc.file("runs.csv", text).load();
  EXPECT_TRUE(utc.findings().empty());

  TestSource east("runs", "runs", "time_zone: \"+02:00\"");
  east.file("runs.csv", text).load();
  EXPECT_TRUE(east.findings().empty());
  EXPECT_EQ(east.query("SELECT start_ns, end_ns FROM run"),
            (Texts{"1785535200000000000|1785538800000000000",   // two hours earlier
                   "1785542400000000000|1785546000000000000",   // only the one without a zone
                   "1785542400000000000|1785621600000000000"})  // a day has no zone to give
  );
}

TEST(LoadPlain, FilesOfAFolderMakeOneTable) {
  TestSource source("runs", "runs");
  source.file("b.csv", kRuns + run("r2")).file("a/x.csv", kRuns + run("r1") + run("r3"));
  const SourceResult result = source.load();
  EXPECT_EQ(source.query("SELECT run_id FROM run"), (Texts{"r1", "r3", "r2"}));
  ASSERT_EQ(result.inputs.size(), 2U);
  EXPECT_EQ(result.inputs[0].file, "in/a/x.csv");
  EXPECT_EQ(result.inputs[0].rows_used, 2);
  EXPECT_EQ(result.inputs[1].rows_used, 1);
  EXPECT_EQ(result.files.size(), 1U);
  EXPECT_EQ(result.will_read, (Texts{"in/a/x.csv", "in/b.csv"}));
}

TEST(LoadPlain, WhatDidNotChangeIsNotRead) {
  TestSource source("runs", "runs");
  source.file("a.csv", kRuns + run("r1")).file("b.csv", kRuns + run("r2"));
  const SourceResult first = source.load();
  const SourceResult second = source.load();
  EXPECT_TRUE(second.will_read.empty());
  EXPECT_EQ(second.files[0].name, first.files[0].name);
  EXPECT_EQ(second.files[0].rows, 2);
  EXPECT_EQ(second.inputs[0].sha256, first.inputs[0].sha256);
  EXPECT_EQ(second.inputs[0].rows_used, 1);
  EXPECT_TRUE(source.load({.verify = true}).will_read.empty());

  // New times on old bytes are no change either, and are remembered.
  source.file("a.csv", kRuns + run("r1"));
  const SourceResult touched = source.load();
  EXPECT_TRUE(touched.will_read.empty());
  EXPECT_EQ(touched.files[0].name, first.files[0].name);

  EXPECT_EQ(source.load({.full_refresh = true}).will_read.size(), 2U);
  EXPECT_EQ(source.catalog().files[0].name, first.files[0].name);
}

TEST(LoadPlain, WhatChangedIsReadAgain) {
  TestSource source("runs", "runs");
  source.file("a.csv", kRuns + run("r1")).file("b.csv", kRuns + run("r2"));
  const std::string first = source.load().files[0].name;
  source.file("a.csv", kRuns + run("r9"));  // the same size
  EXPECT_EQ(source.load({.dry_run = true}).will_read.size(), 2U);
  EXPECT_EQ(source.catalog().files[0].name, first);
  EXPECT_NE(source.load().files[0].name, first);
  EXPECT_EQ(source.query("SELECT run_id FROM run"), (Texts{"r9", "r2"}));
  // A file that went away.
  std::filesystem::remove(source.folder().path() + "/in/b.csv");
  EXPECT_EQ(source.load().inputs.size(), 1U);
  EXPECT_EQ(source.query("SELECT run_id FROM run"), Texts{"r9"});
  // A store file that did.
  std::filesystem::remove_all(store::store_directory(source.folder().path()));
  EXPECT_EQ(source.load().will_read.size(), 1U);
  EXPECT_EQ(source.query("SELECT run_id FROM run"), Texts{"r9"});
}

TEST(LoadPlain, AMappingThatChangesReadsAgain) {
  const TestProject folder;
  folder.write("in/a.csv", "alias,resource_id,other\na,i-1,i-2\n");
  store::Catalog catalog;
  const auto load = [&](const std::string& columns) {
    const Project project =
        folder.read_body("sources: {aliases: [{format: aliases, path: in/" + columns + "}]}\n");
    const Source& source = project.sources[0];
    const SourceResult result =
        load_plain_source(project, source, find_files(project, source), catalog, {}, {});
    catalog.inputs = result.inputs;
    catalog.files = result.files;
    return result.files[0].name;
  };
  const std::string first = load("");
  EXPECT_NE(load(", columns: {resource_id: other}"), first);
  EXPECT_EQ(load(""), first);
}

// More problems than examples are kept, in one column and over several chunks of the stream.
TEST(LoadPlain, CountsAllProblemsAndKeepsSome) {
  std::string text = "alias,resource_id,from\n";
  for (int row = 0; row < 5000; ++row) {
    text += row % 2 == 0 ? "a,i-1,soon\n" : ",i-1,\n";
  }
  TestSource source("aliases", "aliases");
  source.file("a.csv", text);
  const SourceResult result = source.load();
  EXPECT_EQ(result.inputs[0].rows_quarantined, 2500);
  EXPECT_EQ(result.inputs[0].rows_used, 2500);
  EXPECT_EQ(source.query("SELECT code, rows FROM finding ORDER BY code"),
            (Texts{"cell-unreadable|2500", "row-unreadable|2500"}));
  EXPECT_EQ(source.query("SELECT code, count(*), min(place) FROM finding_example GROUP BY code "
                         "ORDER BY code"),
            (Texts{"cell-unreadable|100|in/a.csv:100:7", "row-unreadable|100|in/a.csv:101:1"}));
  EXPECT_EQ(source.query("SELECT count(*), count(DISTINCT place) FROM quarantine"),
            Texts{"2500|2500"});
}

TEST(LoadPlain, TwoThreadsMakeTheSameFile) {
  std::string text = kRuns;
  for (int row = 0; row < 10'000; ++row) text += run("r" + std::to_string(row));
  TestSource source("runs", "runs");
  source.file("runs.csv", text);
  source.load({.threads = 1});
  const Texts one = source.query("SELECT run_id FROM run");
  source.load({.threads = 2, .full_refresh = true});
  EXPECT_EQ(source.query("SELECT run_id FROM run"), one);
  EXPECT_EQ(one.size(), 10'000U);
  EXPECT_EQ(one[9'999], "r9999");
}

TEST(LoadPlain, ReadsParquet) {
  TestSource source("runs", "runs");
  source.file("placeholder", "");
  {
    store::Database database;
    store::Connection connection = database.connect();
    connection.query(
        "COPY (SELECT 'r1' AS run_id, 'm' AS model, 's' AS stage, 'finished' AS state, "
        "TIMESTAMPTZ '2026-08-01 00:00:00+00' AS start, TIMESTAMPTZ '2026-08-02 00:00:00+00' AS "
        "\"end\", "
        "1.0::DOUBLE AS attempt UNION ALL SELECT 'r2', NULL, 's', 'failed', TIMESTAMPTZ "
        "'2026-08-01 00:00:00+00', NULL, NULL) TO " +
        store::quote_text(source.folder().path() + "/in/runs.parquet") + " (FORMAT parquet)");
  }
  source.load();
  EXPECT_EQ(
      source.query("SELECT run_id, attempt, model, start_ns, end_ns FROM run"),
      (Texts{"r1|1|m|1785542400000000000|1785628800000000000", "r2|0||1785542400000000000|-"}));
  EXPECT_TRUE(source.findings().empty());
}

}  // namespace
}  // namespace tare::sources
