#include "base/glob.h"

namespace tare {
namespace {

char folded(char c, Case letters) {
  return letters == Case::kFold && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text, Case letters) {
  // Only the last '*' needs to be taken back: an earlier one can always stay at its shortest.
  size_t p = 0, t = 0;
  size_t star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || folded(pattern[p], letters) == folded(text[t], letters))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tare
