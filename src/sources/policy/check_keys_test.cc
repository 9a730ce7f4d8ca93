// What is said to a mistake in tare.yaml.
#include <gtest/gtest.h>

#include "sources/policy/test_project.h"

namespace tare::sources {
namespace {

TEST(ProjectMistakes, AMisspeltKey) {
  const TestProject folder;
  EXPECT_EQ(folder.body_error("polcy:\n  idle: own\n"),
            "tare: tare.yaml:3:1: error[yaml-key-unknown]: unknown key 'polcy'\n"
            "  3 | polcy:\n"
            "      ^^^^^\n"
            "  hint: did you mean 'policy'?\n");
  EXPECT_EQ(folder.body_error("policy: {idel: own}\n"),
            "tare: tare.yaml:3:10: error[yaml-key-unknown]: unknown key 'idel' in 'policy'\n"
            "  3 | policy: {idel: own}\n"
            "               ^^^^\n"
            "  hint: did you mean 'idle'?\n");
  EXPECT_NE(folder.body_error("models: {a: {xyzzy: 1}}\n")
                .find("hint: known here: outcome, team, stage_tags, deploy_window, "
                      "interrupt_tolerant\n"),
            std::string::npos);
}

TEST(ProjectMistakes, AKeyGivenTwice) {
  const TestProject folder;
  EXPECT_EQ(folder.body_error("currency: EUR\n"),
            "tare: tare.yaml:3:1: error[yaml-key-twice]: the key 'currency' is given twice\n"
            "  3 | currency: EUR\n"
            "      ^^^^^^^^\n"
            "  hint: it stands on line 2 already; keep one of the two\n");
}

TEST(ProjectMistakes, AWrongForm) {
  const TestProject folder;
  EXPECT_EQ(folder.body_error("sources:\n  bill: {format: focus, path: a}\n"),
            "tare: tare.yaml:4:9: error[yaml-wrong-form]: 'sources.bill' needs a list, here is a "
            "map of keys\n"
            "  4 |   bill: {format: focus, path: a}\n"
            "              ^\n"
            "  hint: begin the entry with '- ', or put it in [ ]\n");
  EXPECT_NE(
      folder.body_error("policy: [idle]\n").find("'policy' needs a map of keys, here is a list"),
      std::string::npos);
  EXPECT_NE(folder.body_error("policy: {pool_tag: [a]}\n")
                .find("'policy.pool_tag' needs a text, here is a list"),
            std::string::npos);
  EXPECT_NE(folder.read_error("- a\n").find("the project file needs a map of keys, here is a list"),
            std::string::npos);
  EXPECT_NE(folder.read_error("").find("here is nothing"), std::string::npos);
}

TEST(ProjectMistakes, AMissingKey) {
  const TestProject folder;
  EXPECT_EQ(folder.read_error("project: a\n"),
            "tare: tare.yaml:1:1: error[yaml-key-missing]: the project file lacks the key "
            "'currency': the currency of reports\n"
            "  1 | project: a\n"
            "      ^\n"
            "  hint: add 'currency: USD'\n");
  EXPECT_NE(folder.body_error("sources: {runs: [{path: a.csv}]}\n")
                .find("'sources.runs[1]' lacks the key 'format'"),
            std::string::npos);
  EXPECT_NE(folder.read_error("project:\ncurrency: USD\n").find("lacks the key 'project'"),
            std::string::npos);
}

TEST(ProjectMistakes, AWrongValue) {
  const TestProject folder;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"policy: {idle: ownn}\n", "'policy.idle' needs one of own, proportional, not 'ownn'"},
      {"policy: {idle: ownn}\n", "hint: did you mean 'own'?"},
      {"policy: {split: money}\n", "'policy.split' needs device-time, not 'money'"},
      {"policy: {idle_after: 15}\n", "needs a duration such as 6h, 15m or 1d12h, not '15'"},
      {"policy: {min_coverage: 1.5}\n", "needs a decimal from 0 to 1, not '1.5'"},
      {"policy: {min_coverage: NaN}\n", "needs a decimal from 0 to 1, not 'NaN'"},
      {"policy: {maturity_days: -1}\n", "needs a whole number of zero or more, not '-1'"},
      {"policy: {run_id_tags: [a, \"\"]}\n", "'policy.run_id_tags[2]' needs a text, not ''"},
      {"models: {a: {interrupt_tolerant: yes}}\n", "needs true or false, not 'yes'"},
      {"models: {a: {stage_tags: {serving: fraud}}}\n", "needs key=value-pattern, not 'fraud'"},
      {"models: {a: {stage_tags: {serving: {a: b, c: d}}}}\n", "named by exactly one tag"},
      {"time_zone: Europe/Berlin\n", "hint: names of regions are not read by this version"},
      {"basis: net\n", "needs one of billed, effective, list, contracted, not 'net'"},
      {"pools: {\"\": t}\n", "has an empty name"},
      {"pools: {p: }\n", "here is nothing"},
      {"shapes: {s: }\n", "'shapes.s' lacks the key 'devices'"},
      {"shapes: {s: {devices: 1.5}}\n", "needs a whole number"},
      {"quality: {m: {budget: 0.1}}\n", "lacks the key 'metric'"},
      {"assumptions: [{check: c, at_least: much}]\n", "needs a decimal, not 'much'"},
      {"assumptions: [{chek: c}]\n", "did you mean 'check'?"},
  };
  for (const auto& [body, part] : cases) {
    EXPECT_NE(folder.body_error(body).find(part), std::string::npos)
        << body << folder.body_error(body) << part;
  }
  EXPECT_NE(folder.read_error("project: a\ncurrency: usd\n").find("hint: write 'USD'"),
            std::string::npos);
  EXPECT_NE(folder.read_error("project: a\ncurrency: USX\n").find("a currency code of ISO 4217"),
            std::string::npos);
}

