#include "sources/bill/tags.h"

#include <gtest/gtest.h>

namespace tare::sources {
namespace {

std::string normal(std::string_view json) {
  const auto tags = normalise_tags(json);
  return tags ? tags->text : "-";
}

TEST(Tags, KeysAreSortedAndNothingElseChanges) {
  EXPECT_EQ(
      normal(R"({"b": 1.10, "a": "x\u00e9/y", "c": null, "d": [1, {"z":1,"y":2}], "B": true})"),
      "{\"B\":true,\"a\":\"x\xC3\xA9/y\",\"b\":1.10,\"c\":null,\"d\":[1,{\"y\":2,\"z\":1}]}");
  EXPECT_EQ(normal("{}"), "{}");
  EXPECT_EQ(normal(R"({"n": 123456789012345678901234567890})"),
            R"({"n":123456789012345678901234567890})");
  EXPECT_EQ(normal(R"({"a": 1, "a": 2})"), R"({"a":2})");
}

TEST(Tags, WhatIsNoObjectIsUnreadable) {
  for (const char* text : {"", "null", "[1]", "\"a\"", "{'a': 'b'}", "\"a\": \"b\"", "{\"a\":1",
                           "{\"a\":1}}", "{\"a\":NaN}", "{\"a\":1,}"}) {
    EXPECT_EQ(normal(text), "-") << text;
  }
  EXPECT_EQ(normal(std::string(100'000, '[')), "-");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "{\"a\":";
  EXPECT_EQ(normal(deep), "-");
}

TEST(Tags, KeysWithSpacesAroundAreSeen) {
  const auto untrimmed = [](std::string_view json) {
    return normalise_tags(json).value_or(NormalTags()).untrimmed_key;
  };
  EXPECT_TRUE(untrimmed(R"({" a":1})"));
  EXPECT_TRUE(untrimmed(R"({"a ":1})"));
  EXPECT_FALSE(untrimmed(R"({"a b":{" c":1}})"));
}

TEST(Tags, JsonStringsAreEscaped) {
  std::string out;
  append_json_string(out, "plain");
  append_json_string(out, "a\"b\\c\n\xC3\xA9");
  EXPECT_EQ(out, "\"plain\"\"a\\\"b\\\\c\\n\xC3\xA9\"");
}

}  // namespace
}  // namespace tare::sources
