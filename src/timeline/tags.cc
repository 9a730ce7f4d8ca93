#include <algorithm>

#include <nlohmann/json.hpp>

#include "timeline/timeline.h"

namespace tare::timeline {

std::string folded_tag_key(std::string_view key) {
  while (!key.empty() && (key.front() == ' ' || key.front() == '\t')) key.remove_prefix(1);
  while (!key.empty() && (key.back() == ' ' || key.back() == '\t')) key.remove_suffix(1);
  std::string folded(key);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

Tags parse_tags(std::string_view json) {
  Tags tags;
  auto object = nlohmann::ordered_json::parse(json, nullptr, false);
  if (!object.is_object()) return tags;
  for (const auto& [key, value] : object.items()) {
    if (value.is_null()) continue;
    tags.emplace_back(folded_tag_key(key),
                      value.is_string() ? value.get<std::string>() : value.dump());
  }
  std::stable_sort(tags.begin(), tags.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  size_t kept = 0;
  for (auto& tag : tags) {
    if (kept > 0 && tags[kept - 1].first == tag.first) {
      tags[kept - 1].second = std::move(tag.second);
    } else if (&tags[kept] != &tag) {
      tags[kept++] = std::move(tag);
    } else {
      ++kept;
    }
  }
  tags.resize(kept);
  return tags;
}

std::string pool_of_line(const BillDim& dim, const std::string& pool_key) {
  const DimText& text = dim[DimColumn::kTags];
  if (!text || (pool_key.empty() && text->find(kCardPoolTag) == std::string::npos)) return "";
  const Tags tags = parse_tags(*text);
  const std::string* pool = pool_key.empty() ? nullptr : tag_value(tags, pool_key);
  if (pool == nullptr || pool->empty()) pool = tag_value(tags, kCardPoolTag);
  return pool == nullptr ? "" : *pool;
}

const std::string* tag_value(const Tags& tags, std::string_view folded_key) {
  auto found =
      std::lower_bound(tags.begin(), tags.end(), folded_key,
                       [](const auto& tag, std::string_view key) { return tag.first < key; });
  return found != tags.end() && found->first == folded_key ? &found->second : nullptr;
}

}  // namespace tare::timeline
