#include "cli/progress_line.h"

#include <thread>

#include <gtest/gtest.h>

#include "base/instant.h"

namespace tare::cli {
namespace {

constexpr int64_t kTenth = kNsPerSecond / 10;

struct Screen {
  std::string written;
  int64_t now_ns = 0;
  ProgressLine::Terminal terminal(int width = 80) {
    return {.write = [this](std::string_view text) { written += text; },
            .now_ns = [this] { return now_ns; },
            .width = width};
  }
};

TEST(ProgressText, GrowsWithWhatIsKnown) {
  EXPECT_EQ(progress_text({.stage = "sorting"}, 0), "sorting");
  EXPECT_EQ(progress_text({.stage = "reading a.csv", .done = 1234567}, 0),
            "reading a.csv: 1,234,567 rows");
  EXPECT_EQ(progress_text({.stage = "reading a.csv", .done = 1200, .total = 3000}, kTenth),
            "reading a.csv: 1,200 of 3,000 rows");
  EXPECT_EQ(progress_text({.stage = "reading a.csv", .done = 1000, .total = 3000}, kNsPerSecond),
            "reading a.csv: 1,000 of 3,000 rows, 1,000 rows/s, 3 s left");
  EXPECT_EQ(
      progress_text({.stage = "reading a.csv", .done = 3000, .total = 3000}, 2 * kNsPerSecond),
      "reading a.csv: 3,000 of 3,000 rows, 1,500 rows/s");
}

TEST(ProgressText, ANameFromDataMovesNoCursor) {
  EXPECT_EQ(progress_text({.stage = "reading a\x1b[2J.csv"}, 0), "reading a\\x1b[2J.csv");
}

TEST(ProgressLineOnScreen, LeavesNoTraceOfQuickWork) {
  Screen screen;
  {
    ProgressLine line(screen.terminal());
    for (screen.now_ns = 0; screen.now_ns < kNsPerSecond; screen.now_ns += kTenth) {
      line.show({.stage = "reading", .done = 1});
    }
  }
  EXPECT_EQ(screen.written, "");
}

TEST(ProgressLineOnScreen, IsDrawnAfterASecondNotTooOftenAndErasedAtTheEnd) {
  Screen screen;
  {
    ProgressLine line(screen.terminal());
    screen.now_ns = kNsPerSecond;
    line.show({.stage = "reading"});
    screen.now_ns += kTenth / 2;
    line.show({.stage = "sorting"});
    screen.now_ns += kTenth / 2;
    line.show({.stage = "posting"});
  }
  EXPECT_EQ(screen.written, "\r\x1b[Kreading\r\x1b[Kposting\r\x1b[K");
}

TEST(ProgressLineOnScreen, FitsTheTerminalWhateverTheName) {
  Screen screen;
  ProgressLine line(screen.terminal(10));
  screen.now_ns = kNsPerSecond;
  line.show({.stage = "été après été"});
  EXPECT_EQ(screen.written, "\r\x1b[Kété après");
}

TEST(ProgressLineOnScreen, WithoutATerminalSaysNothing) {
  ProgressLine line({});
  line.show({.stage = "reading"});
  line.erase();
  EXPECT_FALSE(progress_terminal(false).write);
}

TEST(ProgressLineThreads, MayAllTell) {
  Screen screen;
  std::atomic<int64_t> now = kNsPerSecond;
  ProgressLine::Terminal terminal = screen.terminal();
  terminal.now_ns = [&now] { return now += kTenth; };
  ProgressLine line(terminal);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&line] {
      for (int64_t row = 1; row <= 100; ++row) line.show({.stage = "reading", .done = row});
    });
  }
  for (std::thread& thread : threads) thread.join();
  line.erase();
  EXPECT_TRUE(screen.written.ends_with("\r\x1b[K"));
}

}  // namespace
}  // namespace tare::cli
