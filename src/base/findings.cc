#include "base/findings.h"

#include <algorithm>
#include <tuple>

#include "base/decimal_text.h"
#include "base/errors.h"

namespace tare {
namespace {

struct ExampleView {
  std::string_view place, text, cost;
};

std::string_view leading_digits(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return text.substr(0, count);
}

// Bytewise, but runs of digits compare by value: negative, zero or positive as a < b, =, >.
int compare_places(std::string_view a, std::string_view b) {
  const std::string_view all_a = a, all_b = b;
  while (!a.empty() && !b.empty()) {
    std::string_view digits_a = leading_digits(a), digits_b = leading_digits(b);
    if (digits_a.empty() || digits_b.empty()) {
      if (const int order = a.substr(0, 1).compare(b.substr(0, 1)); order != 0) return order;
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    a.remove_prefix(digits_a.size());
    b.remove_prefix(digits_b.size());
    digits_a.remove_prefix(std::min(digits_a.find_first_not_of('0'), digits_a.size()));
    digits_b.remove_prefix(std::min(digits_b.find_first_not_of('0'), digits_b.size()));
    if (digits_a.size() != digits_b.size()) return digits_a.size() < digits_b.size() ? -1 : 1;
    if (const int order = digits_a.compare(digits_b); order != 0) return order;
  }
  if (a.empty() != b.empty()) return a.empty() ? -1 : 1;
  return all_a.compare(all_b);
}

bool before(const ExampleView& a, const ExampleView& b) {
  if (const int order = compare_places(a.place, b.place); order != 0) return order < 0;
  return std::tie(a.text, a.cost) < std::tie(b.text, b.cost);
}

ExampleView view_of(const FindingExample& example) {
  return {example.place, example.text, example.cost};
}

void keep_example(std::vector<FindingExample>& examples, const ExampleView& example) {
  const bool full = examples.size() == Findings::kMaxExamples;
  if (full && !before(example, view_of(examples.back()))) return;
  const auto at = std::upper_bound(
      examples.begin(), examples.end(), example,
      [](const ExampleView& a, const FindingExample& b) { return before(a, view_of(b)); });
  examples.insert(
      at, {std::string(example.place), std::string(example.text), std::string(example.cost)});
  if (full) examples.pop_back();
}

}  // namespace

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      break;
  }
  return "error";
}

const FindingKind& finding_kind(std::string_view code) {
  const std::span<const FindingKind> kinds = finding_kinds();
  const auto found = std::ranges::lower_bound(kinds, code, {}, &FindingKind::code);
  TARE_ASSERT(found != kinds.end() && found->code == code,
              "finding '" + std::string(code) + "' is in the registry");
  return *found;
}

Finding& Findings::entry(KeyView key) {
  if (const auto found = findings_.find(key); found != findings_.end()) return found->second;
  finding_kind(key.code);  // asserts that it exists
  Key owned{std::string(key.code), std::string(key.source), std::string(key.subject)};
  Finding finding;
  finding.code = owned.code;
  finding.source = owned.source;
  finding.subject = owned.subject;
  return findings_.emplace(std::move(owned), std::move(finding)).first->second;
}

void Findings::add(const Row& row) {
  Finding& finding = entry({row.code, row.source, row.subject});
  finding.rows += row.rows;
  if (row.cost) finding.cost[std::string(row.currency)] += *row.cost;
  if (row.place.empty() && row.text.empty()) return;
  const bool full = finding.examples.size() == kMaxExamples;
  if (full && compare_places(row.place, finding.examples.back().place) > 0) return;
  const std::string cost = row.cost ? to_text(*row.cost) : "";
  keep_example(finding.examples, {row.place, row.text, cost});
}

void Findings::merge(const Findings& other) {
  if (&other == this) {
    merge(Findings(other));
    return;
  }
  for (const auto& [key, theirs] : other.findings_) {
    Finding& finding = entry(KeyView(key));
    finding.rows += theirs.rows;
    for (const auto& [currency, cost] : theirs.cost) finding.cost[currency] += cost;
    for (const FindingExample& example : theirs.examples) {
      keep_example(finding.examples, view_of(example));
    }
  }
}

std::vector<Finding> Findings::sorted() const {
  std::vector<Finding> all;
  all.reserve(findings_.size());
  for (const auto& [key, finding] : findings_) all.push_back(finding);
  return all;
}

int64_t Findings::rows_of(std::string_view code) const {
  int64_t rows = 0;
  for (auto it = findings_.lower_bound(KeyView(code, "", ""));
       it != findings_.end() && it->first.code == code; ++it) {
    rows += it->second.rows;
  }
  return rows;
}

}  // namespace tare
