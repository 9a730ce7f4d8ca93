#include "sources/policy/yaml_tree.h"

#include <gtest/gtest.h>

namespace tare::sources {
namespace {

YamlFile parse(const std::string& text) { return YamlFile::parse(text, "tare.yaml"); }

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const UserError& error) {
    return to_text(error);
  }
  return "no error";
}

TEST(YamlTree, KeepsTextsAsWritten) {
  const YamlFile file = parse("a: 1e3\nb: no\nc: 06\nd: \"~\"\ne: ~\nf:\ng: 'x: y'\n");
  EXPECT_EQ(file.root().find("a")->text, "1e3");
  EXPECT_EQ(file.root().find("b")->text, "no");
  EXPECT_EQ(file.root().find("c")->text, "06");
  EXPECT_EQ(file.root().find("d")->text, "~");
  EXPECT_EQ(file.root().find("e"), nullptr);
  EXPECT_EQ(file.root().find("f"), nullptr);
  EXPECT_EQ(file.root().find("g")->text, "x: y");
  EXPECT_EQ(file.root().find("h"), nullptr);
}

TEST(YamlTree, KnowsPlaces) {
  const YamlFile file = parse("a: 1\nlist:\n  - {x: \"two words\", y: z}\n");
  const YamlNode& entry = *file.root().find("list")->items[0];
  EXPECT_EQ(to_text(file.place_of(entry)), "tare.yaml:3:5");
  EXPECT_EQ(to_text(file.place_of(entry.entries[1])), "tare.yaml:3:22");
  const Place place = file.place_of(*entry.find("x"));
  EXPECT_EQ(to_text(place), "tare.yaml:3:9");
  EXPECT_EQ(place.caret_length, 11);  // with its quotes
  EXPECT_EQ(place.source_line, "  - {x: \"two words\", y: z}");
}

TEST(YamlTree, RefusesAKeyGivenTwice) {
  EXPECT_EQ(error_of("policy:\n  idle: own\ncurrency: USD\npolicy:\n  split: device-time\n"),
            "tare: tare.yaml:4:1: error[yaml-key-twice]: the key 'policy' is given twice\n"
            "  4 | policy:\n"
            "      ^^^^^^\n"
            "  hint: it stands on line 1 already; keep one of the two\n");
}

TEST(YamlTree, SaysWhereItIsNotYaml) {
  EXPECT_EQ(error_of("a: [1, 2\nb: 3\n"),
            "tare: tare.yaml:2:2: error[yaml-syntax]: this is not YAML: end of sequence flow not "
            "found\n"
            "  2 | b: 3\n"
            "       ^\n");
  EXPECT_NE(error_of("a:\n\t- b\n").find("error[yaml-syntax]"), std::string::npos);
  EXPECT_NE(error_of("a: !!int 3\n").find("the tag 'tag:yaml.org,2002:int' is not understood"),
            std::string::npos);
  EXPECT_NE(error_of("[a]: b\n").find("a key must be a text"), std::string::npos);
  EXPECT_NE(error_of("a: 1\n---\nb: 2\n").find("several documents"), std::string::npos);
}

TEST(YamlTree, RefusesAQuoteThatIsNeverClosed) {
  EXPECT_EQ(error_of("project: acme\npolicy: {pool_tag: \"team}\ncurrency: USD\n"),
            "tare: tare.yaml:2:20: error[yaml-syntax]: a quote is never closed\n"
            "  2 | policy: {pool_tag: \"team}\n"
            "                         ^\n");
  const std::string place = "tare.yaml:1:4: error[yaml-syntax]: a quote is never closed";
  EXPECT_NE(error_of("a: \"b").find(place), std::string::npos);
  EXPECT_NE(error_of("a: 'b''\n").find(place), std::string::npos);
  EXPECT_NE(error_of("a: \"b\\\"\n").find(place), std::string::npos);
  EXPECT_NE(error_of("a: &x # why\n  'b\n").find("tare.yaml:2:3"), std::string::npos);
}

TEST(YamlTree, TakesQuotesThatAreClosed) {
  const YamlFile file =
      parse("a: 'it''s'\nb: \"\\\\\"\nc: it's \"so\nd: |\n  \"\ne: &x \"two\n  lines\"\nf: \"\"\n");
  EXPECT_EQ(file.root().find("a")->text, "it's");
  EXPECT_EQ(file.root().find("b")->text, "\\");
  EXPECT_EQ(file.root().find("c")->text, "it's \"so");
  EXPECT_EQ(file.root().find("d")->text, "\"\n");
  EXPECT_EQ(file.root().find("e")->text, "two lines");
  EXPECT_EQ(file.root().find("f")->text, "");
}

TEST(YamlTree, RefusesWhatIsNoText) {
  EXPECT_EQ(error_of("project: caf\xC3\xA9\nteam: caf\xE9\n"),
            "tare: tare.yaml:2:10: error[yaml-syntax]: this is not UTF-8\n"
            "  2 | team: caf\\xe9\n"
            "               ^^^^\n"
            "  hint: write it as UTF-8: iconv -f LATIN1 -t UTF-8 FILE > NEW\n");
  EXPECT_NE(error_of("\xFF\xFEp\0").find("tare.yaml:1:1"), std::string::npos);
  // The parser takes a byte of 4 for the end of the file.
  EXPECT_NE(error_of("a: 1\nb\x04: 2\n").find("tare.yaml:2:2: error[yaml-syntax]: a control"),
            std::string::npos);
}

TEST(YamlTree, LeavesOutAByteOrderMark) {
  const YamlFile file = parse(
      "\xEF\xBB\xBF"
      "a: 1\n");
  EXPECT_EQ(to_text(file.place_of(*file.root().find("a"))), "tare.yaml:1:4");
}

TEST(YamlTree, FollowsAliasesButNotIntoThemselves) {
  const YamlFile file = parse("a: &x {k: v}\nb: *x\n");
  EXPECT_EQ(file.root().find("b")->find("k")->text, "v");
  EXPECT_NE(error_of("a: &x [*x]\n").find("the value that it stands in"), std::string::npos);
  EXPECT_NE(error_of("a: *y\n").find("error[yaml-syntax]"), std::string::npos);
}

TEST(YamlTree, AnEmptyFileIsNothing) {
  EXPECT_EQ(parse("").root().kind, YamlKind::kNull);
  EXPECT_EQ(parse("# a comment\n").root().kind, YamlKind::kNull);
}

// A file of many levels must end in a message, not in a full stack.
TEST(YamlTree, RefusesDepthWithoutEnd) {
  EXPECT_NE(error_of(std::string(100'000, '[')).find("error[yaml-syntax]"), std::string::npos);
  EXPECT_NE(error_of(std::string(100'000, '{')).find("error[yaml-syntax]"), std::string::npos);
}

}  // namespace
}  // namespace tare::sources
