#include "base/word.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tare {
namespace {

TEST(Word, IsItsText) {
  Word word("training");
  EXPECT_EQ(word.text(), "training");
  EXPECT_TRUE(word == "training");
  EXPECT_FALSE(word == "serving");
  const std::string& text = word;
  EXPECT_EQ(text, "training");
  word = "serving";
  EXPECT_EQ(word.text(), "serving");
  word.clear();
  EXPECT_TRUE(word.empty());
  EXPECT_EQ(word, Word());
  EXPECT_EQ(Word(""), Word());
}

TEST(Word, IsKeptOnceAndOrderedByText) {
  EXPECT_EQ(&Word("model-1").text(), &Word(std::string("model-") + "1").text());
  EXPECT_LT(Word("a"), Word("b"));
  EXPECT_LT(Word(), Word("a"));
  EXPECT_EQ(Word("a") <=> Word("a"), std::strong_ordering::equal);
}

TEST(WordThreads, KeepOneText) {
  constexpr int kThreads = 4, kWords = 1'000;
  std::vector<std::vector<Word>> words(kThreads);
  std::vector<std::thread> threads;
  for (std::vector<Word>& own : words) {
    threads.emplace_back([&own] {
      for (int i = 0; i < kWords; ++i) own.emplace_back("thread word " + std::to_string(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Word>& own : words) EXPECT_EQ(own, words.front());
}

}  // namespace
}  // namespace tare
