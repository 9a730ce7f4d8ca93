#include "base/errors.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "base/printable.h"

namespace tare {
namespace {

constexpr size_t kMaxShownBytes = 120;  // of a source line; a row of a bill has thousands
constexpr size_t kBeforeCaret = 40;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last(b.size() + 1), current(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    before_last = last;
    last = current;
  }
  return last[b.size()];
}

std::string without_tabs(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '\t', ' ');
  return out;
}

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// "  12 | the line" and the carets below the place.
std::string marked_line(const Place& place) {
  const std::string line = without_tabs(place.source_line);
  const size_t caret =
      place.column > 0 ? std::min(static_cast<size_t>(place.column - 1), line.size()) : 0;
  size_t first = line.size() > kMaxShownBytes && caret > kBeforeCaret ? caret - kBeforeCaret : 0;
  size_t last = std::min(line.size(), first + kMaxShownBytes);
  while (first > 0 && continues_code_point(line[first])) --first;
  while (last < line.size() && continues_code_point(line[last])) ++last;
  const std::string_view shown = std::string_view(line).substr(first, last - first);
  const std::string left = first > 0 ? "..." : "";
  const std::string right = last < line.size() ? "..." : "";
  const std::string gutter =
      place.line > 0 ? "  " + std::to_string(place.line) + " | " : std::string("  | ");
  std::string text = gutter + left + printable(shown) + right + "\n";
  if (place.column <= 0) return text;
  const size_t before = display_width(printable(shown.substr(0, caret - first)));
  const auto wanted = static_cast<size_t>(std::max<int64_t>(place.caret_length, 1));
  const size_t carets = display_width(printable(shown.substr(caret - first, wanted)));
  text.append(gutter.size() + left.size() + before, ' ');
  text.append(std::max<size_t>(carets, 1), '^');
  return text + "\n";
}

std::string indented_lines(std::string_view text) {
  std::string out;
  while (true) {
    const size_t end = text.find('\n');
    out += printable(text.substr(0, end));
    out += '\n';
    if (end == std::string_view::npos || end + 1 == text.size()) return out;
    text.remove_prefix(end + 1);
    out += "  ";
  }
}

}  // namespace

std::string to_text(const Place& place) {
  std::string text = place.file;
  if (place.line > 0) {
    if (!text.empty()) text += ':';
    text += std::to_string(place.line);
    if (place.column > 0) text += ":" + std::to_string(place.column);
  }
  return text;
}

UserError::UserError(std::string code, std::string message, std::string hint, Place place)
    : std::runtime_error(message),
      code_(std::move(code)),
      message_(std::move(message)),
      hint_(std::move(hint)),
      place_(std::move(place)) {}

std::string to_text(const UserError& error) {
  std::string text = "tare: ";
  if (const std::string place = to_text(error.place()); !place.empty()) {
    text += printable(place) + ": ";
  }
  text += "error[" + error.code() + "]: " + indented_lines(error.message());
  if (!error.place().source_line.empty()) text += marked_line(error.place());
  if (!error.hint().empty()) text += "  hint: " + indented_lines(error.hint());
  return text;
}

std::string nearest_word(std::string_view word, const std::string* words, size_t count) {
  constexpr size_t kLongestWord = 256;  // the distance costs the product of both lengths
  if (word.size() > kLongestWord) return "";
  std::string best;
  size_t best_distance = word.size() / 3 + 1;
  for (size_t i = 0; i < count; ++i) {
    const std::string& candidate = words[i];
    const size_t longer = std::max(candidate.size(), word.size());
    const size_t shorter = std::min(candidate.size(), word.size());
    if (longer - shorter >= best_distance) continue;  // no fewer edits than letters to add
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

void fail_assertion(const char* expression, const char* file, int line, std::string_view what) {
  const std::string_view path(file);
  const size_t root = path.rfind("src/");
  const std::string text =
      "tare: bug: " + printable(what) + "\n  " +
      std::string(root == std::string_view::npos ? path : path.substr(root)) + ":" +
      std::to_string(line) + ": " + expression +
      "\n  hint: this is a defect of tare; please report it with these lines\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  std::abort();  // the signal makes a fuzzer keep its input
#else
  constexpr int kExitBug = 3;
  std::_Exit(kExitBug);
#endif
}

}  // namespace tare
