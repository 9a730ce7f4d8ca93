// The bill itself, the bridge from what was used to what was invoiced, and where the money went.
#include <algorithm>
#include <optional>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "base/errors.h"
#include "measures/groupings.h"
#include "measures/report_parts.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

struct BillSum {
  int64_t lines = 0;
  std::array<Money, kCostColumns> costs;
  void add(const BillSum& other, bool negative = false) {
    lines += negative ? -other.lines : other.lines;
    for (size_t i = 0; i < kCostColumns; ++i) {
      costs[i] += negative ? -other.costs[i] : other.costs[i];
    }
  }
};

struct Bridge {
  BillSum used_here, used_here_billed_elsewhere, billed_here_used_elsewhere, billed_here;
};

Bridge read_bridge(const Page& page) {
  const Span span = page.scope.months.span();
  const store::Result answer = page.store.connection().query(
      fill(embedded::bridge_sql(), {{"first_month", std::to_string(page.scope.months.first.index)},
                                    {"last_month", std::to_string(page.scope.months.last.index)},
                                    {"start_ns", std::to_string(span.start_ns)},
                                    {"end_ns", std::to_string(span.end_ns)},
                                    {"currency", store::quote_text(page.currency)}}));
  Bridge bridge;
  for (size_t row = 0; row < answer.rows(); ++row) {
    BillSum sum;
    sum.lines = count_at(answer, row, 2);
    for (size_t i = 0; i < kCostColumns; ++i) sum.costs[i] = money_at(answer, row, 3 + 2 * i);
    const bool used = answer.i64(row, 0) != 0;
    const bool billed = answer.i64(row, 1) != 0;
    if (used) bridge.used_here.add(sum);
    if (billed) bridge.billed_here.add(sum);
    if (used && !billed) bridge.used_here_billed_elsewhere.add(sum, true);
    if (billed && !used) bridge.billed_here_used_elsewhere.add(sum);
  }
  return bridge;
}

std::optional<BillSum> read_rate_card(const Page& page) {
  const store::Result answer = page.store.connection().query(fill(
      embedded::rate_card_sql(), {{"first_month", std::to_string(page.scope.months.first.index)},
                                  {"last_month", std::to_string(page.scope.months.last.index)}}));
  for (size_t row = 0; row < answer.rows(); ++row) {
    if (answer.text(row, 0) != page.currency) continue;
    BillSum sum;
    sum.lines = count_at(answer, row, 1);
    for (size_t i = 0; i < kCostColumns; ++i) sum.costs[i] = money_at(answer, row, 2 + 2 * i);
    return sum;
  }
  return std::nullopt;
}

Row bill_row(std::string key, std::string label, const BillSum& sum) {
  Row row{.key = std::move(key), .cells = {std::move(label), sum.lines}};
  for (const Money& cost : sum.costs) row.cells.emplace_back(cost);
  return row;
}

std::string billed_sql(const Months& months, bool billed) {
  const Span span = months.span();
  return fmt::format("{}(billing_period_start_ns >= {} AND billing_period_start_ns < {})",
                     billed ? "" : "NOT ", span.start_ns, span.end_ns);
}

// Does what was posted equal what was billed?
std::string conservation_text(const Page& page) {
  const Span span = page.scope.months.span();
  int64_t checks = 0;
  int64_t broken = 0;
  for (const ledger::Conservation& check : page.audit) {
    if (check.currency != page.currency || !span.contains(check.billing_period_start_ns)) continue;
    ++checks;
    if (!check.conserved()) ++broken;
  }
  if (checks == 0) return "";
  if (broken > 0) {
    return fmt::format(": NOT conserved, postings differ in {} of {} sums (tare reconcile)", broken,
                       checks);
  }
  return fmt::format(": conserved, postings equal it in all {} sums by invoice and cost", checks);
}

constexpr auto kKinds = std::to_array<AccountKind>({
    {"model", "models"},
    {"unnamed", "models without a name"},
    {"idle", "idle"},
    {"commitment-unused", "commitments unused"},
    {"reservation-unused", "reservations unused"},
    {"commitment-fee", "commitment fees"},
    {"shared", "shared"},
    {"tax", "tax"},
    {"credit", "credits"},
    {"adjustment", "adjustments"},
    {"unassigned", "unassigned"},
});

bool has_any(const std::vector<Cell>& cells, std::string_view kind) {
  return std::any_of(cells.begin(), cells.end(), [&](const Cell& c) { return is_of(c, kind); });
}

