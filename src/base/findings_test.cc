#include "base/findings.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tare {
namespace {

TEST(FindingKinds, AreSortedAndComplete) {
  const auto kinds = finding_kinds();
  ASSERT_GT(kinds.size(), 60U);
  for (size_t i = 1; i < kinds.size(); ++i) EXPECT_LT(kinds[i - 1].code, kinds[i].code);
  for (const FindingKind& kind : kinds) {
    EXPECT_EQ(&finding_kind(kind.code), &kind);
    for (const std::string_view text : {kind.title, kind.hint}) {
      ASSERT_GE(text.size(), 10U) << kind.code;
      EXPECT_LE(text.size(), 100U) << kind.code;
      EXPECT_FALSE(text.ends_with('.') || text.ends_with(' ')) << kind.code;
      EXPECT_TRUE(text.front() >= 'a' && text.front() <= 'z') << kind.code;
    }
    EXPECT_EQ(kind.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos);
  }
}

TEST(FindingKinds, SeveritiesFollowTheirMeaning) {
  EXPECT_EQ(finding_kind("cost-missing").severity, Severity::kError);
  EXPECT_EQ(finding_kind("ragged-row").severity, Severity::kError);
  EXPECT_EQ(finding_kind("cost-unreadable-null").severity, Severity::kWarning);
  EXPECT_EQ(finding_kind("unprefixed-column").severity, Severity::kInfo);
  EXPECT_EQ(to_text(Severity::kInfo), "info");
  EXPECT_EQ(to_text(Severity::kWarning), "warning");
  EXPECT_EQ(to_text(Severity::kError), "error");
}

TEST(FindingKindsDeath, UnknownCodesAreBugs) {
  EXPECT_EXIT(finding_kind("cost-mising"), testing::ExitedWithCode(3), "cost-mising");
  Findings findings;
  EXPECT_EXIT(findings.add({.code = "nonsense"}), testing::ExitedWithCode(3), "nonsense");
}

TEST(Findings, CountsRowsAndMoneyByCurrency) {
  Findings findings;
  EXPECT_TRUE(findings.empty());
  const auto add = [&](std::string_view subject, int64_t units, std::string_view currency) {
    findings.add({.code = "cost-missing",
                  .source = "bill",
                  .subject = subject,
                  .cost = Money::from_units(units),
                  .currency = currency,
                  .place = "f:1"});
  };
  add("a", 5, "USD");
  add("a", -2, "USD");
  add("a", 7, "EUR");
  add("b", 1, "USD");
  findings.add({.code = "cost-missing", .source = "bill", .subject = "b", .rows = 10});
  findings.add({.code = "alias-loop"});
  const std::vector<Finding> all = findings.sorted();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].code, "alias-loop");
  EXPECT_TRUE(all[0].cost.empty());
  EXPECT_TRUE(all[0].examples.empty());
  EXPECT_EQ(all[1].subject, "a");
  EXPECT_EQ(all[1].rows, 3);
  EXPECT_EQ(all[1].cost.at("USD"), Money::from_units(3));
  EXPECT_EQ(all[1].cost.at("EUR"), Money::from_units(7));
  EXPECT_EQ(all[1].examples.size(), 3U);
  EXPECT_EQ(all[1].examples[0].cost, "-2");
  EXPECT_EQ(all[2].rows, 11);
  EXPECT_EQ(findings.rows_of("cost-missing"), 14);
  EXPECT_EQ(findings.rows_of("cost"), 0);
  EXPECT_EQ(findings.rows_of("ragged-row"), 0);
}

TEST(Findings, KeepsTheSmallestExamplesInTheOrderOfLines) {
  Findings findings;
  for (int line = 300; line > 0; --line) {
    findings.add({.code = "ragged-row", .place = "bill.csv:" + std::to_string(line), .text = "x"});
  }
  const std::vector<FindingExample> examples = findings.sorted()[0].examples;
  ASSERT_EQ(examples.size(), Findings::kMaxExamples);
  EXPECT_EQ(examples[0].place, "bill.csv:1");
  EXPECT_EQ(examples[1].place, "bill.csv:2");
  EXPECT_EQ(examples[99].place, "bill.csv:100");
  EXPECT_EQ(findings.rows_of("ragged-row"), 300);
}

struct Entry {
  std::string code, source, subject, place, text, currency;
  std::optional<Money> cost;
};

std::vector<Entry> any_entries() {
  std::vector<Entry> entries(*rc::gen::inRange<size_t>(0, 400));
  for (Entry& entry : entries) {
    entry.code = *rc::gen::element<std::string>("ragged-row", "alias-loop", "cost-missing");
    entry.source = *rc::gen::element<std::string>("bill", "bill", "runs");
    entry.subject = *rc::gen::element<std::string>("", "", "x");
    entry.place = *rc::gen::element<std::string>("f:9", "f:10", "f:010", "g", "");
    entry.place += *rc::gen::element<std::string>("", ":1", ":2", ":30", ":a");
    entry.text = *rc::gen::element<std::string>("", "one", "two");
    entry.currency = *rc::gen::element<std::string>("USD", "EUR");
    if (*rc::gen::arbitrary<bool>()) entry.cost = Money::from_atto(*rc::gen::inRange(-9, 9));
  }
  return entries;
}

void add(Findings& findings, const Entry& entry) {
  findings.add({.code = entry.code,
                .source = entry.source,
                .subject = entry.subject,
                .cost = entry.cost,
                .currency = entry.currency,
                .place = entry.place,
                .text = entry.text});
}

std::string shown(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings.sorted()) {
    text += finding.code + "|" + finding.source + "|" + finding.subject + "|" +
            std::to_string(finding.rows);
    for (const auto& [currency, cost] : finding.cost) text += "|" + currency + to_text(cost);
    for (const FindingExample& example : finding.examples) {
      text += "\n  " + example.place + "|" + example.text + "|" + example.cost;
    }
    text += "\n";
  }
  return text;
}

RC_GTEST_PROP(Findings, NeitherOrderNorPartsShow, ()) {
  std::vector<Entry> entries = any_entries();
  Findings whole;
  for (const Entry& entry : entries) add(whole, entry);
  std::array<Findings, 3> parts;
  for (size_t i = entries.size(); i > 0; --i) {
    add(parts[*rc::gen::inRange<size_t>(0, parts.size())], entries[i - 1]);
  }
  Findings forward, backward;
  for (size_t i = 0; i < parts.size(); ++i) {
    forward.merge(parts[i]);
    backward.merge(parts[parts.size() - 1 - i]);
  }
  RC_ASSERT(shown(forward) == shown(whole));
  RC_ASSERT(shown(backward) == shown(whole));
}

TEST(Findings, MergesWithItself) {
  Findings findings;
  findings.add({.code = "ragged-row", .place = "f:1"});
  findings.merge(findings);
  EXPECT_EQ(findings.rows_of("ragged-row"), 2);
}

}  // namespace
}  // namespace tare