TEST(ProjectMistakes, AnUnknownFormat) {
  const TestProject folder;
  EXPECT_EQ(folder.body_error("sources:\n  bill:\n    - {format: focsu, path: a}\n"),
            "tare: tare.yaml:5:16: error[format-unknown]: unknown format 'focsu' in "
            "'sources.bill[1].format'\n"
            "  5 |     - {format: focsu, path: a}\n"
            "                     ^^^^^\n"
            "  hint: did you mean 'focus'?\n");
  EXPECT_NE(folder.body_error("sources: {aliases: [{format: zzz, path: a}]}\n")
                .find("hint: formats here: aliases\n"),
            std::string::npos);
  EXPECT_NE(
      folder.body_error("sources: {bill: [{format: runs, path: a}]}\n")
          .find("error[format-misplaced]: format 'runs' stands under 'sources.runs', not here"),
      std::string::npos);
}

TEST(ProjectMistakes, AFormatOfALaterVersion) {
  const TestProject folder;
  EXPECT_EQ(folder.body_error("sources: {runs: [{format: mlflow, path: a}]}\n"),
            "tare: tare.yaml:3:27: error[format-not-read]: format 'mlflow' is not read by this "
            "version\n"
            "  3 | sources: {runs: [{format: mlflow, path: a}]}\n"
            "                                ^^^^^^\n"
            "  hint: remove the entry, or bring the data in as format runs or retrain-data\n");
  const std::vector<std::string> entries = {
      "runs: [{format: mlflow, uri: \"http://127.0.0.1:5000\"}]",
      "telemetry: [{format: dcgm-prometheus, url: \"http://127.0.0.1:9090\"}]",
  };
  for (const std::string& entry : entries) {
    EXPECT_NE(folder.body_error("sources: {" + entry + "}\n").find("is not read by this version"),
              std::string::npos)
        << entry << folder.body_error("sources: {" + entry + "}\n");
  }
  // Their form is checked all the same.
  EXPECT_NE(folder.body_error("sources: {rates: [{format: rates, pth: x}]}\n")
                .find("did you mean 'path'?"),
            std::string::npos);
}

TEST(ProjectMistakes, APathThatLeadsOutside) {
  const TestProject folder;
  EXPECT_EQ(folder.body_error("sources: {runs: [{format: runs, path: ../runs.csv}]}\n"),
            "tare: tare.yaml:3:39: error[path-outside]: '../runs.csv' lies outside the project's "
            "folder\n"
            "  3 | sources: {runs: [{format: runs, path: ../runs.csv}]}\n"
            "                                            ^^^^^^^^^^^\n"
            "  hint: write it as an absolute path if it is meant\n");
  EXPECT_NE(folder.body_error("sources: {runs: [{format: runs, path: a/../../b}]}\n")
                .find("path-outside"),
            std::string::npos);
  EXPECT_EQ(folder.body_error("sources: {runs: [{format: runs, path: a/../b}]}\n"), "no error");
  EXPECT_NE(folder.body_error("sources: {runs: [{format: runs, uri: \"http://x\"}]}\n")
                .find("error[path-missing]: format 'runs' is read from files and needs a 'path'"),
            std::string::npos);
}

