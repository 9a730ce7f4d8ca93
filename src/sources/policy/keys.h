// The one table of keys of tare.yaml: the check, the JSON Schema and docs/project-file.md are
// printed from it.
#pragma once

#include <string>
#include <vector>

#include "sources/policy/yaml_tree.h"

namespace tare::sources {

enum class KeyForm : uint8_t {
  kMap,       // the keys listed
  kNames,     // names of the user's own; every value has the form of keys[0]
  kList,      // every item has the form of keys[0]
  kEither,    // a text as keys[0], or a map as keys[1]
  kText,      // any text that is not empty
  kGlob,      // text with * and ?
  kChoice,    // one of `values`
  kFlag,      // true or false
  kCount,     // a whole number of zero or more
  kRatio,     // a decimal from 0 to 1
  kDecimal,   // a decimal
  kFraction,  // a decimal or n/d from 0 to 1
  kDuration,  // "6h"
  kCurrency,  // a code of ISO 4217
  kZone,      // UTC or an offset
  kTagMatch,  // "key=value-pattern"
  kAnything,  // not looked into
};

struct Key {
  std::string name;
  KeyForm form = KeyForm::kText;
  std::string doc;  // one line, lower case, without a full stop
  bool required = false;
  bool later = false;               // checked for form, not used by this version
  std::vector<std::string> values;  // of kChoice
  std::vector<Key> keys;
  std::string example;  // for the documentation: a default or a typical value
};

const Key& project_keys();

// What a value of this form looks like: "a list", "a duration such as 6h".
std::string form_text(const Key& key);

// Checks keys, forms and values of the whole file. Throws UserError yaml-key-unknown,
// yaml-key-missing, yaml-wrong-form, yaml-value, each with its place and the nearest word where
// there is one.
void check_keys(const YamlFile& file);

// The body of docs/project-file.md: one table a map of keys.
std::string project_keys_markdown();

}  // namespace tare::sources
