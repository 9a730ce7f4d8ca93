#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "measures/groupings.h"
#include "measures/reconcile_parts.h"
#include "measures/sql_text.h"
#include "measures/tolerance.h"

namespace tare::measures {
namespace {

struct InvoiceLines {
  std::string currency, issuer, invoice;
  int64_t period_start_ns = 0;
  int64_t rows = 0;
  Money billed;
  bool issued = false;  // some issued invoice names it
};

struct Issued {
  std::string currency, issuer, invoice;
  std::optional<int64_t> period_start_ns;
  Money total;

  bool covers(const InvoiceLines& lines) const {
    return lines.currency == currency && lines.invoice == invoice &&
           (issuer.empty() || lines.issuer == issuer) &&
           (!period_start_ns || lines.period_start_ns == *period_start_ns);
  }
};

std::vector<InvoiceLines> read_lines(const Checks& checks) {
  const store::Result answer = checks.store.connection().query(
      fill(embedded::invoice_lines_sql(), {{"periods", checks.periods_sql()}}));
  std::vector<InvoiceLines> lines;
  for (size_t row = 0; row < answer.rows(); ++row) {
    lines.push_back({.currency = answer.text(row, 0),
                     .issuer = answer.text(row, 1),
                     .invoice = answer.text(row, 2),
                     .period_start_ns = answer.i64(row, 3),
                     .rows = count_at(answer, row, 4),
                     .billed = money_at(answer, row, 5)});
  }
  return lines;
}

std::vector<Issued> read_issued(const Checks& checks) {
  const store::Result answer = checks.store.connection().query(
      fill(embedded::issued_invoices_sql(), {{"periods", checks.periods_sql()}}));
  std::vector<Issued> issued;
  for (size_t row = 0; row < answer.rows(); ++row) {
    Issued invoice{.currency = answer.text(row, 0),
                   .issuer = answer.text(row, 1),
                   .invoice = answer.text(row, 2),
                   .period_start_ns = std::nullopt,
                   .total = money_at(answer, row, 4)};
    if (!answer.is_null(row, 3)) invoice.period_start_ns = answer.i64(row, 3);
    issued.push_back(std::move(invoice));
  }
  return issued;
}

std::string period_of(const std::optional<int64_t>& start_ns) {
  return start_ns ? to_text(month_of(*start_ns)) : "-";
}

struct Judged {
  Row row;
  bool within = true;
};

Judged judge(const Issued& issued, std::vector<InvoiceLines>* lines) {
  InvoiceLines sum;
  std::optional<int64_t> period = issued.period_start_ns;
  for (InvoiceLines& group : *lines) {
    if (!issued.covers(group)) continue;
    group.issued = true;
    sum.rows += group.rows;
    sum.billed += group.billed;
    if (!period) period = group.period_start_ns;
  }
  const Tolerance tolerance = tolerance_of(sum.rows, issued.currency);
  const Money difference = sum.billed - issued.total;
  const bool within = sum.rows > 0 && tolerance.allows(difference);
  const std::string verdict = within          ? "within tolerance"
                              : sum.rows == 0 ? "NOT IN THE BILL"
                                              : "OUT OF TOLERANCE";
  return {{.key = key_of(
               {issued.invoice, issued.issuer, period_of(issued.period_start_ns), issued.currency}),
           .adds_up = false,
           .cells = {issued.invoice, period_of(period), issued.currency, sum.rows, sum.billed,
                     issued.total, difference, tolerance.shown(), verdict}},
          within};
}

Row unjudged_row(const InvoiceLines& lines) {
  const std::string invoice = invoice_label(lines.invoice);
  return {.key = key_of({invoice, lines.issuer, period_of(lines.period_start_ns), lines.currency}),
          .adds_up = false,
          .cells = {invoice, period_of(lines.period_start_ns), lines.currency, lines.rows,
                    lines.billed, Unknown{}, Unknown{}, Unknown{},
                    lines.invoice.empty() ? "not judged: not invoiced yet"
                                          : "not judged: no issued total"}};
}

std::string cost_label(CostColumn column) {
  constexpr std::array<const char*, kCostColumns> kNames = {"billed", "effective", "list",
                                                            "contracted"};
  return kNames[static_cast<size_t>(column)];
}

}  // namespace

bool add_invoices(const Checks& checks, Document* document) {
  Table table;
  table.id = checks.id("invoices");
  table.title = "(b) Invoices: the bill's lines against what was issued";
  table.columns = {
      text_column("invoice", "invoice"),         text_column("period", "period"),
      text_column("currency", "currency"),       number_column("lines", "lines", 0),
      number_column("billed", "billed"),         number_column("issued", "issued"),
      number_column("difference", "difference"), number_column("tolerance", "tolerance"),
      text_column("verdict", "verdict")};
  std::vector<InvoiceLines> lines = read_lines(checks);
  const std::vector<Issued> issued = read_issued(checks);
  bool within = true;
  for (const Issued& invoice : issued) {
    Judged judged = judge(invoice, &lines);
    within = within && judged.within;
    table.rows.push_back(std::move(judged.row));
  }
  for (const InvoiceLines& group : lines) {
    if (!group.issued) table.rows.push_back(unjudged_row(group));
  }
  const auto& inputs = checks.store.catalog().inputs;
  const bool named = std::any_of(inputs.begin(), inputs.end(),
                                 [](const auto& input) { return input.kind == "invoices"; });
  if (issued.empty() && named) {
    table.notes.emplace_back("no issued total that could be read is of these billing periods");
  } else if (issued.empty()) {
    table.notes.emplace_back("no issued totals: name a file of them under sources: invoices");
  } else {
    table.notes.emplace_back("tolerance: the larger of 100 sub-units and 0.5 × √lines sub-units");
  }
  document->tables.push_back(std::move(table));
  return within;
}

void add_quarantined(const Checks& checks, Document* document) {
  constexpr size_t kShown = 20;
  const store::Result answer = checks.store.connection().query(embedded::quarantined_sql());
  Table table;
  table.id = checks.id("quarantined");
  table.title = "Quarantined: rows of the bill that are in no total";
  table.columns = {text_column("place", "place"), text_column("code", "code"),
                   number_column("cost", "readable cost"), text_column("currency", "currency"),
                   text_column("text", "the row's own text")};
  std::map<std::string, Money> money;
  for (size_t row = 0; row < answer.rows(); ++row) {
    const std::optional<Money> cost = answer.optional_money(row, 4);
    if (cost) money[answer.text(row, 5)] += *cost;
    if (row >= kShown) continue;
    table.rows.push_back(
        {.key = std::to_string(row + 1),
         .adds_up = false,
         .cells = {answer.text(row, 1), answer.text(row, 2), cost ? Value(*cost) : Value(Unknown{}),
                   answer.text(row, 5), answer.text(row, 3)}});
  }
  for (const auto& [currency, sum] : money) {
    table.notes.push_back(fmt::format("readable money in quarantine: {} {}", to_text(sum),
                                      currency.empty() ? "of no currency" : currency));
  }
  if (answer.rows() > kShown) {
    table.notes.push_back(
        fmt::format("{} more rows: tare findings CODE --rows", answer.rows() - kShown));
  }
  document->tables.push_back(std::move(table));
}

void add_commitments(const Checks& checks, Document* document) {
  const store::Result answer = checks.store.connection().query(
      fill(embedded::commitments_sql(), {{"periods", checks.periods_sql()}}));
  if (answer.rows() == 0) return;
  Table table;
  table.id = checks.id("commitments");
  table.title = "(c) Covering sets: each commitment with what it covered";
  table.columns = {
      text_column("commitment", "commitment"), text_column("currency", "currency"),
      number_column("fees", "fees"),           number_column("covered", "covered"),
      number_column("unused", "unused"),       number_column("billed", "billed"),
      number_column("effective", "effective"), number_column("difference", "difference"),
      text_column("verdict", "verdict")};
  for (size_t row = 0; row < answer.rows(); ++row) {
    const Money billed = money_at(answer, row, 9);
    const Money effective = money_at(answer, row, 11);
    table.rows.push_back(
        {.key = key_of({answer.text(row, 1), answer.text(row, 0)}),
         .adds_up = false,
         .cells = {answer.text(row, 1), answer.text(row, 0), money_at(answer, row, 3),
                   money_at(answer, row, 5), money_at(answer, row, 7), billed, effective,
                   effective - billed, effective == billed ? "equal" : "not judged"}});
  }
  table.notes.emplace_back(
      "effective and billed meet over a commitment's whole term; within it a difference says "
      "nothing");
  document->tables.push_back(std::move(table));
}

void add_unbalanced_lines(const Checks& checks, Document* document) {
  const store::Result answer = checks.store.connection().query(embedded::unbalanced_lines_sql());
  Table table;
  table.id = checks.id("lines");
  table.title = "Bill lines whose postings differ from them";
  table.columns = {text_column("line", "bill line"), text_column("source", "source"),
                   number_column("billed", "billed"), number_column("posted", "posted")};
  for (size_t i = 0; i < kCostColumns; ++i) {
    const std::string name = cost_label(static_cast<CostColumn>(i));
    table.columns.push_back(number_column(name + "_difference", name + " difference"));
  }
  for (size_t row = 0; row < answer.rows(); ++row) {
    Row line{.key = answer.text(row, 0), .adds_up = false};
    line.cells = {answer.text(row, 0), answer.text(row, 1), money_at(answer, row, 2),
                  money_at(answer, row, 4)};
    for (size_t i = 0; i < kCostColumns; ++i) {
      line.cells.emplace_back(Money::from_atto(answer.i128(row, 6 + i)));
    }
    table.rows.push_back(std::move(line));
  }
  document->tables.push_back(std::move(table));
}

}  // namespace tare::measures
