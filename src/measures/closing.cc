#include "measures/closing.h"

#include <algorithm>

#include "base/errors.h"
#include "ledger/ledger.h"

namespace tare::measures {
namespace {

// A cost that some line knows.
bool is_cost(const ledger::Conservation& check) {
  return check.line_count > check.unknown_lines && check.cost_column.ends_with("_cost");
}

std::vector<ClosedTotal> totals_of(const std::vector<ledger::Conservation>& audit, Month month) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, ClosedTotal> totals;
  const int64_t start_ns = span_of(month).start_ns;
  for (const ledger::Conservation& check : audit) {
    if (check.billing_period_start_ns != start_ns) continue;
    ClosedTotal& total = totals[{check.source, check.issuer, check.invoice_id, check.currency}];
    total.source = check.source;
    total.issuer = check.issuer;
    total.invoice_id = check.invoice_id;
    total.currency = check.currency;
    total.lines = std::max(total.lines, check.line_count);
    if (is_cost(check)) total.costs[check.cost_column] = check.lines;
  }
  std::vector<ClosedTotal> sorted;
  for (auto& [key, total] : totals) sorted.push_back(std::move(total));
  return sorted;
}

std::vector<ClosedInput> inputs_of(const store::Store& store, Month month) {
  std::vector<ClosedInput> inputs;
  const std::string period = to_text(month);
  for (const store::InputFile& input : store.catalog().inputs) {
    if (std::find(input.periods.begin(), input.periods.end(), period) == input.periods.end())
      continue;
    inputs.push_back({input.source, input.file, input.sha256});
  }
  std::sort(inputs.begin(), inputs.end(), [](const ClosedInput& a, const ClosedInput& b) {
    return std::tie(a.source, a.file) < std::tie(b.source, b.file);
  });
  return inputs;
}

}  // namespace

std::optional<Money> ClosedTotal::cost(const std::string& column) const {
  const auto at = costs.find(column);
  return at == costs.end() ? std::nullopt : std::optional(at->second);
}

std::string invoice_label(const std::string& invoice_id) {
  return invoice_id.empty() ? "not-invoiced" : invoice_id;
}

ClosedMonth month_now(const store::Store& store, const std::vector<ledger::Conservation>& audit,
                      Month month) {
  return {month, day_text(store.catalog().horizon_ns), "", inputs_of(store, month),
          totals_of(audit, month)};
}

ClosedMonth close_month(store::Store& store, Month month, const std::string& day,
                        const std::string& version, bool closed_before) {
  const std::vector<ledger::Conservation> audit = ledger::audit_summaries(store.connection());
  ClosedMonth closed = month_now(store, audit, month);
  closed.day = day;
  closed.version = version;
  if (closed.totals.empty() && !closed_before) {
    throw UserError("period-without-bill", "the bill has nothing in " + to_text(month),
                    "'tare reconcile' lists the months that are loaded");
  }
  for (const ledger::Conservation& check : audit) {
    if (check.billing_period_start_ns != span_of(month).start_ns || check.conserved()) continue;
    throw UserError("not-reconciled", "the postings of " + to_text(month) + " differ from its bill",
                    "tare reconcile");
  }
  return closed;
}

const ClosedMonth* closed_by(const std::vector<ClosedMonth>& journal, Month month,
                             const std::string& day) {
  const ClosedMonth* last = nullptr;
  for (const ClosedMonth& closed : journal) {
    if (closed.month != month || (!day.empty() && closed.day > day)) continue;
    if (last == nullptr || closed.day >= last->day) last = &closed;
  }
  return last;
}

}  // namespace tare::measures
