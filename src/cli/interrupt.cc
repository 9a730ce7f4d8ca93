#include "cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <exception>
#include <string>
#include <string_view>
#include <unistd.h>

#include "base/errors.h"

namespace tare::cli {
namespace {

constexpr int kExitBug = 3;
constexpr int kExitInterrupted = 130;

// A signal handler has no argument of ours, so what it must know is global.
std::atomic<bool> progress_line_shown = false;  // NOLINT(*-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free);

// Only what is async-signal-safe: write and _exit.
void end_now(std::string_view text, int code) {
  constexpr std::string_view kErase = "\r\033[K";
  if (progress_line_shown) {
    [[maybe_unused]] const ssize_t erased = ::write(STDERR_FILENO, kErase.data(), kErase.size());
  }
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(code);
}

void on_interrupt(int) { end_now("tare: interrupted\n", kExitInterrupted); }

void on_abort(int) { end_now("tare: bug: the program aborted\n", kExitBug); }

void on_terminate() {
  std::string what = "an error that nobody caught";
  if (const std::exception_ptr current = std::current_exception()) {
    try {
      std::rethrow_exception(current);
    } catch (const std::exception& error) {
      what += std::string(": ") + error.what();
    } catch (...) {
      what += " and that has no text";
    }
  }
  fail_assertion("std::terminate is never called", __FILE__, __LINE__, what);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

void handle_unless_ignored(int signal, void (*handler)(int)) {
  struct sigaction before = {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) handle(signal, handler);
}

}  // namespace

void install_signal_handlers() {
  handle_unless_ignored(SIGINT, on_interrupt);
  handle_unless_ignored(SIGTERM, on_interrupt);
  handle(SIGABRT, on_abort);
  handle(SIGPIPE, SIG_IGN);
  std::set_terminate(on_terminate);
}

void note_progress_line(bool shown) { progress_line_shown = shown; }

}  // namespace tare::cli