TEST(ProjectMistakes, AMappingOfWhatTheFormatLacks) {
  const TestProject folder;
  EXPECT_NE(folder.body_error("sources: {runs: [{format: runs, path: a, columns: {stat: b}}]}\n")
                .find("error[column-unknown]: format 'runs' has no column 'stat'"),
            std::string::npos);
  EXPECT_NE(folder.body_error("sources: {bill: [{format: bill, path: a, columns: {csot: b}}]}\n")
                .find("did you mean 'cost'?"),
            std::string::npos);
  EXPECT_NE(folder
                .body_error("sources: {runs: [{format: runs, path: a, "
                            "columns: {model: {column: b, unit: s}}}]}\n")
                .find("column 'model' is not a time and has no unit"),
            std::string::npos);
  EXPECT_EQ(folder.body_error("sources: {runs: [{format: runs, path: a, "
                              "columns: {start: {column: b, unit: s}}}]}\n"),
            "no error");
  EXPECT_NE(folder
                .body_error("sources: {runs: [{format: runs, path: a, "
                            "columns: {start: {column: b, unit: h}}}]}\n")
                .find("needs one of iso, s, ms, us, ns, not 'h'"),
            std::string::npos);
  EXPECT_NE(folder.body_error("sources: {holds: [{format: holds, path: a, model: m}]}\n")
                .find("format 'holds' has no column 'model' that this could stand for"),
            std::string::npos);
  EXPECT_NE(folder.body_error("sources: {runs: [{format: runs, path: a, basis: list}]}\n")
                .find("unknown key 'basis'"),
            std::string::npos);
}

TEST(ProjectMistakes, SourcesOfOneName) {
  const TestProject folder;
  EXPECT_NE(folder
                .body_error("sources: {runs: [{format: runs, path: a, name: x}], "
                            "holds: [{format: holds, path: b, name: x}]}\n")
                .find("error[source-name-twice]: two sources are named 'x'"),
            std::string::npos);
  EXPECT_NE(folder.body_error("sources: {runs: [{format: runs, path: a, name: \"x\\ny\"}]}\n")
                .find("error[yaml-value]"),
            std::string::npos);
}

TEST(ProjectMistakes, SharesAndRules) {
  const TestProject folder;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"shares: [{run: r, models: {a: 1/3, b: 1/3}}]\n", "error[shares-not-one]"},
      {"shares: [{run: r, models: {a: 3/2}}]\n", "needs a fraction from 0 to 1"},
      {"shares: [{run: r}]\n", "a share needs either 'models' or 'by'"},
      {"shares: [{run: r, by: requests, models: {a: 1}}]\n", "a share needs either"},
      {"shares: [{run: r, by: money}]\n", "needs requests, not 'money'"},
      {"policy: {shared: {x: declared}}\n", "the rule 'declared' needs 'models'"},
      {"policy: {shared: {x: {rule: equal}}}\n", "does not say which charges"},
      {"policy: {shared: {x: {match: {service: y}, rule: declared}}}\n", "go together"},
      {"policy: {shared: {x: {match: {service: y}, rule: equal, models: {a: 1}}}}\n",
       "go together"},
      {"policy: {shared: {x: {match: {servcie: y}}}}\n", "did you mean 'service'?"},
      {"policy: {shared: {x: fair}}\n", "needs one of keep, proportional, by-request"},
      {"identity: [{match: {}, model: m}]\n", "would match every line"},
      {"identity: [{match: {a: x}}]\n", "lacks the key 'model'"},
      {"identity: [{match: {a: x}, model: \"${b}\"}]\n", "'${b}' is no tag of this rule's match"},
      {"identity: [{match: {a: x}, model: \"${a\"}]\n", "'${' lacks its '}'"},
  };
  for (const auto& [body, part] : cases) {
    EXPECT_NE(folder.body_error(body).find(part), std::string::npos)
        << body << folder.body_error(body) << part;
  }
}

}  // namespace
}  // namespace tare::sources
