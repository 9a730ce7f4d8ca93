#include "sources/bill/currencies.h"
#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_invoices {

enum Column { kInvoiceId, kTotal, kCurrency, kIssuer, kBillingPeriod, kColumns };

constexpr auto kTable = std::to_array<PlainColumn>({
    {"invoice_id", Need::kCell, CellType::kText, "the invoice, as the bill names it"},
    {"total", Need::kCell, CellType::kDecimal, "what was invoiced"},
    {"currency", Need::kCell, CellType::kText, "of the total"},
    {"issuer", Need::kOptional, CellType::kText, "who issued it, as the bill names it"},
    {"billing_period", Need::kOptional, CellType::kMonth, "the month, such as 2026-08"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  InvoiceRow row;
  row.invoice_id = in.text_or_empty(kInvoiceId);
  row.currency = in.text_or_empty(kCurrency);
  row.issuer = in.text_or_empty(kIssuer);
  row.total = in.decimal(kTotal).value_or(Money());
  row.billing_period_start_ns = in.month(kBillingPeriod);
  if (in.rejected()) return;
  if (!is_iso_4217(row.currency)) in.note("unknown-currency", kCurrency);
  out.text(row.invoice_id)
      .text(row.currency)
      .text(row.issuer)
      .money(row.total)
      .number(row.billing_period_start_ns)
      .end();
}

}  // namespace of_invoices
}  // namespace

constinit const PlainFormat kInvoicesFormat = {
    "invoices", SourceKind::kInvoices,  "totals of issued invoices", of_invoices::kTable,
    "invoice",  store::invoice_columns, of_invoices::make_row};

}  // namespace tare::sources
