#include "base/errors.h"

#include <gtest/gtest.h>

namespace tare {
namespace {

TEST(UserErrorText, PlaceCaretAndHint) {
  const UserError error("cost-not-decimal", "cost '1.234,50' is not a decimal number",
                        "this export writes ',' as decimal mark",
                        {"bill/2026-10.csv", 48213, 17, "node-7,gpu-hour,\"1.234,50\",USD", 10});
  EXPECT_EQ(to_text(error),
            "tare: bill/2026-10.csv:48213:17: error[cost-not-decimal]: cost '1.234,50' is not a "
            "decimal number\n"
            "  48213 | node-7,gpu-hour,\"1.234,50\",USD\n"
            "                          ^^^^^^^^^^\n"
            "  hint: this export writes ',' as decimal mark\n");
  EXPECT_STREQ(error.what(), "cost '1.234,50' is not a decimal number");
  EXPECT_EQ(error.code(), "cost-not-decimal");
}

TEST(UserErrorText, AsMuchAsIsKnown) {
  EXPECT_EQ(to_text(UserError("no-project", "there is no tare.yaml here")),
            "tare: error[no-project]: there is no tare.yaml here\n");
  EXPECT_EQ(to_text(UserError("c", "m", "", {"f.csv"})), "tare: f.csv: error[c]: m\n");
  EXPECT_EQ(to_text(UserError("c", "m", "", {"f.csv", 3})), "tare: f.csv:3: error[c]: m\n");
  EXPECT_EQ(to_text(UserError("c", "m", "", {"", 3, 5})), "tare: 3:5: error[c]: m\n");
  EXPECT_EQ(to_text(Place{"f", 0, 5}), "f");
}

TEST(UserErrorText, CaretsStandUnderTheirWordWhateverTheBytes) {
  // Two bytes, one column on the terminal; a tab is shown as a space; carets end with the line.
  EXPECT_EQ(to_text(UserError("c", "m", "", {"f", 1, 9, "größe\tx,y", 30})),
            "tare: f:1:9: error[c]: m\n"
            "  1 | größe x,y\n"
            "            ^^^\n");
  EXPECT_EQ(to_text(UserError("c", "m", "",
                              {"f", 1, 4,
                               "\x1b"
                               "ab",
                               1})),
            "tare: f:1:4: error[c]: m\n"
            "  1 | \\x1bab\n"
            "            ^\n");
}

TEST(UserErrorText, LongLinesShowTheSurroundings) {
  const std::string line = std::string(500, 'a') + "bad" + std::string(500, 'z');
  const std::string text = to_text(UserError("c", "m", "", {"f", 7, 501, line, 3}));
  EXPECT_EQ(text, "tare: f:7:501: error[c]: m\n  7 | ..." + std::string(40, 'a') + "bad" +
                      std::string(77, 'z') + "...\n" + std::string(49, ' ') + "^^^\n");
}

TEST(UserErrorText, DataForgesNoMessage) {
  const std::string text = to_text(
      UserError("c", "model 'x\ntare: error[y]: \x1b[31mz'", "h\x07", {"a\nb", 1, 1, "q\rw"}));
  EXPECT_EQ(text,
            "tare: a\\x0ab:1:1: error[c]: model 'x\n"
            "  tare: error[y]: \\x1b[31mz'\n"
            "  1 | q\\x0dw\n"
            "      ^\n"
            "  hint: h\\x07\n");
}

TEST(NearestWord, WithinAThirdOfTheLength) {
  const std::vector<std::string> words = {"cost", "waste", "reconcile", "report", "levers"};
  const auto nearest = [&](std::string_view word) { return nearest_word_in(word, words); };
  EXPECT_EQ(nearest("cots"), "cost");
  EXPECT_EQ(nearest("cst"), "cost");
  EXPECT_EQ(nearest("recncile"), "reconcile");
  EXPECT_EQ(nearest("repotr"), "report");
  EXPECT_EQ(nearest("LEVERS"), "levers");
  EXPECT_EQ(nearest("lever"), "levers");
  EXPECT_EQ(nearest("xyz"), "");
  EXPECT_EQ(nearest("wa"), "");
  EXPECT_EQ(nearest(""), "");
  EXPECT_EQ(nearest(std::string(100'000, 'a')), "");
  EXPECT_EQ(nearest_word("cost", nullptr, 0), "");
}

TEST(NearestWord, TheNearestAndThenTheFirst) {
  const std::vector<std::string_view> words = {"stage", "stages", "state", "stale"};
  EXPECT_EQ(nearest_word_in("stagess", words), "stages");
  EXPECT_EQ(nearest_word_in("stane", words), "stage");
}

TEST(AssertionDeath, NamesTheBugAndExitsWith3) {
  EXPECT_EXIT(TARE_ASSERT(1 + 1 == 3, "sums hold"), testing::ExitedWithCode(3),
              "tare: bug: sums hold\n  src/base/errors_test.cc:[0-9]+: 1 \\+ 1 == 3\n");
  TARE_ASSERT(true, "passes");
}

}  // namespace
}  // namespace tare
