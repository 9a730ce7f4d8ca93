#include "base/word.h"

#include <mutex>
#include <unordered_set>

namespace tare {
namespace {

struct Hash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace

const std::string* Word::empty_text() {
  static const std::string kEmpty;
  return &kEmpty;
}

const std::string* Word::kept(std::string_view text) {
  if (text.empty()) return empty_text();
  static std::mutex mutex;
  static std::unordered_set<std::string, Hash, std::equal_to<>> words;
  const std::lock_guard lock(mutex);
  const auto known = words.find(text);
  return &*(known != words.end() ? known : words.emplace(text).first);
}

}  // namespace tare
