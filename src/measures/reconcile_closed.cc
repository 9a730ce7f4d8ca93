// The closed months of tare reconcile: what they came to, and what was corrected since.
#include <algorithm>

#include <fmt/format.h>

#include "measures/groupings.h"
#include "measures/reconcile_parts.h"

namespace tare::measures {
namespace {

const ClosedTotal* find_total(const std::vector<ClosedTotal>& totals, const ClosedTotal& like) {
  const auto at = std::find_if(totals.begin(), totals.end(),
                               [&](const ClosedTotal& total) { return total.key() == like.key(); });
  return at == totals.end() ? nullptr : &*at;
}

Value money_value(const std::optional<Money>& money) {
  return money ? Value(*money) : Value(Unknown{});
}

// What of a month differs from one state of it to the next, dated by the later one.
class ClosedTable {
 public:
  explicit ClosedTable(const Checks& checks) {
    table.id = checks.id("closed");
    table.title = "Closed months: what they came to, and what was corrected since";
    table.columns = {text_column("period", "period"),
                     text_column("invoice", "invoice"),
                     text_column("source", "source"),
                     text_column("currency", "currency"),
                     text_column("day", "day"),
                     text_column("what", "what"),
                     number_column("lines", "lines", 0),
                     number_column("billed", "billed"),
                     number_column("effective", "effective")};
  }

  void add_closed(const ClosedMonth& closed) {
    for (const ClosedTotal& total : closed.totals) {
      add(closed, total, "closed",
          {total.lines, total.cost("billed_cost"), total.cost("effective_cost")});
    }
  }

  // True where something was corrected.
  bool add_adjustments(const ClosedMonth& before, const ClosedMonth& after) {
    std::vector<ClosedTotal> all = before.totals;
    for (const ClosedTotal& total : after.totals) {
      if (find_total(all, total) == nullptr) all.push_back(total);
    }
    std::sort(all.begin(), all.end(),
              [](const ClosedTotal& a, const ClosedTotal& b) { return a.key() < b.key(); });
    bool any = false;
    for (const ClosedTotal& like : all) {
      const ClosedTotal* was = find_total(before.totals, like);
      const ClosedTotal* is = find_total(after.totals, like);
      if (was != nullptr && is != nullptr && *was == *is) continue;
      any = true;
      const auto difference = [&](const char* column) -> std::optional<Money> {
        const auto x = was == nullptr ? Money() : was->cost(column);
        const auto y = is == nullptr ? Money() : is->cost(column);
        return x && y ? std::optional(*y - *x) : std::nullopt;
      };
      const int64_t lines = (is == nullptr ? 0 : is->lines) - (was == nullptr ? 0 : was->lines);
      add(after, like, "adjustment",
          {lines, difference("billed_cost"), difference("effective_cost")});
    }
    return any;
  }

  Table table;

 private:
  struct Amounts {
    int64_t lines = 0;
    std::optional<Money> billed, effective;
  };

  void add(const ClosedMonth& state, const ClosedTotal& total, const char* what,
           const Amounts& amounts) {
    const std::string invoice = invoice_label(total.invoice_id);
    const std::string month = to_text(state.month);
    table.rows.push_back(
        {.key =
             key_of({month, invoice, total.issuer, total.source, total.currency, state.day, what}),
         .adds_up = false,
         .cells = {month, invoice, total.source, total.currency, state.day, std::string(what),
                   amounts.lines, money_value(amounts.billed), money_value(amounts.effective)}});
  }
};

std::vector<Month> months_of(const std::vector<ClosedMonth>& journal,
                             const std::optional<Months>& wanted) {
  std::vector<Month> months;
  for (const ClosedMonth& closed : journal) {
    if (wanted && !wanted->span().contains(span_of(closed.month).start_ns)) continue;
    months.push_back(closed.month);
  }
  std::sort(months.begin(), months.end());
  months.erase(std::unique(months.begin(), months.end()), months.end());
  return months;
}

// How an input of a closed month differs from what it was.
int64_t changed_inputs(const ClosedMonth& before, const ClosedMonth& after) {
  int64_t changed = 0;
  for (const ClosedInput& input : before.inputs) {
    changed += std::count(after.inputs.begin(), after.inputs.end(), input) == 0 ? 1 : 0;
  }
  return changed;
}

}  // namespace

void add_closed_months(const Checks& checks, const std::vector<ledger::Conservation>& audit,
                       const Closings& closings, Document* document) {
  const std::vector<Month> months = months_of(closings.journal, checks.months);
  ClosedTable table(checks);
  for (const Month month : months) {
    const ClosedMonth* before = nullptr;
    for (const ClosedMonth& closed : closings.journal) {
      if (closed.month != month) continue;
      if (!closings.as_of.empty() && closed.day > closings.as_of) continue;
      if (before == nullptr) {
        table.add_closed(closed);
      } else {
        table.add_adjustments(*before, closed);
      }
      before = &closed;
    }
    if (before == nullptr || !closings.as_of.empty()) continue;
    const ClosedMonth now = month_now(checks.store, audit, month);
    const bool adjusted = table.add_adjustments(*before, now);
    document->notes.push_back(
        fmt::format("{} was closed on {} by tare {} from {} file{}, of which {} changed since{}",
                    to_text(month), before->day, before->version, before->inputs.size(),
                    before->inputs.size() == 1 ? "" : "s", changed_inputs(*before, now),
                    adjusted ? "; 'tare close' notes the adjustment" : ""));
  }
  if (!table.table.rows.empty()) document->tables.push_back(std::move(table.table));
}

}  // namespace tare::measures
