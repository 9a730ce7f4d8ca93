#include "timeline/aliases.h"

#include <algorithm>
#include <set>

namespace tare::timeline {
namespace {

constexpr size_t kLongestChain = 64;

bool is_azure_id(std::string_view id) {
  constexpr std::string_view kPrefix = "/subscriptions/";
  if (id.size() < kPrefix.size()) return false;
  for (size_t i = 0; i < kPrefix.size(); ++i) {
    char c = id[i];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c != kPrefix[i]) return false;
  }
  return true;
}

}  // namespace

std::string folded_id(std::string_view id) {
  std::string folded(id);
  if (!is_azure_id(id)) return folded;
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

Aliases::Aliases(const std::vector<AliasRow>& rows, Findings* findings) {
  for (const AliasRow& row : rows) {
    Target target{folded_id(row.resource_id), row.device, row.from_ns.value_or(INT64_MIN),
                  row.to_ns.value_or(kNoEnd)};
    by_alias_[folded_id(row.alias)].push_back(std::move(target));
  }
  for (auto& [alias, targets] : by_alias_) {
    // The newest start wins where two overlap; equal starts: the lesser resource id.
    std::sort(targets.begin(), targets.end(), [](const Target& a, const Target& b) {
      return std::tie(b.from_ns, a.resource_id, a.device, a.to_ns) <
             std::tie(a.from_ns, b.resource_id, b.device, b.to_ns);
    });
    for (size_t i = 1; i < targets.size(); ++i) {
      const Target& later = targets[i - 1];
      const Target& earlier = targets[i];
      bool differ = later.resource_id != earlier.resource_id || later.device != earlier.device;
      if (differ && earlier.to_ns > later.from_ns && later.to_ns > earlier.from_ns) {
        findings->add({.code = "alias-conflict",
                       .source = "",
                       .subject = alias,
                       .cost = {},
                       .currency = "",
                       .place = alias,
                       .text = later.resource_id + " and " + earlier.resource_id});
      }
    }
  }
  std::set<std::pair<std::string, size_t>> looping;
  for (const auto& [alias, targets] : by_alias_) {
    for (size_t i = 0; i < targets.size(); ++i) {
      if (loops(alias, targets[i])) looping.insert({alias, i});
    }
  }
  for (auto entry = looping.rbegin(); entry != looping.rend(); ++entry) {
    auto& targets = by_alias_[entry->first];
    findings->add({.code = "alias-loop",
                   .source = "",
                   .subject = entry->first,
                   .cost = {},
                   .currency = "",
                   .place = entry->first,
                   .text = targets[entry->second].resource_id});
    targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(entry->second));
  }
  std::erase_if(by_alias_, [](const auto& entry) { return entry.second.empty(); });
}

const Aliases::Target* Aliases::find(const std::string& id, int64_t instant_ns) const {
  auto found = by_alias_.find(id);
  if (found == by_alias_.end()) return nullptr;
  for (const Target& target : found->second) {
    if (target.from_ns <= instant_ns && instant_ns < target.to_ns) return &target;
  }
  return nullptr;
}

bool Aliases::loops(const std::string& start, const Target& first) const {
  // Time is left out on purpose: names that lead to each other at different times are as unusable.
  std::vector<std::string> open = {first.resource_id};
  std::set<std::string> seen;
  while (!open.empty()) {
    std::string id = std::move(open.back());
    open.pop_back();
    if (id == start) return true;
    if (!seen.insert(id).second) continue;
    auto found = by_alias_.find(id);
    if (found == by_alias_.end()) continue;
    for (const Target& target : found->second) open.push_back(target.resource_id);
  }
  return false;
}

Identity Aliases::resolve(std::string_view id, int64_t instant_ns) const {
  Identity identity{folded_id(id), std::nullopt};
  if (by_alias_.empty()) return identity;
  for (size_t step = 0; step < kLongestChain; ++step) {
    const Target* target = find(identity.resource_id, instant_ns);
    if (target == nullptr) break;
    identity.resource_id = target->resource_id;
    if (target->device) identity.device = target->device;
  }
  return identity;
}

std::vector<int64_t> Aliases::changes(std::string_view id, Span span) const {
  std::vector<int64_t> instants;
  if (by_alias_.empty()) return instants;
  std::vector<std::string> open = {folded_id(id)};
  std::set<std::string> seen;
  while (!open.empty()) {
    std::string name = std::move(open.back());
    open.pop_back();
    if (!seen.insert(name).second) continue;
    auto found = by_alias_.find(name);
    if (found == by_alias_.end()) continue;
    for (const Target& target : found->second) {
      for (int64_t instant : {target.from_ns, target.to_ns}) {
        if (span.start_ns < instant && instant < span.end_ns) instants.push_back(instant);
      }
      open.push_back(target.resource_id);
    }
  }
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  return instants;
}

}  // namespace tare::timeline
