#include "sources/bill/currencies.h"
#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_rates {

enum Column { kFromCurrency, kToCurrency, kDay, kRate, kColumns };

constexpr auto kTable = std::to_array<PlainColumn>({
    {"from_currency", Need::kCell, CellType::kText, "the currency of the bill, such as EUR"},
    {"to_currency", Need::kCell, CellType::kText, "the project's currency"},
    {"day", Need::kCell, CellType::kDay, "the first day on which the rate holds"},
    {"rate", Need::kCell, CellType::kDecimal,
     "units of to_currency that one of the other is worth"},
});
static_assert(kTable.size() == kColumns);

std::string currency_of(RowReader& in, int column) {
  std::string code = currency_code(in.text_or_empty(column));
  if (!code.empty() && !is_iso_4217(code)) in.note("unknown-currency", column);
  return code;
}

void make_row(RowReader& in, RowWriter& out) {
  RateRow row;
  row.from_currency = currency_of(in, kFromCurrency);
  row.to_currency = currency_of(in, kToCurrency);
  row.day_ns = in.time(kDay).value_or(0);
  row.rate = in.decimal(kRate).value_or(Money());
  if (in.rejected()) return;
  if (row.rate <= Money()) in.reject("rate-unusable", kRate);
  if (row.from_currency == row.to_currency) in.reject("rate-unusable", kToCurrency);
  if (in.rejected()) return;
  out.text(row.from_currency).text(row.to_currency).number(row.day_ns).money(row.rate).end();
}

}  // namespace of_rates
}  // namespace

constinit const PlainFormat kRatesFormat = {
    "rates", SourceKind::kRates,  "exchange rates by day", of_rates::kTable,
    "rate",  store::rate_columns, of_rates::make_row};

}  // namespace tare::sources
