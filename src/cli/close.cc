// tare close: a month's totals into the journal.
#include "cli/commands.h"
#include "cli/journal.h"
#include "cli/session.h"

namespace tare::cli {
namespace {

Month month_operand(const std::string& text) {
  if (const auto month = parse_month(text)) return *month;
  throw UserError("usage", "'" + text + "' is not a month", "write it as 2026-08");
}

Document document_of_closing(const Project& project, const measures::ClosedMonth& closed,
                             bool written) {
  Table table;
  table.id = to_text(closed.month) + "/close/totals";
  table.title = written ? "noted in journal/closed.jsonl"
                        : "closed with these totals before; nothing was noted";
  table.columns = {
      {.name = "invoice", .heading = "invoice", .align = Align::kLeft},
      {.name = "issuer", .heading = "issuer", .align = Align::kLeft},
      {.name = "source", .heading = "source", .align = Align::kLeft},
      {.name = "currency", .heading = "currency", .align = Align::kLeft},
      {.name = "lines", .heading = "lines", .decimals = 0},
      {.name = "billed", .heading = "billed"},
  };
  for (const measures::ClosedTotal& total : closed.totals) {
    const std::string invoice = measures::invoice_label(total.invoice_id);
    const auto billed = total.cost("billed_cost");
    table.rows.push_back(
        {.key = invoice + "/" + total.issuer + "/" + total.source + "/" + total.currency,
         .adds_up = false,
         .cells = {invoice, total.issuer, total.source, total.currency, total.lines,
                   billed ? Value(*billed) : Value(Unknown{})}});
  }
  Document document;
  document.command = "close";
  document.facts = {{"project", project.name},
                    {"month", to_text(closed.month)},
                    {"day", closed.day},
                    {"files", std::to_string(closed.inputs.size())}};
  document.tables.push_back(std::move(table));
  document.next_step = "tare reconcile --month " + to_text(closed.month);
  return document;
}

}  // namespace

int run_close(const Options& options) {
  Session session = open_session(options);
  const Month month = month_operand(options.operand(0));
  const std::string day =
      options.as_of.empty() ? day_text(session.store.catalog().horizon_ns) : options.as_of;
  const std::vector<measures::ClosedMonth> journal = read_closed_months(session.project);
  const measures::ClosedMonth* before = measures::closed_by(journal, month, "");
  const measures::ClosedMonth closed =
      measures::close_month(session.store, month, day, options.version, before != nullptr);
  if (before != nullptr && before->day > day) {
    throw UserError("usage", to_text(month) + " was closed on " + before->day + ", after " + day,
                    "give a later day with --as-of");
  }
  const bool changed =
      before == nullptr || before->totals != closed.totals || before->inputs != closed.inputs;
  if (changed) append_closed_month(session.project, closed);
  return finish(document_of_closing(session.project, closed, changed), options, session);
}

}  // namespace tare::cli
