#include <algorithm>

#include "base/decimal_text.h"
#include "sources/bill/currencies.h"
#include "sources/formats.h"
#include "sources/policy/keys.h"
#include "sources/policy/values.h"

namespace tare::sources {
namespace {

std::string kind_text(YamlKind kind) {
  switch (kind) {
    case YamlKind::kNull:
      return "nothing";
    case YamlKind::kText:
      return "a text";
    case YamlKind::kList:
      return "a list";
    case YamlKind::kMap:
      break;
  }
  return "a map of keys";
}

std::string subject(const std::string& path) {
  return path.empty() ? "the project file" : "'" + path + "'";
}

class Checker {
 public:
  explicit Checker(const YamlFile& file) : file_(file) {}

  void check(const YamlNode& node, const Key& key, const std::string& path) const {
    switch (key.form) {
      case KeyForm::kAnything:
        return;
      case KeyForm::kMap:
        return check_map(node, key, path);
      case KeyForm::kNames:
        return check_names(node, key, path);
      case KeyForm::kList:
        return check_list(node, key, path);
      case KeyForm::kEither:
        return check(node, key.keys[node.kind == YamlKind::kMap ? 1 : 0], path);
      default:
        return check_text(node, key, path);
    }
  }

 private:
  [[noreturn]] void wrong_form(const YamlNode& node, const Key& key, const std::string& path,
                               const std::string& hint = "") const {
    throw UserError(
        "yaml-wrong-form",
        subject(path) + " needs " + form_text(key) + ", here is " + kind_text(node.kind), hint,
        file_.place_of(node));
  }

  void check_map(const YamlNode& node, const Key& key, const std::string& path) const {
    if (node.kind != YamlKind::kMap) wrong_form(node, key, path);
    for (const YamlEntry& entry : node.entries) {
      const auto known = std::find_if(key.keys.begin(), key.keys.end(),
                                      [&](const Key& child) { return child.name == entry.key; });
      if (known == key.keys.end()) unknown_key(entry, key, path);
      if (entry.value->kind == YamlKind::kNull) continue;
      check(*entry.value, *known, path.empty() ? entry.key : path + "." + entry.key);
    }
    for (const Key& child : key.keys) {
      if (!child.required || node.find(child.name) != nullptr) continue;
      throw UserError(
          "yaml-key-missing", subject(path) + " lacks the key '" + child.name + "': " + child.doc,
          "add '" + child.name + ": " + (child.example.empty() ? "..." : child.example) + "'",
          file_.place_of(node));
    }
  }

  [[noreturn]] void unknown_key(const YamlEntry& entry, const Key& key,
                                const std::string& path) const {
    std::vector<std::string> names;
    for (const Key& child : key.keys) names.push_back(child.name);
    std::string hint;
    if (const std::string nearest = nearest_word_in(entry.key, names); !nearest.empty()) {
      hint = "did you mean '" + nearest + "'?";
    } else {
      for (const std::string& name : names) hint += (hint.empty() ? "known here: " : ", ") + name;
    }
    throw UserError("yaml-key-unknown",
                    "unknown key '" + entry.key + "'" + (path.empty() ? "" : " in '" + path + "'"),
                    hint, file_.place_of(entry));
  }

  void check_names(const YamlNode& node, const Key& key, const std::string& path) const {
    if (node.kind != YamlKind::kMap) wrong_form(node, key, path);
    for (const YamlEntry& entry : node.entries) {
      if (entry.key.empty()) {
        throw UserError("yaml-value", subject(path) + " has an empty name", "",
                        file_.place_of(entry));
      }
      const std::string child = path + "." + entry.key;
      if (entry.value->kind == YamlKind::kNull && key.keys[0].form == KeyForm::kMap) continue;
      check(*entry.value, key.keys[0], child);
    }
  }

