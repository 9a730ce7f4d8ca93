#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "sources/formats.h"
#include "sources/init.h"

namespace tare::sources {
namespace {

constexpr size_t kMaxListed = 30;

// As it stands where YAML reads it back as the same text; else in double quotes, as JSON is YAML.
std::string yaml_text(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos &&
                     text.front() != '-' && text != "null" && text != "Null" && text != "NULL";
  return plain ? text : nlohmann::json(text).dump();
}

std::string entry_text(const std::string& format, const std::string& path,
                       const std::string& further = "") {
  return "- {format: " + format + ", path: " + yaml_text(path) +
         (further.empty() ? "" : ", " + further) + "}";
}

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

void add_head(const InitFacts& facts, std::string& out) {
  out +=
      "# The project file of tare, written by `tare init` from the files it found here.\n"
      "# `tare load` reads the sources; every key is in docs/project-file.md.\n\n";
  out += "project: " + yaml_text(facts.project) + "\n";
  if (facts.currency.empty()) {
    out += "currency: USD  # no bill here names one: set the currency of your reports\n";
  } else {
    out += "currency: " + facts.currency + "  # of most rows of " + printable(facts.currency_from) +
           "\n";
  }
}

bool is_under(const Verdict& verdict, std::string_view kind) {
  const Format* format = find_format(verdict.format);
  if (format == nullptr) format = find_later_format(verdict.format);
  return format != nullptr && kind_key(format->kind) == kind;
}

// The entries of one kind: those that load, and as comments those that would after a word from a
// person.
void add_kind(const InitFacts& facts, std::string_view kind, std::string& out) {
  std::string active, comments;
  for (const InitSource& source : facts.sources) {
    if (source.kind != kind) continue;
    active += "    " + padded(entry_text(source.format, source.path), 46) + "  # " + source.why +
              (source.files > 1 ? ", " + std::to_string(source.files) + " files" : "") + "\n";
  }
  for (const auto& [path, verdict] : facts.others) {
    if (verdict.certainty == Certainty::kNone || !is_under(verdict, kind)) continue;
    comments += "    # " + entry_text(verdict.format, path, verdict.entry) + "\n    #   " +
                verdict.why +
                (verdict.certainty == Certainty::kLater ? "; not read by this version" : "") + "\n";
  }
  if (active.empty() && comments.empty()) return;
  out += (active.empty() ? "  # " : "  ") + std::string(kind) + ":\n" + active + comments;
}

void add_sources(const InitFacts& facts, std::string& out) {
  out += facts.sources.empty() ? "\nsources: {}  # no file here was recognised\n" : "\nsources:\n";
  for (const KindName& kind : source_kinds()) add_kind(facts, kind.key, out);
  std::string unknown;
  size_t listed = 0, left = 0;
  for (const auto& [path, verdict] : facts.others) {
    if (verdict.certainty != Certainty::kNone) continue;
    if (++listed > kMaxListed) {
      ++left;
      continue;
    }
    unknown += "#   " + printable(path) + ": " + printable(verdict.why) + "\n";
  }
  if (unknown.empty()) return;
  out += "\n# Files that were not recognised:\n" + unknown;
  if (left > 0) out += "#   and " + std::to_string(left) + " more\n";
}

void add_models(const InitFacts& facts, std::string& out) {
  out +=
      "\n# What each model is for: cost per outcome divides by its outcome. Tags name the model "
      "of\n"
      "# bill lines that no run explains.\n";
  std::string models;
  for (const auto& [model, outcomes] : facts.outcomes) {
    if (outcomes.empty() || !can_be_written(model) || !can_be_written(*outcomes.begin())) continue;
    models += "  " + yaml_text(model) + ": {outcome: " + yaml_text(*outcomes.begin()) + "}";
    if (outcomes.size() > 1) {
      std::string others;
      for (auto at = std::next(outcomes.begin()); at != outcomes.end(); ++at) {
        others += (others.empty() ? "" : ", ") + printable(*at);
      }
      models += "  # or " + others;
    }
    models += "\n";
  }
  if (!models.empty()) {
    out += "models:\n" + models;
  } else {
    out +=
        "# models:\n"
        "#   fraud: {outcome: cases_caught, stage_tags: {serving: endpoint=fraud}}\n";
  }
}

}  // namespace

bool can_be_written(const std::string& path) {
  std::string_view rest = path;
  while (!rest.empty()) {
    const CodePoint point = first_code_point(rest);
    if (!point.valid) return false;
    rest.remove_prefix(point.bytes);
  }
  return printable(path) == path && !path.empty();
}

std::string init_yaml(const InitFacts& facts) {
  std::string out;
  add_head(facts, out);
  add_sources(facts, out);
  if (facts.cut) out += "# There are more files than `tare init` looks at.\n";
  add_models(facts, out);
  out +=
      "\n# The choices that decide numbers.\n"
      "# policy:\n"
      "#   idle: own        # the default; or proportional: spread over models\n"
      "#   credits: own     # the default; or follow: as what they correct\n"
      "#   shared: {support: proportional, network: proportional}  # else unassigned\n";
  return out;
}

}  // namespace tare::sources
