#include "measures/finding_sums.h"

#include <algorithm>
#include <tuple>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "measures/sql_text.h"

namespace tare::measures {
namespace {

Money magnitude(Money amount) { return amount.is_negative() ? -amount : amount; }

Money in_currency(const FindingSum& finding, const std::string& currency) {
  const auto found = finding.cost.find(currency);
  return found == finding.cost.end() ? Money() : magnitude(found->second);
}

// Of other currencies only whether there is money can be compared, never how much.
bool costlier(const FindingSum& a, const FindingSum& b, const std::string& currency) {
  const Money cost_a = in_currency(a, currency);
  const Money cost_b = in_currency(b, currency);
  if (cost_a != cost_b) return cost_a > cost_b;
  if (a.cost.empty() != b.cost.empty()) return b.cost.empty();
  return std::tie(a.code, a.source, a.subject) < std::tie(b.code, b.source, b.subject);
}

}  // namespace

std::vector<FindingSum> read_findings(store::Store& store, const std::string& currency,
                                      const std::string& code) {
  const bool one = !code.empty();
  const store::Result answer = store.connection().query(
      fill(embedded::findings_sql(),
           {{"columns", one ? "code, coalesce(source, ''), coalesce(subject, '')" : "code, '', ''"},
            {"condition", one ? "code = " + store::quote_text(code) : "true"}}));
  std::map<std::tuple<std::string, std::string, std::string>, FindingSum> sums;
  for (size_t row = 0; row < answer.rows(); ++row) {
    const std::string found_code = answer.text(row, 0);
    const std::string source = answer.text(row, 1);
    const std::string subject = answer.text(row, 2);
    FindingSum& sum = sums[{found_code, source, subject}];
    sum.code = found_code;
    sum.source = source;
    sum.subject = subject;
    sum.rows += count_at(answer, row, 4);
    const std::string of_currency = answer.text(row, 3);
    if (!of_currency.empty() && !answer.is_null(row, 5)) {
      sum.cost[of_currency] += money_at(answer, row, 5);
    }
  }
  std::vector<FindingSum> sorted;
  for (auto& [key, sum] : sums) sorted.push_back(std::move(sum));
  std::sort(sorted.begin(), sorted.end(),
            [&](const FindingSum& a, const FindingSum& b) { return costlier(a, b, currency); });
  return sorted;
}

const FindingKind* known_kind(std::string_view code) {
  for (const FindingKind& kind : finding_kinds()) {
    if (kind.code == code) return &kind;
  }
  return nullptr;
}

std::string other_money(const FindingSum& finding, const std::string& currency) {
  std::vector<std::string> texts;
  for (const auto& [name, cost] : finding.cost) {
    if (name != currency) texts.push_back(fmt::format("{} {}", to_text_rounded(cost, 2), name));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace tare::measures
