#include "cli/progress_line.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "base/instant.h"
#include "base/printable.h"
#include "cli/console.h"
#include "cli/interrupt.h"

namespace tare::cli {
namespace {

constexpr int64_t kSilentNs = kNsPerSecond;
constexpr int64_t kRedrawNs = kNsPerSecond / 10;
constexpr std::string_view kErase = "\r\033[K";

std::string grouped(int64_t value) {
  std::string text = std::to_string(value);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

// The first `width` code points.
std::string cut_to(std::string text, size_t width) {
  std::string_view rest = text;
  for (size_t i = 0; i < width && !rest.empty(); ++i) {
    rest.remove_prefix(first_code_point(rest).bytes);
  }
  text.resize(text.size() - rest.size());
  return text;
}

int64_t monotonic_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::string progress_text(const ProgressEvent& event, int64_t elapsed_ns) {
  std::string text = printable(event.stage);
  if (event.done <= 0) return text;
  text += ": " + grouped(event.done);
  if (event.total > 0) text += " of " + grouped(event.total);
  text += " rows";
  if (elapsed_ns < kNsPerSecond) return text;  // too early for a rate
  const double seconds = static_cast<double>(elapsed_ns) / static_cast<double>(kNsPerSecond);
  const double rate = static_cast<double>(event.done) / seconds;
  text += ", " + grouped(static_cast<int64_t>(rate)) + " rows/s";
  if (event.total > event.done && rate >= 1) {
    const double left = static_cast<double>(event.total - event.done) / rate;
    text += ", " + duration_text((static_cast<int64_t>(left) + 1) * kNsPerSecond) + " left";
  }
  return text;
}

ProgressLine::ProgressLine(Terminal terminal) : terminal_(std::move(terminal)) {
  if (terminal_.write) started_ns_ = terminal_.now_ns();
}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::show(const ProgressEvent& event) {
  if (!terminal_.write) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const int64_t now = terminal_.now_ns();
  if (event.stage != stage_) {
    stage_ = event.stage;
    stage_started_ns_ = now;
  }
  if (now - started_ns_ < kSilentNs) return;
  if (drawn_ns_ && now - *drawn_ns_ < kRedrawNs) return;
  drawn_ns_ = now;
  visible_ = true;
  note_progress_line(true);
  // One column is left free: some terminals wrap when the last one is written.
  const auto room = static_cast<size_t>(terminal_.width > 1 ? terminal_.width - 1 : 1);
  terminal_.write(std::string(kErase) +
                  cut_to(progress_text(event, now - stage_started_ns_), room));
}

void ProgressLine::erase() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!visible_) return;
  terminal_.write(kErase);
  visible_ = false;
  note_progress_line(false);
}

ProgressLine::Terminal progress_terminal(bool wanted) {
  const char* kind = std::getenv("TERM");
  const bool capable = kind != nullptr && std::strcmp(kind, "dumb") != 0;
  if (!wanted || !capable || !is_terminal(STDERR_FILENO)) return {};
  ProgressLine::Terminal terminal;
  terminal.write = [](std::string_view text) { write_stderr(text); };
  terminal.now_ns = monotonic_ns;
  if (const int width = terminal_width(STDERR_FILENO); width > 0) terminal.width = width;
  return terminal;
}

}  // namespace tare::cli
