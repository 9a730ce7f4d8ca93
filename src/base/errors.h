// Three kinds of wrong: a bug asserts (exit 3), a user's mistake throws one UserError (exit 2), bad
// data becomes a counted finding (base/findings.h).
#pragma once

#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tare {

// Where in an input a message points. Lines and columns count from 1; 0 means unknown.
struct Place {
  std::string file;
  int64_t line = 0;
  int64_t column = 0;         // in bytes
  std::string source_line{};  // the text of that line, to draw a caret under; may be empty
  int64_t caret_length = 1;   // in bytes
};
std::string to_text(const Place& place);  // "file:line:column", as much of it as is known

class UserError : public std::runtime_error {
 public:
  UserError(std::string code, std::string message, std::string hint = "", Place place = {});
  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const Place& place() const { return place_; }

 private:
  std::string code_, message_, hint_;
  Place place_;
};

// "tare: place: error[code]: message", the line with carets (its surroundings only, where it is
// long), "hint: ...". Ends in a newline. What comes from data is made printable; a message of
// several lines is indented from its second on, so that no data can forge a message.
std::string to_text(const UserError& error);

// The nearest of `words` to `word` within an edit distance of a third of its length, or "": the
// first of equals. A swap of two neighbours is one edit; the case of ASCII letters is none.
std::string nearest_word(std::string_view word, const std::string* words, size_t count);
template <typename Container>
std::string nearest_word_in(std::string_view word, const Container& words) {
  std::vector<std::string> texts;
  texts.reserve(std::size(words));
  for (const auto& candidate : words) texts.emplace_back(candidate);
  return nearest_word(word, texts.data(), texts.size());
}

// Prints one line to stderr and ends the process with exit code 3, without destructors: the store's
// files are immutable, so that there is nothing to undo.
[[noreturn]] void fail_assertion(const char* expression, const char* file, int line,
                                 std::string_view what);

}  // namespace tare

// On in release too: money and time invariants must never pass in silence.
#define TARE_ASSERT(condition, what)                                  \
  do {                                                                \
    if (!(condition)) [[unlikely]] {                                  \
      ::tare::fail_assertion(#condition, __FILE__, __LINE__, (what)); \
    }                                                                 \
  } while (false)
