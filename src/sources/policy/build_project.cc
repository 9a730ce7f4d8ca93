#include "sources/policy/build_project.h"

#include <algorithm>

#include "base/decimal_text.h"
#include "sources/policy/values.h"

namespace tare::sources {
namespace {

int64_t duration_or(const YamlNode& map, std::string_view key, int64_t otherwise_ns) {
  const YamlNode* value = map.find(key);
  return value == nullptr ? otherwise_ns : parse_duration(value->text).value_or(otherwise_ns);
}

int64_t count_or(const YamlNode& map, std::string_view key, int64_t otherwise) {
  const YamlNode* value = map.find(key);
  return value == nullptr ? otherwise : parse_integer(value->text).value_or(otherwise);
}

void set_ratio(const YamlNode& map, std::string_view key, std::string* target) {
  if (const YamlNode* value = map.find(key)) *target = parse_ratio(value->text).value_or(*target);
}

std::pair<std::string, std::string> tag_match(const YamlFile& file, const YamlNode& value) {
  if (value.kind == YamlKind::kText) {
    const size_t equals = value.text.find('=');
    return {value.text.substr(0, equals), value.text.substr(equals + 1)};
  }
  if (value.entries.size() != 1) {
    throw UserError("yaml-value", "a stage is named by exactly one tag",
                    "write key=value-pattern; several tags go under 'identity'",
                    file.place_of(value));
  }
  return {value.entries[0].key, value.entries[0].value->text};
}

std::vector<ModelPolicy> build_models(const YamlFile& file) {
  std::vector<ModelPolicy> models;
  const YamlNode* names = file.root().find("models");
  if (names == nullptr) return models;
  for (const YamlEntry& entry : names->entries) {
    ModelPolicy& model = models.emplace_back();
    model.name = entry.key;
    const YamlNode& map = *entry.value;
    model.outcome = text_of(map, "outcome");
    model.team = text_of(map, "team");
    if (const YamlNode* stages = map.find("stage_tags")) {
      for (const YamlEntry& stage : stages->entries) {
        model.stage_tags[stage.key] = tag_match(file, *stage.value);
      }
    }
    model.deploy_window_ns = duration_or(map, "deploy_window", 0);
    model.interrupt_tolerant = text_of(map, "interrupt_tolerant") == "true";
  }
  std::sort(models.begin(), models.end(),
            [](const ModelPolicy& a, const ModelPolicy& b) { return a.name < b.name; });
  return models;
}

// ${tag} must name a tag of `match`: another might be absent where the rule matches.
void check_placeholders(const YamlFile& file, const YamlNode& rule, const char* key) {
  const YamlNode* value = rule.find(key);
  if (value == nullptr) return;
  const YamlNode& match = *rule.find("match");
  for (size_t at = value->text.find("${"); at != std::string::npos;
       at = value->text.find("${", at + 2)) {
    const size_t end = value->text.find('}', at);
    const std::string tag =
        end == std::string::npos ? "" : value->text.substr(at + 2, end - at - 2);
    if (match.find(tag) != nullptr) continue;
    throw UserError("yaml-value",
                    end == std::string::npos ? "'${' lacks its '}'"
                                             : "'${" + tag + "}' is no tag of this rule's match",
                    end == std::string::npos ? "" : "add " + tag + ": \"*\" to match",
                    file.place_of(*value));
  }
}

std::vector<IdentityRule> build_identity(const YamlFile& file) {
  std::vector<IdentityRule> rules;
  const YamlNode* list = file.root().find("identity");
  if (list == nullptr) return rules;
  for (const auto& item : list->items) {
    IdentityRule& rule = rules.emplace_back();
    rule.place = file.place_of(*item);
    const YamlNode& match = *item->find("match");
    if (match.entries.empty()) {
      throw UserError("yaml-value", "an identity rule without tags would match every line",
                      "add a tag to match", file.place_of(match));
    }
    for (const YamlEntry& tag : match.entries) rule.match.emplace_back(tag.key, tag.value->text);
    // All must match, so their order says nothing.
    std::sort(rule.match.begin(), rule.match.end());
    for (const char* key : {"model", "stage", "team"}) check_placeholders(file, *item, key);
    rule.model = text_of(*item, "model");
    rule.stage = text_of(*item, "stage");
    rule.team = text_of(*item, "team");
  }
  return rules;
}

Policy build_policy(const YamlFile& file) {
  Policy policy;
  const YamlNode* map = file.root().find("policy");
  if (map == nullptr) return policy;
  if (const YamlNode* split = map->find("split")) policy.split = split->text;
  policy.idle_proportional = text_of(*map, "idle") == "proportional";
  policy.credits_follow = text_of(*map, "credits") == "follow";
  if (const YamlNode* shared = map->find("shared")) policy.shared = build_shared(file, *shared);
  policy.pool_tag = text_of(*map, "pool_tag");
  if (const YamlNode* tags = map->find("run_id_tags")) {
    policy.run_id_tags.clear();
    for (const auto& tag : tags->items) policy.run_id_tags.push_back(tag->text);
  }
  set_ratio(*map, "flat_ratio", &policy.flat_ratio);
  set_ratio(*map, "min_coverage", &policy.min_coverage);
  set_ratio(*map, "efficient_sm_active", &policy.efficient_sm_active);
  policy.idle_after_ns = duration_or(*map, "idle_after", policy.idle_after_ns);
  policy.silence_ns = duration_or(*map, "silence", policy.silence_ns);
  policy.maturity_days = count_or(*map, "maturity_days", policy.maturity_days);
  return policy;
}

std::vector<InstanceType> build_shapes(const YamlFile& file) {
  std::vector<InstanceType> shapes;
  const YamlNode* names = file.root().find("shapes");
  if (names == nullptr) return shapes;
  for (const YamlEntry& entry : names->entries) {
    if (entry.value->kind == YamlKind::kNull) {
      throw UserError("yaml-key-missing", "'shapes." + entry.key + "' lacks the key 'devices'",
                      "add 'devices: 8'", file.place_of(entry));
    }
    shapes.push_back({entry.key, count_or(*entry.value, "devices", 0),
                      count_or(*entry.value, "cpus", 0), text_of(*entry.value, "device_model")});
  }
  std::sort(shapes.begin(), shapes.end(),
            [](const InstanceType& a, const InstanceType& b) { return a.name < b.name; });
  return shapes;
}

}  // namespace

std::string text_of(const YamlNode& map, std::string_view key) {
  const YamlNode* value = map.find(key);
  return value == nullptr ? "" : value->text;
}

Project build_project(const YamlFile& file) {
  const YamlNode& root = file.root();
  Project project;
  project.name = text_of(root, "project");
  project.currency = text_of(root, "currency");
  if (const YamlNode* zone = root.find("time_zone")) {
    project.time_zone = parse_zone_offset(zone->text).value_or("UTC");
  }
  project.basis = parse_cost_basis(text_of(root, "basis"));
  project.sources = build_sources(file);
  project.models = build_models(file);
  project.identity = build_identity(file);
  project.shares = build_shares(file);
  if (const YamlNode* pools = root.find("pools")) {
    for (const YamlEntry& pool : pools->entries) {
      const bool is_map = pool.value->kind == YamlKind::kMap;
      project.pool_teams[pool.key] = is_map ? text_of(*pool.value, "team") : pool.value->text;
    }
  }
  project.shapes = build_shapes(file);
  project.policy = build_policy(file);
  return project;
}

}  // namespace tare::sources
