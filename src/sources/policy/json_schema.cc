// The JSON Schema of tare.yaml, for editors. YAML has numbers and booleans where tare reads text,
// so a value's schema allows each type in which an editor may see it.
#include <nlohmann/json.hpp>

#include "sources/policy/keys.h"
#include "sources/sources.h"

namespace tare::sources {
namespace {

using SchemaJson = nlohmann::ordered_json;

SchemaJson schema_of(const Key& key);

SchemaJson text_schema(const char* pattern) { return {{"type", "string"}, {"pattern", pattern}}; }

SchemaJson map_schema(const Key& key) {
  SchemaJson schema = {{"type", {"object", "null"}}, {"additionalProperties", false}};
  SchemaJson required = SchemaJson::array();
  SchemaJson properties = SchemaJson::object();
  for (const Key& child : key.keys) {
    properties[child.name] = schema_of(child);
    if (child.required) required.push_back(child.name);
  }
  schema["properties"] = std::move(properties);
  if (!required.empty()) {
    schema["required"] = std::move(required);
    schema["type"] = "object";
  }
  return schema;
}

SchemaJson form_schema(const Key& key) {
  switch (key.form) {
    case KeyForm::kMap:
      return map_schema(key);
    case KeyForm::kNames:
      return {{"type", {"object", "null"}}, {"additionalProperties", schema_of(key.keys[0])}};
    case KeyForm::kList:
      return {{"type", {"array", "null"}}, {"items", schema_of(key.keys[0])}};
    case KeyForm::kEither:
      return {{"anyOf", {schema_of(key.keys[0]), schema_of(key.keys[1])}}};
    case KeyForm::kText:
    case KeyForm::kGlob:
      return {{"type", {"string", "number", "boolean"}}};
    case KeyForm::kChoice:
      return {{"enum", key.values}};
    case KeyForm::kFlag:
      return {{"type", "boolean"}};
    case KeyForm::kCount:
      return {{"type", "integer"}, {"minimum", 0}};
    case KeyForm::kRatio:
      return {{"type", {"number", "string"}}, {"minimum", 0}, {"maximum", 1}};
    case KeyForm::kDecimal:
      return {{"type", {"number", "string"}}};
    case KeyForm::kFraction:
      return {{"type", {"number", "string"}},
              {"minimum", 0},
              {"maximum", 1},
              {"pattern", "^[0-9]+/[0-9]+$|^[0-9]*\\.?[0-9]+$"}};
    case KeyForm::kDuration:
      return text_schema("^([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?$");
    case KeyForm::kCurrency:
      return text_schema("^[A-Z]{3}$");
    case KeyForm::kZone:
      return text_schema("^(UTC|Z|[+-][0-9]{2}(:?[0-9]{2})?)$");
    case KeyForm::kTagMatch:
      return text_schema("^[^=]+=.+$");
    case KeyForm::kAnything:
      break;
  }
  return SchemaJson::object();
}

SchemaJson schema_of(const Key& key) {
  SchemaJson schema = SchemaJson::object();
  std::string doc = key.doc;
  if (key.later) doc += std::string(doc.empty() ? "" : "; ") + "not used by this version";
  if (!doc.empty()) schema["description"] = std::move(doc);
  schema.update(form_schema(key));
  return schema;
}

}  // namespace

std::string project_json_schema() {
  SchemaJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "tare.yaml, the project file of tare"}};
  schema.update(schema_of(project_keys()));
  return schema.dump(2) + "\n";
}

}  // namespace tare::sources