Row account_row(const Page& page, std::string key, std::string label, Money cost, Money before) {
  Row row{.key = std::move(key), .cells = {std::move(label), cost, ratio_value(cost, page.bill)}};
  if (page.cube.has_before()) {
    row.cells.emplace_back(before);
    row.cells.push_back(change_value(rational(cost), rational(before)));
  } else {
    row.cells.emplace_back(Unknown{});
    row.cells.emplace_back(Unknown{});
  }
  return row;
}

void check_kinds(const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) {
    const bool known = std::any_of(kKinds.begin(), kKinds.end(),
                                   [&](const AccountKind& kind) { return is_of(cell, kind.name); });
    TARE_ASSERT(known, "an account of a kind that the report has no row for");
  }
}

}  // namespace

std::span<const AccountKind> account_kinds() { return kKinds; }

bool is_of(const Cell& cell, std::string_view kind) {
  const bool unnamed = cell.kind == "model" && cell.model == "unnamed";
  if (kind == "unnamed") return unnamed;
  return cell.kind == kind && !unnamed;
}

std::vector<std::string> kind_sql(std::string_view kind) {
  if (kind == "unnamed") return {"kind = 'model'", "model = 'unnamed'"};
  if (kind == "model") return {"kind = 'model'", "model <> 'unnamed'"};
  return {fmt::format("kind = {}", store::quote_text(kind))};
}

TracedTable bill_table(const Page& page) {
  const Bridge bridge = read_bridge(page);
  TracedTable traced{.kind = "bill", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("bill");
  table.title = fmt::format("The bill of {}, {}{}", page.scope.months.text(), page.currency,
                            conservation_text(page));
  table.columns = {text_column("view", "view"), number_column("lines", "lines", 0)};
  for (const char* name : {"billed", "effective", "list", "contracted"}) {
    table.columns.push_back(number_column(name, name));
  }
  const std::string in_months = page.scope.day_months_sql();
  traced.add(bill_row("usage", "used in the period", bridge.used_here), page.behind({}));
  if (const std::optional<BillSum> card = read_rate_card(page)) {
    Row row = bill_row("rate-card", "of it by rate card, not billed", *card);
    row.adds_up = false;
    traced.add(std::move(row), page.behind({rate_card_sources_sql(page.project)}));
  }
  if (bridge.used_here_billed_elsewhere.lines != 0) {
    traced.add(bill_row("billed-elsewhere", "less: billed in another period",
                        bridge.used_here_billed_elsewhere),
               page.behind({billed_sql(page.scope.months, false)}));
  }
  if (bridge.billed_here_used_elsewhere.lines != 0) {
    Behind behind =
        page.behind({billed_sql(page.scope.months, true), fmt::format("NOT ({})", in_months)});
    behind.own_months = true;
    traced.add(bill_row("used-elsewhere", "plus: used in another period",
                        bridge.billed_here_used_elsewhere),
               behind);
  }
  Row invoiced = bill_row("invoiced", "invoiced for the period", bridge.billed_here);
  invoiced.is_total = true;
  Behind behind = page.behind({billed_sql(page.scope.months, true)});
  behind.own_months = true;
  traced.add(std::move(invoiced), behind);
  return traced;
}

TracedTable accounts_table(const Page& page) {
  check_kinds(page.cube.now());
  TracedTable traced{.kind = "accounts", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("accounts");
  table.title = "The bill by kind of account";
  table.columns = {text_column("account", "accounts"),
                   number_column("cost", page.money_heading("cost")),
                   number_column("share", "share", kPercentDecimals),
                   number_column("before", page.scope.months.before().text()),
                   number_column("change", "change", kChangeDecimals)};
  for (const AccountKind& kind : kKinds) {
    if (!has_any(page.cube.now(), kind.name) && !has_any(page.cube.before(), kind.name)) continue;
    const auto holds = [&](const Cell& cell) { return is_of(cell, kind.name); };
    traced.add(account_row(page, std::string(kind.name), std::string(kind.label),
                           sum_cost(page.cube.now(), holds), sum_cost(page.cube.before(), holds)),
               page.behind(kind_sql(kind.name)));
  }
  Row total = account_row(page, "total", "the bill", page.bill, page.bill_before);
  total.is_total = true;
  traced.add(std::move(total), page.behind({}));
  return traced;
}

}  // namespace tare::measures
