#include "sources/policy/keys.h"

#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sources/policy/test_project.h"

namespace tare::sources {
namespace {

TEST(ProjectKeys, PromisedNamesAreKnown) {
  const std::vector<std::string> promised = {
      "project", "currency", "time_zone", "basis",   "sources",     "models", "identity",
      "shares",  "policy",   "pools",     "quality", "assumptions", "engine", "shapes"};
  std::set<std::string> known;
  for (const Key& key : project_keys().keys) known.insert(key.name);
  EXPECT_EQ(known, std::set<std::string>(promised.begin(), promised.end()));
}

// Every key that a person meets says what it is for.
void expect_documented(const Key& key, const std::string& path) {
  for (const Key& child : key.keys) {
    const std::string name = path + "." + child.name;
    const bool is_value = child.form != KeyForm::kMap && child.form != KeyForm::kNames;
    if (!child.name.empty() && child.name.front() != '<' && is_value) {
      EXPECT_FALSE(child.doc.empty()) << name;
      EXPECT_FALSE(child.doc.ends_with('.')) << name;
    }
    EXPECT_EQ(child.form == KeyForm::kChoice, !child.values.empty()) << name;
    expect_documented(child, name);
  }
}

TEST(ProjectKeys, AreDocumented) { expect_documented(project_keys(), ""); }

TEST(ProjectKeys, TheSchemaIsTheCommittedOne) {
  EXPECT_TRUE(nlohmann::json::accept(project_json_schema()));
  expect_committed("docs/tare.schema.json", project_json_schema());
}

TEST(ProjectKeys, TheReferenceIsTheCommittedOne) {
  const std::string path = "docs/project-file.md";
  const std::string mark =
      "<!-- printed from the tables of keys and columns; below this line nothing is written by "
      "hand "
      "-->\n";
  const std::string text = read_file(path);
  const size_t at = text.find(mark);
  ASSERT_NE(at, std::string::npos) << path;
  expect_committed(path, text.substr(0, at + mark.size()) + "\n" + project_keys_markdown());
}

}  // namespace
}  // namespace tare::sources
