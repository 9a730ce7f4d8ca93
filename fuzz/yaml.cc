// Any bytes as YAML: a tree of which each node has its place in the text, and of a text that is
// UTF-8; or one error of the user's.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors.h"
#include "base/printable.h"
#include "sources/policy/yaml_tree.h"

namespace {

using tare::sources::YamlEntry;
using tare::sources::YamlFile;
using tare::sources::YamlNode;

constexpr int kDeepest = 200;   // aliases can make a small file large:
constexpr int kMost = 100'000;  // no more nodes are looked at

void check_place(const tare::Place& place, const std::string& text) {
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  TARE_ASSERT(place.line >= 1 && place.line <= lines, "the line is in the file");
  TARE_ASSERT(
      place.column >= 1 && place.column <= static_cast<int64_t>(place.source_line.size()) + 1,
      "the column is in the line");
  TARE_ASSERT(place.caret_length >= 1, "there is something to point at");
}

void check_node(const YamlFile& file, const YamlNode& node, const std::string& text, int depth,
                int* looked_at) {
  if (depth > kDeepest || ++*looked_at > kMost) return;
  check_place(file.place_of(node), text);
  for (const auto& item : node.items) check_node(file, *item, text, depth + 1, looked_at);
  for (const YamlEntry& entry : node.entries) {
    check_place(file.place_of(entry), text);
    TARE_ASSERT(entry.value != nullptr, "a key has a value");
    check_node(file, *entry.value, text, depth + 1, looked_at);
  }
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const tare::CodePoint point = tare::first_code_point(text);
    if (!point.valid) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const std::string text(bytes, bytes + count);
  try {
    const YamlFile file = YamlFile::parse(text, "tare.yaml");
    TARE_ASSERT(is_utf8(text), "a text is UTF-8");
    int looked_at = 0;
    check_node(file, file.root(), text, 0, &looked_at);
  } catch (const tare::UserError& error) {
    TARE_ASSERT(error.code() == "yaml-syntax" || error.code() == "yaml-key-twice",
                "an error of YAML");
    check_place(error.place(), text);
  }
  return 0;
}
