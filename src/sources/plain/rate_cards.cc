#include "sources/bill/currencies.h"
#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_rate_cards {

enum Column {
  kResourceId,
  kFrom,
  kTo,
  kPerHour,
  kCapex,
  kLifeYears,
  kPowerWatts,
  kPerKwh,
  kPue,
  kStaffPerYear,
  kPool,
  kTeam,
  kCurrency,
  kColumns
};

constexpr auto kTable = std::to_array<PlainColumn>({
    {"resource_id", Need::kCell, CellType::kText, "the machines: a pattern with * and ?"},
    {"from", Need::kCell, CellType::kTime, "since when the price holds"},
    {"to", Need::kColumn, CellType::kTime, "until when; empty: it still holds"},
    {"currency_per_hour", Need::kOptional, CellType::kDecimal,
     "the price of one machine's hour, all included"},
    {"capex", Need::kOptional, CellType::kDecimal, "or: what one machine cost to buy"},
    {"life_years", Need::kOptional, CellType::kDecimal, "over how many years that is spread"},
    {"power_watts", Need::kOptional, CellType::kDecimal, "what one machine draws on average"},
    {"currency_per_kwh", Need::kOptional, CellType::kDecimal, "the price of electricity"},
    {"pue", Need::kOptional, CellType::kDecimal,
     "all power of the room over that of its machines, 1 or more (1)"},
    {"staff_per_year", Need::kOptional, CellType::kDecimal, "one machine's part of the staff"},
    {"pool", Need::kOptional, CellType::kText, "the pool, where the inventory names none"},
    {"team", Need::kOptional, CellType::kText, "who owns it, where nothing else says so"},
    {"currency", Need::kOptional, CellType::kText, "of the prices; else the project's"},
});
static_assert(kTable.size() == kColumns);

bool is_below(const std::optional<Money>& value, int64_t least) {
  return value && *value < Money::from_units(least);
}

// A price by the hour, or its parts spelled out, each whole: else nobody knows what was meant.
void check_prices(const RateCardRow& row, RowReader& in) {
  const auto refuse = [&](bool wrong, int column) {
    if (wrong) in.reject("rate-card-unusable", column);
  };
  const bool spelled_out = row.capex || row.life_years || row.power_watts || row.per_kwh ||
                           row.pue || row.staff_per_year;
  refuse(row.per_hour.has_value() == spelled_out, kPerHour);
  refuse(row.capex.has_value() != row.life_years.has_value(), kCapex);
  refuse(row.power_watts.has_value() != row.per_kwh.has_value(), kPowerWatts);
  refuse(row.pue && !row.power_watts, kPue);
  refuse(is_below(row.per_hour, 0), kPerHour);
  refuse(is_below(row.capex, 0), kCapex);
  refuse(row.life_years && *row.life_years <= Money(), kLifeYears);
  refuse(is_below(row.power_watts, 0), kPowerWatts);
  refuse(is_below(row.per_kwh, 0), kPerKwh);
  refuse(is_below(row.pue, 1), kPue);
  refuse(is_below(row.staff_per_year, 0), kStaffPerYear);
  if (row.to_ns && *row.to_ns < row.from_ns) in.reject("row-unreadable", kTo);
}

// A price that can't be read is no price of zero.
std::optional<Money> price(RowReader& in, int column) {
  const bool given = in.optional_text(column).has_value();
  const std::optional<Money> value = in.decimal(column);
  if (given && !value) in.reject("rate-card-unusable", column);
  return value;
}

void make_row(RowReader& in, RowWriter& out) {
  RateCardRow row;
  row.pattern = in.text_or_empty(kResourceId);
  row.pool = in.text_or_empty(kPool);
  row.team = in.text_or_empty(kTeam);
  row.currency = currency_code(in.text_or_empty(kCurrency));
  row.from_ns = in.time(kFrom).value_or(0);
  const bool ends = in.optional_text(kTo).has_value();
  row.to_ns = in.time(kTo);
  if (ends && !row.to_ns) in.reject("row-unreadable", kTo);
  row.per_hour = price(in, kPerHour);
  row.capex = price(in, kCapex);
  row.life_years = price(in, kLifeYears);
  row.power_watts = price(in, kPowerWatts);
  row.per_kwh = price(in, kPerKwh);
  row.pue = price(in, kPue);
  row.staff_per_year = price(in, kStaffPerYear);
  if (in.rejected()) return;
  check_prices(row, in);
  if (in.rejected()) return;
  if (!row.currency.empty() && !is_iso_4217(row.currency)) in.note("unknown-currency", kCurrency);
  if (row.per_hour && row.per_hour->is_zero()) in.note("rate-card-zero", kPerHour);
  out.text(row.pattern)
      .text(row.pool)
      .text(row.team)
      .text(row.currency)
      .number(row.from_ns)
      .number(row.to_ns)
      .money(row.per_hour)
      .money(row.capex)
      .money(row.life_years)
      .money(row.power_watts)
      .money(row.per_kwh)
      .money(row.pue)
      .money(row.staff_per_year)
      .end();
}

}  // namespace of_rate_cards
}  // namespace

constinit const PlainFormat kRateCardFormat = {"rate-card",
                                               SourceKind::kRateCards,
                                               "prices of machines that no bill names",
                                               of_rate_cards::kTable,
                                               "rate_card",
                                               store::rate_card_columns,
                                               of_rate_cards::make_row};

}  // namespace tare::sources
