#include "base/decimal_text.h"
#include "sources/policy/build_project.h"
#include "sources/policy/values.h"

namespace tare::sources {
namespace {

std::map<std::string, std::string> build_fractions(const YamlFile& file, const YamlNode& models) {
  std::map<std::string, std::string> fractions;
  for (const YamlEntry& entry : models.entries) {
    fractions[entry.key] = to_text(parse_fraction(entry.value->text).value_or(Fraction{}));
  }
  if (!fractions_sum_to_one(fractions)) {
    throw UserError("shares-not-one", "the parts of 'models' do not add up to exactly 1",
                    "write fractions such as 1/3 and 2/3", file.place_of(models));
  }
  return fractions;
}

SharedRule rule_of(const std::string& text) {
  if (text == "proportional") return SharedRule::kProportional;
  if (text == "by-request") return SharedRule::kByRequest;
  if (text == "equal") return SharedRule::kEqual;
  if (text == "declared") return SharedRule::kDeclared;
  return SharedRule::kKeep;
}

// "support: proportional": one rule for the service and one for the category that holds the name;
// the two names that FOCUS has a category for match that.
void add_short_entry(const YamlFile& file, const YamlEntry& entry,
                     std::vector<SharedPolicy>& policies) {
  SharedPolicy policy;
  policy.what = entry.key;
  policy.rule = rule_of(entry.value->text);
  policy.place = file.place_of(entry);
  if (policy.rule == SharedRule::kDeclared) {
    throw UserError("yaml-value", "the rule 'declared' needs 'models' with the parts",
                    "write " + entry.key + ": {match: {service: ...}, models: {a: 1/2, b: 1/2}}",
                    file.place_of(*entry.value));
  }
  if (entry.key == "network" || entry.key == "storage") {
    policy.category = entry.key == "network" ? "Networking" : "Storage";
    policies.push_back(policy);
    return;
  }
  policy.service = "*" + entry.key + "*";
  policies.push_back(policy);
  policy.category = std::move(policy.service);
  policy.service.clear();
  policies.push_back(std::move(policy));
}

void add_long_entry(const YamlFile& file, const YamlEntry& entry,
                    std::vector<SharedPolicy>& policies) {
  const YamlNode& map = *entry.value;
  SharedPolicy policy;
  policy.what = entry.key;
  policy.place = file.place_of(entry);
  if (const YamlNode* match = map.find("match")) {
    policy.service = text_of(*match, "service");
    policy.category = text_of(*match, "category");
  }
  if (policy.service.empty() && policy.category.empty()) {
    throw UserError("yaml-value", "'policy.shared." + entry.key + "' does not say which charges",
                    "add match: {service: <pattern>} or match: {category: <pattern>}",
                    file.place_of(entry));
  }
  const YamlNode* models = map.find("models");
  const YamlNode* rule = map.find("rule");
  policy.rule = rule != nullptr     ? rule_of(rule->text)
                : models != nullptr ? SharedRule::kDeclared
                                    : SharedRule::kKeep;
  if ((policy.rule == SharedRule::kDeclared) != (models != nullptr)) {
    throw UserError(
        "yaml-value", "the rule 'declared' and 'models' go together",
        models != nullptr ? "remove 'rule', or set it to declared" : "add models: {a: 1/2, b: 1/2}",
        file.place_of(rule != nullptr ? *rule : map));
  }
  if (models != nullptr) policy.declared = build_fractions(file, *models);
  policies.push_back(std::move(policy));
}

}  // namespace

std::vector<ShareRule> build_shares(const YamlFile& file) {
  std::vector<ShareRule> shares;
  const YamlNode* list = file.root().find("shares");
  if (list == nullptr) return shares;
  for (const auto& item : list->items) {
    const YamlNode* models = item->find("models");
    if ((models != nullptr) == (item->find("by") != nullptr)) {
      throw UserError("yaml-value", "a share needs either 'models' or 'by'",
                      "add models: {a: 1/2, b: 1/2}, or by: requests", file.place_of(*item));
    }
    ShareRule share;
    share.run = text_of(*item, "run");
    if (models != nullptr) share.declared = build_fractions(file, *models);
    shares.push_back(std::move(share));
  }
  return shares;
}

std::vector<SharedPolicy> build_shared(const YamlFile& file, const YamlNode& shared) {
  std::vector<SharedPolicy> policies;
  for (const YamlEntry& entry : shared.entries) {
    if (entry.value->kind == YamlKind::kMap) {
      add_long_entry(file, entry, policies);
    } else {
      add_short_entry(file, entry, policies);
    }
  }
  return policies;
}

}  // namespace tare::sources
