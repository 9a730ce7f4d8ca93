#include "ledger/rules.h"

#include <fmt/format.h>

#include "base/glob.h"

namespace tare::ledger {
namespace {

using store::Rule;
using timeline::account_part;

bool is(const DimText& text, std::string_view wanted) { return text && *text == wanted; }

Target plain(const std::string& kind, const std::string& part) {
  Target target;
  target.account = part.empty() ? kind : kind + "/" + part;
  target.kind = kind;
  return target;
}

std::string first_part(const DimText& a, const DimText& b, const DimText& c) {
  for (const auto* text : {&a, &b, &c}) {
    if (*text && !(*text)->empty()) return account_part(**text);
  }
  return "-";
}

void take(DimRule* rule, const Target& target, Rule why) {
  rule->whole = target;
  rule->whole_rule = why;
}

// "${app}" in a rule's model, stage or team is the value of tag `app`; empty where there is none.
std::string expand(const std::string& pattern, const timeline::Tags& tags) {
  std::string text;
  size_t at = 0;
  while (at < pattern.size()) {
    size_t open = pattern.find("${", at);
    size_t close = open == std::string::npos ? open : pattern.find('}', open);
    if (close == std::string::npos) break;
    text += pattern.substr(at, open - at);
    const std::string* value = timeline::tag_value(
        tags, timeline::folded_tag_key(pattern.substr(open + 2, close - open - 2)));
    if (value != nullptr) text += *value;
    at = close + 1;
  }
  return text + pattern.substr(at);
}

// Whose machine it is, as its rate card says.
std::optional<std::string> card_team(const BillDim& dim) {
  const DimText& text = dim[DimColumn::kTags];
  if (!text || text->find(kCardTeamTag) == std::string::npos) return std::nullopt;
  const timeline::Tags tags = timeline::parse_tags(*text);
  const std::string* team = timeline::tag_value(tags, kCardTeamTag);
  return team == nullptr ? std::nullopt : std::optional(*team);
}

}  // namespace

Target Rules::model_target(const std::string& model, const std::string& stage,
                           const std::string& team) const {
  Target target;
  target.kind = "model";
  target.model = model;
  target.stage = stage;
  target.team = team;
  if (team.empty()) {
    for (const ModelPolicy& policy : project_.models) {
      if (policy.name == model) target.team = policy.team;
    }
  }
  target.account = fmt::format("model/{}/{}/-", model.empty() ? "unnamed" : account_part(model),
                               account_part(stage));
  return target;
}

Target Rules::target_of(int32_t attempt) const {
  const timeline::Attempt& run = timeline_.attempts()[static_cast<size_t>(attempt)];
  Target target;
  target.account = run.account;
  target.kind = run.account.substr(0, run.account.find('/'));
  target.model = run.model.empty() && target.kind == "model" ? "unnamed" : run.model.text();
  target.stage = run.stage;
  target.team = run.team;
  target.attempt = attempt;
  return target;
}

Target Rules::idle(const std::string& pool, const std::string& team) {
  Target target = plain("idle", account_part(pool));
  target.pool = pool;
  target.team = team;
  return target;
}

Target Rules::shared_part(const std::string& model, int32_t shared) const {
  const std::string& what = project_.policy.shared[static_cast<size_t>(shared)].what;
  Target target;
  target.account = fmt::format("model/{}/shared/{}",
                               model.empty() ? "unnamed" : account_part(model), account_part(what));
  target.kind = "model";
  target.model = model.empty() ? "unnamed" : model;
  target.stage = "shared";
  return target;
}

Target Rules::commitment(const char* word, const std::string& id, const BillDim& dim) const {
  Target target = plain(word, id);
  target.team = "unowned";
  const std::string pool =
      timeline::pool_of_line(dim, timeline::folded_tag_key(project_.policy.pool_tag));
  const auto of_pool = project_.pool_teams.find(pool);
  if (of_pool != project_.pool_teams.end()) target.team = of_pool->second;
  for (const auto& [name, team] : project_.pool_teams) {
    if (account_part(name) == id) target.team = team;
  }
  return target;
}

// Tax, unused commitments, covering purchases, credits: by what the charge is, not by who used
// what.
bool Rules::category_rule(const BillDim& dim, DimRule* rule) const {
  const auto& category = dim[DimColumn::kChargeCategory];
  if (is(category, "Tax")) {
    take(rule, plain("tax", ""), Rule::kTax);
    return true;
  }
  if (is(dim[DimColumn::kCapacityReservationStatus], "Unused")) {
    std::string id = first_part(dim[DimColumn::kCapacityReservationId],
                                dim[DimColumn::kCommitmentDiscountId], dim[DimColumn::kResourceId]);
    take(rule, commitment("reservation-unused", id, dim), Rule::kReservationUnused);
    return true;
  }
  if (is(dim[DimColumn::kCommitmentDiscountStatus], "Unused")) {
    std::string id =
        first_part(dim[DimColumn::kCommitmentDiscountId], dim[DimColumn::kResourceId], DimText());
    take(rule, commitment("commitment-unused", id, dim), Rule::kCommitmentUnused);
    return true;
  }
  if (is(category, "Purchase") && dim[DimColumn::kCommitmentDiscountId]) {
    take(rule,
         commitment("commitment-fee",
                    first_part(dim[DimColumn::kCommitmentDiscountId], DimText(), DimText()), dim),
         Rule::kCommitmentFee);
    return true;
  }
  if (is(category, "Purchase")) {
    rule->fee = plain("commitment-fee",
                      first_part(dim[DimColumn::kResourceId], dim[DimColumn::kSkuId], DimText()));
  }
  if (is(category, "Credit")) {
    take(rule, plain("credit", ""), Rule::kCredit);
    return !project_.policy.credits_follow;
  }
  if (is(category, "Adjustment") && !dim[DimColumn::kResourceId]) {
    take(rule, plain("adjustment", first_part(dim[DimColumn::kServiceName], DimText(), DimText())),
         Rule::kAdjustment);
    return true;
  }
  return false;
}

void Rules::run_rules(const BillDim& dim, const timeline::Tags& tags, DimRule* rule) const {
  if (const auto& id = dim[DimColumn::kResourceId]) {
    auto attempts = timeline_.attempts_of_run(*id);
    if (!attempts.empty()) rule->managed_attempt_run = attempts.front();
  }
  if (const auto& run = dim[DimColumn::kRunId]) {
    auto attempts = timeline_.attempts_of_run(*run);
    if (attempts.empty()) {
      rule->unknown_run = *run;
    } else if (rule->managed_attempt_run < 0) {
      rule->managed_attempt_run = attempts.front();
      rule->line_run = true;
    }
  }
  for (const std::string& key : project_.policy.run_id_tags) {
    const std::string* value = timeline::tag_value(tags, timeline::folded_tag_key(key));
    if (value == nullptr || value->empty()) continue;
    if (!timeline_.attempts_of_run(*value).empty()) {
      rule->tag_run = *value;
      break;
    }
    if (rule->unknown_run.empty()) rule->unknown_run = *value;
  }
}

std::optional<Target> Rules::tag_rule(const timeline::Tags& tags) const {
  if (tags.empty()) return std::nullopt;
  for (const ModelPolicy& model : project_.models) {
    for (const auto& [stage, tag] : model.stage_tags) {
      const std::string* value = timeline::tag_value(tags, timeline::folded_tag_key(tag.first));
      if (value != nullptr && glob_matches(tag.second, *value))
        return model_target(model.name, stage, model.team);
    }
  }
  for (const IdentityRule& identity : project_.identity) {
    bool all = !identity.match.empty();
    for (const auto& [key, pattern] : identity.match) {
      const std::string* value = timeline::tag_value(tags, timeline::folded_tag_key(key));
      all = all && value != nullptr && glob_matches(pattern, *value);
    }
    if (!all) continue;
    std::string model = expand(identity.model, tags);
    if (model.empty()) continue;
    return model_target(model, expand(identity.stage, tags), expand(identity.team, tags));
  }
  return std::nullopt;
}

int32_t Rules::shared_rule(const BillDim& dim) const {
  for (size_t i = 0; i < project_.policy.shared.size(); ++i) {
    const SharedPolicy& shared = project_.policy.shared[i];
    std::string service = dim[DimColumn::kServiceName].value_or("");
    std::string category = dim[DimColumn::kServiceCategory].value_or("");
    bool by_service =
        glob_matches(shared.service.empty() ? "*" : shared.service, service, Case::kFold);
    bool by_category =
        glob_matches(shared.category.empty() ? "*" : shared.category, category, Case::kFold);
    if (by_service && by_category) return static_cast<int32_t>(i);
  }
  return -1;
}

// The pool at the charge's start; a machine that comes within the charge has the one it comes with.
std::string inventory_pool(const timeline::Resource& resource, Span charge) {
  const timeline::Resource::PoolSpan *at_start = nullptr, *within = nullptr;
  for (const timeline::Resource::PoolSpan& pool : resource.pools) {
    if (pool.span.contains(charge.start_ns)) {
      at_start = &pool;
    } else if (within == nullptr && !intersect(pool.span, charge).empty()) {
      within = &pool;
    }
  }
  const timeline::Resource::PoolSpan* found = at_start != nullptr ? at_start : within;
  return found == nullptr ? "" : found->pool;
}

void Rules::place(const BillDim& dim, int32_t resource_index, Span charge, DimRule* rule) const {
  rule->resource = resource_index;
  const timeline::Resource* resource =
      resource_index < 0 ? nullptr : &timeline_.resources()[static_cast<size_t>(resource_index)];
  const std::string tagged =
      timeline::pool_of_line(dim, timeline::folded_tag_key(project_.policy.pool_tag));
  rule->idle_pool = resource == nullptr ? "" : inventory_pool(*resource, charge);
  if (!rule->idle_pool.empty()) {  // nothing says it better
  } else if (!tagged.empty()) {
    rule->idle_pool = tagged;
  } else if (resource != nullptr && !resource->bill_pool.empty()) {
    rule->idle_pool = resource->bill_pool;
  } else {
    rule->idle_pool =
        dim[DimColumn::kSkuId].value_or("-") + "@" + dim[DimColumn::kRegionId].value_or("-");
  }
  auto team = project_.pool_teams.find(rule->idle_pool);
  rule->idle_team = team != project_.pool_teams.end() ? team->second
                    : resource != nullptr             ? resource->team
                                                      : "unowned";
  if (rule->idle_team == "unowned") rule->idle_team = card_team(dim).value_or("unowned");
  if (rule->by_tag && resource != nullptr) rule->by_tag->pool = rule->idle_pool;
}

DimRule Rules::rule_for(const BillDim& dim, const timeline::DimTime& time) const {
  DimRule rule;
  timeline::Tags tags = timeline::parse_tags(dim[DimColumn::kTags].value_or(""));
  rule.by_category = category_rule(dim, &rule);
  if (rule.by_category) return rule;
  run_rules(dim, tags, &rule);
  rule.by_tag = tag_rule(tags);
  place(dim, time.resource, {INT64_MIN, INT64_MIN}, &rule);
  rule.moves = time.aliased >= 0;
  if (time.resource >= 0) {
    for (const auto& pool : timeline_.resources()[static_cast<size_t>(time.resource)].pools) {
      rule.moves = rule.moves || pool.span != Span{INT64_MIN, kNoEnd};
    }
  }
  if (is(dim[DimColumn::kChargeCategory], "Credit"))
    return rule;  // follows a run or a tag, else `credit`
  int32_t shared = shared_rule(dim);
  if (shared >= 0) {
    const SharedPolicy& policy = project_.policy.shared[static_cast<size_t>(shared)];
    take(&rule, plain("shared", account_part(policy.what)), Rule::kSharedPolicy);
    if (policy.rule != SharedRule::kKeep) rule.shared = shared;
    return rule;
  }
  take(&rule, plain("unassigned", first_part(dim[DimColumn::kServiceName], DimText(), DimText())),
       Rule::kUnassigned);
  return rule;
}

}  // namespace tare::ledger
