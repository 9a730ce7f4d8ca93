#include "sources/bill/findings.h"

#include <algorithm>

namespace tare::sources {
namespace {

constexpr std::array<BillFindingKind, kBillFindings> kKinds = {{
    {"billing-period-mismatch", ""},
    {"billing-period-missing", ""},
    {"charge-category-case", ""},
    {"charge-category-unknown", ""},
    {"charge-class-unknown", ""},
    {"contracted-over-list", ""},
    {"cost-stored-as-double", ""},
    {"cost-unreadable-null", "contracted_cost"},
    {"cost-unreadable-null", "effective_cost"},
    {"cost-unreadable-null", "list_cost"},
    {"currency-mixed", ""},
    {"decimal-rounded", ""},
    {"effective-missing", ""},
    {"effective-zero-billed-not", ""},
    {"list-cost-defaulted", ""},
    {"list-price-mismatch", ""},
    {"literal-null-text", ""},
    {"negative-usage-cost", ""},
    {"quantity-unreadable", "consumed_quantity"},
    {"quantity-unreadable", "pricing_quantity"},
    {"quantity-unreadable", "list_unit_price"},
    {"quantity-unreadable", "hours"},
    {"quantity-unreadable", "rate"},
    {"quantity-unreadable", "devices"},
    {"tag-key-untrimmed", ""},
    {"tags-unreadable", ""},
    {"time-zone-missing", ""},
    {"timestamp-not-iso", ""},
    {"unknown-currency", ""},
}};

// Differences from absurd prices could pass what the store holds; a finding's money stops there.
Money saturated_sum(Money a, Money b) {
  constexpr int128 kMost = static_cast<int128>(Money::kAttoPerUnit) * 9'000'000'000'000'000'000;
  return Money::from_atto(std::clamp(a.atto() + b.atto(), -kMost, kMost));
}

}  // namespace

const BillFindingKind& bill_finding_kind(BillFinding finding) {
  return kKinds[static_cast<size_t>(finding)];
}

std::string_view reject_code(Reject reject) {
  switch (reject) {
    case Reject::kCostMissing:
      return "cost-missing";
    case Reject::kCostNotDecimal:
      return "cost-not-decimal";
    case Reject::kCurrencyMissing:
      return "currency-missing";
    case Reject::kPeriodUnreadable:
      return "charge-period-unreadable";
    case Reject::kPeriodReversed:
      return "charge-period-reversed";
    case Reject::kNone:
      break;
  }
  return "row-quarantined-other";
}

bool FindingCounter::add(Count& count, const Row& row) {
  ++count.rows;
  if (row.cost) {
    if (count.cost.size() <= row.currency) count.cost.resize(row.currency + 1);
    std::optional<Money>& sum = count.cost[row.currency];
    sum = saturated_sum(sum.value_or(Money()), *row.cost);
  }
  return count.examples.size() < kMostExamples || row.line_id < count.examples.back().line_id;
}

void FindingCounter::keep_example(Count& count, const Row& row, std::string text) {
  const auto at = std::lower_bound(
      count.examples.begin(), count.examples.end(), row.line_id,
      [](const Example& example, const Hash128& id) { return example.line_id < id; });
  count.examples.insert(at, {row.line_id, row.currency, row.cost, std::move(text)});
  if (count.examples.size() > kMostExamples) count.examples.pop_back();
}

// The examples are added one by one, and what is left of rows and money at once.
void FindingCounter::merge_one(const Count& count, const BillFindingKind& kind, Findings& findings,
                               std::string_view source,
                               const std::vector<std::string>& currencies) {
  if (count.rows == 0) return;
  std::vector<std::optional<Money>> left = count.cost;
  for (const Example& example : count.examples) {
    const std::string place = to_text(example.line_id);
    if (example.cost) {
      std::optional<Money>& rest = left[example.currency];
      rest = saturated_sum(rest.value_or(Money()), -*example.cost);
    }
    findings.add({.code = kind.code,
                  .source = source,
                  .subject = kind.subject,
                  .cost = example.cost,
                  .currency = currencies[example.currency],
                  .place = place,
                  .text = example.text,
                  .rows = 1});
  }
  int64_t rows = count.rows - static_cast<int64_t>(count.examples.size());
  const auto add_rest = [&](const std::optional<Money>& cost, std::string_view currency) {
    findings.add({.code = kind.code,
                  .source = source,
                  .subject = kind.subject,
                  .cost = cost,
                  .currency = currency,
                  .place = "",
                  .text = "",
                  .rows = rows});
    rows = 0;
  };
  if (rows == 0) return;
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i]) add_rest(left[i], currencies[i]);
  }
  if (rows > 0) add_rest(std::nullopt, "");
}

void FindingCounter::merge_into(Findings& findings, std::string_view source,
                                const std::vector<std::string>& currencies) const {
  for (size_t i = 0; i < kBillFindings; ++i) {
    merge_one(kinds_[i], kKinds[i], findings, source, currencies);
  }
  for (const auto& [column, count] : unprefixed_) {
    merge_one(count, {"unprefixed-column", column}, findings, source, currencies);
  }
}

}  // namespace tare::sources
