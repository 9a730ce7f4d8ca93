// YAML text as a tree in which every node knows its place. The only door to yaml-cpp.
//
// Scalars stay text as written ("1e3", "no" and "06" are not numbers, booleans or octals here):
// what a scalar means is decided by the key it stands under. Anchors and aliases work; a key given
// twice in a map is an error, as are several documents, tags and keys that are not text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"

namespace tare::sources {

enum class YamlKind : uint8_t { kNull, kText, kList, kMap };

struct YamlNode;
struct YamlEntry {
  std::string key;
  int64_t line = 0, column = 0;  // of the key
  std::shared_ptr<const YamlNode> value;
};

struct YamlNode {
  YamlKind kind = YamlKind::kNull;
  int64_t line = 0, column = 0;
  std::string text;                                    // kText
  std::vector<std::shared_ptr<const YamlNode>> items;  // kList
  std::vector<YamlEntry> entries;                      // kMap, in the file's order

  // The value of a key; null where the map lacks it or it is empty ("key:" or "key: null").
  const YamlNode* find(std::string_view key) const;
};

class YamlFile {
 public:
  // `shown_path` is what messages call the file. Throws UserError yaml-syntax, yaml-key-twice.
  static YamlFile parse(std::string text, std::string shown_path);

  const YamlNode& root() const { return *root_; }
  Place place_of(const YamlNode& node) const;
  Place place_of(const YamlEntry& entry) const;
  Place place_at(int64_t line, int64_t column, int64_t length) const;

 private:
  std::string text_, shown_path_;
  std::shared_ptr<const YamlNode> root_;
};

}  // namespace tare::sources
