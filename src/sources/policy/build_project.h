// From the checked tree of tare.yaml to a Project. Private to this folder.
#pragma once

#include "sources/policy/yaml_tree.h"
#include "store/store.h"

namespace tare::sources {

// The text under a key, or "".
std::string text_of(const YamlNode& map, std::string_view key);

// sources: in the order of kinds, then of the file. Throws UserError format-not-read, path-missing,
// path-outside, source-name-twice, column-unknown, yaml-value.
std::vector<Source> build_sources(const YamlFile& file);

// shares and policy.shared. Throws UserError yaml-value, shares-not-one.
std::vector<ShareRule> build_shares(const YamlFile& file);
std::vector<SharedPolicy> build_shared(const YamlFile& file, const YamlNode& shared);

// models, identity, policy, pools, shapes and the rest; without directory and policy_hash.
Project build_project(const YamlFile& file);

// Over all that decides numbers; the order of keys, comments and ways of writing do not matter, the
// order of rules of which the first counts does.
Hash128 policy_hash(const Project& project);

}  // namespace tare::sources
