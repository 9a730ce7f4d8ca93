#include "cli/console.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/ioctl.h>

#include "base/printable.h"

namespace tare::cli {
namespace {

// 0, or the errno of the write that failed.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool wants_colour(int fd, const Options& options) {
  if (options.color != ColorWhen::kAuto) return options.color == ColorWhen::kAlways;
  const char* terminal = std::getenv("TERM");
  return !is_set("NO_COLOR") && is_terminal(fd) && terminal != nullptr &&
         std::strcmp(terminal, "dumb") != 0;
}

Style style_for(int fd, const Options& options) {
  Style style;
  style.colour = wants_colour(fd, options);
  style.ids = options.ids;
  // A query's own columns are not for tare to fold where no one looks at them.
  if (options.command->id == CommandId::kSql) style.width = 0;
  if (const int width = terminal_width(fd); width > 0) style.width = width;
  return style;
}

}  // namespace

void hold_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) == -1) {
      // The lowest free number is this one.
      ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

void write_stdout(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw ClosedPipe{};
  if (error != 0) {
    throw UserError("output-not-written",
                    std::string("standard output can't be written: ") + std::strerror(error));
  }
}

void write_stderr(std::string_view text) { write_all(STDERR_FILENO, text); }

bool is_terminal(int fd) { return ::isatty(fd) == 1; }

int terminal_width(int fd) {
  winsize size = {};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void answer(const Document& document, const Options& options) {
  std::string text;
  write(text, document, options.format, style_for(STDOUT_FILENO, options));
  write_stdout(text);
}

void say(std::string_view text, const Options& options) {
  if (!options.quiet) write_stderr("tare: " + printable(text) + "\n");
}

void say_detail(std::string_view text, const Options& options) {
  if (options.verbose) say(text, options);
}

void say_document(const Document& document, const Options& options) {
  if (options.quiet) return;
  std::string text;
  write(text, document, Format::kText, style_for(STDERR_FILENO, options));
  write_stderr(text);
}

std::string error_text(const UserError& error, bool as_json) {
  if (!as_json) return to_text(error);
  nlohmann::ordered_json object = {{"code", error.code()}, {"message", error.message()}};
  const Place& place = error.place();
  if (!place.file.empty()) object["file"] = place.file;
  if (place.line > 0) object["line"] = place.line;
  if (place.line > 0 && place.column > 0) object["column"] = place.column;
  if (!place.source_line.empty()) object["source_line"] = place.source_line;
  if (!error.hint().empty()) object["hint"] = error.hint();
  // Names in data need not be UTF-8; what is not becomes U+FFFD.
  const nlohmann::ordered_json whole = {{"schema_version", 1}, {"error", object}};
  return whole.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace tare::cli
