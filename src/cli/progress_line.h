// The one line on a terminal that says how far long work has come. Nothing is shown in the first
// second, and the line is erased at the end, so quick work leaves no trace.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace tare::cli {

class ProgressLine {
 public:
  // What the line needs of the world, replaceable for tests. No `write`: the line is never shown.
  struct Terminal {
    std::function<void(std::string_view)> write;
    std::function<int64_t()> now_ns;
    int width = 80;
  };
  explicit ProgressLine(Terminal terminal);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const ProgressEvent& event);  // from any thread
  void erase();
  Progress callback() {
    return [this](const ProgressEvent& event) { show(event); };
  }

 private:
  Terminal terminal_;
  std::mutex mutex_;
  std::string stage_;
  int64_t started_ns_ = 0;
  int64_t stage_started_ns_ = 0;
  std::optional<int64_t> drawn_ns_;
  bool visible_ = false;
};

// stderr where it is a terminal and `wanted`, else one that shows nothing.
ProgressLine::Terminal progress_terminal(bool wanted);

// "reading bill.csv: 1,200,000 of 3,000,000 rows, 400,000 rows/s, 4 s left".
std::string progress_text(const ProgressEvent& event, int64_t elapsed_ns);

}  // namespace tare::cli