  void check_list(const YamlNode& node, const Key& key, const std::string& path) const {
    if (node.kind != YamlKind::kList) {
      wrong_form(node, key, path,
                 node.kind == YamlKind::kMap ? "begin the entry with '- ', or put it in [ ]" : "");
    }
    int64_t number = 0;
    for (const auto& item : node.items) {
      check(*item, key.keys[0], path + "[" + std::to_string(++number) + "]");
    }
  }

  void check_text(const YamlNode& node, const Key& key, const std::string& path) const {
    if (node.kind != YamlKind::kText) wrong_form(node, key, path);
    if (is_value(node.text, key)) return;
    if (key.form == KeyForm::kChoice && key.name == "format") wrong_format(node, key, path);
    std::string hint;
    if (key.form == KeyForm::kChoice) {
      const std::string nearest = nearest_word_in(node.text, key.values);
      if (!nearest.empty()) hint = "did you mean '" + nearest + "'?";
    } else if (key.form == KeyForm::kCurrency) {
      std::string upper = node.text;
      std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      if (is_iso_4217(upper)) hint = "write '" + upper + "'";
    } else if (key.form == KeyForm::kZone && node.text.find('/') != std::string::npos) {
      hint = "names of regions are not read by this version";
    }
    throw UserError("yaml-value",
                    subject(path) + " needs " + form_text(key) + ", not '" + node.text + "'", hint,
                    file_.place_of(node));
  }

  // A format that stands elsewhere, or a misspelt one.
  [[noreturn]] void wrong_format(const YamlNode& node, const Key& key,
                                 const std::string& path) const {
    const Format* format = find_format(node.text);
    if (format == nullptr) format = find_later_format(node.text);
    if (format != nullptr) {
      const std::string kind(kind_key(format->kind));
      throw UserError("format-misplaced",
                      "format '" + node.text + "' stands under 'sources." + kind + "', not here",
                      "move the entry to '" + kind + ":'", file_.place_of(node));
    }
    std::vector<std::string> names;
    for (const Format& known : formats()) names.emplace_back(known.name);
    for (const Format& known : later_formats()) names.emplace_back(known.name);
    std::string nearest = nearest_word_in(node.text, key.values);
    if (nearest.empty()) nearest = nearest_word_in(node.text, names);
    throw UserError("format-unknown", "unknown format '" + node.text + "' in " + subject(path),
                    nearest.empty()
                        ? "formats here: " + form_text(key).substr(
                                                 key.values.size() > 1 ? sizeof("one of ") - 1 : 0)
                        : "did you mean '" + nearest + "'?",
                    file_.place_of(node));
  }

  static bool is_value(const std::string& text, const Key& key) {
    switch (key.form) {
      case KeyForm::kChoice:
        return std::find(key.values.begin(), key.values.end(), text) != key.values.end();
      case KeyForm::kFlag:
        return text == "true" || text == "false";
      case KeyForm::kCount: {
        const std::optional<int64_t> count = parse_integer(text);
        return count && *count >= 0 && *count <= 1'000'000'000;
      }
      case KeyForm::kRatio:
        return parse_ratio(text).has_value();
      case KeyForm::kDecimal:
        return parse_decimal(text).ok();
      case KeyForm::kFraction: {
        const std::optional<Fraction> fraction = parse_fraction(text);
        return fraction && fraction->num <= fraction->den;
      }
      case KeyForm::kDuration:
        return parse_duration(text).has_value();
      case KeyForm::kCurrency:
        return is_iso_4217(text);
      case KeyForm::kZone:
        return parse_zone_offset(text).has_value();
      case KeyForm::kTagMatch: {
        const size_t equals = text.find('=');
        return equals != std::string::npos && equals > 0 && equals + 1 < text.size();
      }
      default:
        return !text.empty();
    }
  }

  const YamlFile& file_;
};

}  // namespace

void check_keys(const YamlFile& file) { Checker(file).check(file.root(), project_keys(), ""); }

}  // namespace tare::sources
