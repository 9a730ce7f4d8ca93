#include "sources/policy/build_project.h"

namespace tare::sources {
namespace {

// Every list begins with its length, so that two projects never meet in the same fields.
void add_count(HashBuilder& hash, size_t count) { hash.add(static_cast<int64_t>(count)); }

void add_map(HashBuilder& hash, const std::map<std::string, std::string>& map) {
  add_count(hash, map.size());
  for (const auto& [key, value] : map) hash.add(key).add(value);
}

void add_basis(HashBuilder& hash, const std::optional<CostBasis>& basis) {
  if (basis) {
    hash.add(static_cast<int64_t>(*basis));
  } else {
    hash.add_null();
  }
}

void add_models(HashBuilder& hash, const std::vector<ModelPolicy>& models) {
  add_count(hash, models.size());
  for (const ModelPolicy& model : models) {
    hash.add(model.name).add(model.outcome).add(model.team).add(model.deploy_window_ns);
    hash.add(int64_t{model.interrupt_tolerant ? 1 : 0});
    add_count(hash, model.stage_tags.size());
    for (const auto& [stage, tag] : model.stage_tags) {
      hash.add(stage).add(tag.first).add(tag.second);
    }
  }
}

void add_rules(HashBuilder& hash, const Project& project) {
  add_count(hash, project.identity.size());
  for (const IdentityRule& rule : project.identity) {
    add_count(hash, rule.match.size());
    for (const auto& [tag, pattern] : rule.match) hash.add(tag).add(pattern);
    hash.add(rule.model).add(rule.stage).add(rule.team);
  }
  add_count(hash, project.shares.size());
  for (const ShareRule& share : project.shares) {
    hash.add(share.run);
    add_map(hash, share.declared);
  }
}

void add_policy(HashBuilder& hash, const Policy& policy) {
  hash.add(policy.split);
  hash.add(int64_t{policy.idle_proportional ? 1 : 0}).add(int64_t{policy.credits_follow ? 1 : 0});
  add_count(hash, policy.shared.size());
  for (const SharedPolicy& shared : policy.shared) {
    hash.add(shared.what).add(shared.service).add(shared.category);
    hash.add(static_cast<int64_t>(shared.rule));
    add_map(hash, shared.declared);
  }
  hash.add(policy.pool_tag);
  add_count(hash, policy.run_id_tags.size());
  for (const std::string& tag : policy.run_id_tags) hash.add(tag);
  hash.add(policy.flat_ratio).add(policy.min_coverage).add(policy.efficient_sm_active);
  hash.add(policy.idle_after_ns).add(policy.silence_ns).add(policy.maturity_days);
}

}  // namespace

Hash128 policy_hash(const Project& project) {
  HashBuilder hash;
  hash.add("tare-policy-1").add(project.currency);
  add_basis(hash, project.basis);
  // What else a source says decides its rows, and is hashed with them.
  std::map<std::string, CostBasis> bases;
  for (const Source& source : project.sources) {
    if (source.basis) bases[source.name] = *source.basis;
  }
  add_count(hash, bases.size());
  for (const auto& [name, basis] : bases) hash.add(name).add(static_cast<int64_t>(basis));
  add_models(hash, project.models);
  add_rules(hash, project);
  add_map(hash, project.pool_teams);
  add_count(hash, project.shapes.size());
  for (const InstanceType& shape : project.shapes) {
    hash.add(shape.name).add(shape.devices).add(shape.cpus).add(shape.device_model);
  }
  add_policy(hash, project.policy);
  return hash.finish();
}

}  // namespace tare::sources
