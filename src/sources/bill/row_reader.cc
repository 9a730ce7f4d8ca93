#include "sources/bill/row_reader.h"

#include <bit>

#include "base/wide_math.h"

namespace tare::sources {
namespace {

constexpr size_t kCachedDoubles = 8192;
// Beyond this a price times a quantity is an error of the file, and its difference no money.
constexpr int128 kLargestDifference = static_cast<int128>(Money::kAttoPerUnit) * 1'000'000'000'000;

uint128 magnitude(Money amount) {
  const int128 atto = amount.atto();
  return static_cast<uint128>(atto < 0 ? -atto : atto);
}

// a × b, rounded half even at 1e-18; empty where the store can't hold it. `exact` says whether
// nothing was rounded.
std::optional<Money> product(Money a, Money b, bool& exact) {
  constexpr auto kScale = static_cast<uint128>(Money::kAttoPerUnit);
  const Uint256 wide = multiply(magnitude(a), magnitude(b));
  exact = true;
  if (wide.hi >= kScale) return std::nullopt;  // a quotient of more than 128 bits
  const Division256 division = divide_256(wide, {0, kScale});
  uint128 quotient = division.quotient;
  const uint128 twice = division.remainder.lo * 2;
  exact = division.remainder.lo == 0;
  if (twice > kScale || (twice == kScale && (quotient & 1) != 0)) ++quotient;
  if (quotient >> 126 != 0) return std::nullopt;
  const auto atto = static_cast<int128>(quotient);
  const Money result = Money::from_atto(a.is_negative() != b.is_negative() ? -atto : atto);
  if (!result.fits_store()) return std::nullopt;
  return result;
}

// "+02:00" or "-0530" to ns; "UTC" and "Z" are 0.
int64_t zone_offset_ns(std::string_view zone) {
  if (zone.empty() || zone == "UTC" || zone == "Z") return 0;
  const InstantResult there = parse_instant("1970-01-02T00:00:00" + std::string(zone));
  return there.ok ? kNsPerDay - there.ns : 0;
}

// As FOCUS writes it: 2024-09-01T00:00:00Z, perhaps with a fraction of a second.
bool is_focus_time(std::string_view text) {
  return text.size() >= 20 && text[10] == 'T' && text.back() == 'Z';
}

}  // namespace

BillRowReader::BillRowReader(const BillFormat& format, const BillColumns& columns,
                             const BillDefaults& defaults, const std::string& time_zone)
    : columns_(columns),
      defaults_(defaults),
      zone_stated_(!time_zone.empty()),
      zone_offset_ns_(zone_offset_ns(time_zone)),
      doubles_(kCachedDoubles) {
  defaults_.is_plain = format.is_plain;
}

BillRowReader::Number BillRowReader::number_of_text(std::string_view text) {
  Number number;
  DecimalResult decimal = parse_decimal(text);
  if (!decimal.ok()) {
    text = trim(text);
    if (is_unknown(text)) {
      row_.findings.set_if(!text.empty(), BillFinding::kLiteralNull);
      return number;
    }
    decimal = parse_decimal(text);
  }
  number.known = true;
  number.ok = decimal.ok() && decimal.value.fits_store();
  number.rounded = decimal.rounded;
  number.value = decimal.value;
  return number;
}

BillRowReader::Number BillRowReader::number_of_double(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  CachedDouble& cached = doubles_[(bits ^ (bits >> 29) ^ (bits >> 47)) % kCachedDoubles];
  if (!cached.used || cached.bits != bits) {
    cached = {bits, true, number_of_text(shortest_text(value))};
    cached.number.known = true;
  }
  return cached.number;
}

BillRowReader::Number BillRowReader::number(const Cells& cells, BillColumn column) {
  const FileColumn& at = columns_[column];
  if (!at.present()) return {};
  const auto stream = static_cast<size_t>(at.stream);
  if (!cells.chunk.valid(stream, cells.row)) return {};
  switch (at.as) {
    case ColumnAs::kDouble:
      return number_of_double(cells.chunk.f64(stream, cells.row));
    case ColumnAs::kDecimal: {
      Number number;
      number.known = true;
      const int128 raw = cells.chunk.i128(stream, cells.row);
      const auto factor = static_cast<int128>(power_of_ten(Money::kScale - at.scale));
      int128 atto = 0;
      number.ok = !__builtin_mul_overflow(raw, factor, &atto);
      number.value = Money::from_atto(atto);
      number.ok = number.ok && number.value.fits_store();
      return number;
    }
    default:
      return number_of_text(cells.chunk.text(stream, cells.row));
  }
}

BillRowReader::Instant BillRowReader::parse(std::string_view text, const FileColumn& column) const {
  Instant instant;
  const std::string_view trimmed = trim(text);
  instant.known = !is_unknown(trimmed);
  if (!instant.known) return instant;
  const InstantResult result = parse_instant(trimmed, column.unit);
  instant.ok = result.ok;
  instant.ns = result.ns;
  instant.zone_given = result.zone_given;
  instant.iso = column.unit != TimeUnit::kIso || is_focus_time(trimmed);
  if (!result.ok) return instant;
  const bool written = column.unit == TimeUnit::kIso;
  instant.written_month = written ? parse_month(trimmed.substr(0, 7)).value_or(month_of(result.ns))
                                  : month_of(result.ns);
  if (!result.zone_given) instant.ns -= zone_offset_ns_;
  return instant;
}

// Of a billing period's start, which the next row often repeats.
Month BillRowReader::month(int64_t start_ns) {
  if (start_ns != month_start_ns_) {
    month_start_ns_ = start_ns;
    month_ = month_of(start_ns);
  }
  return month_;
}

BillRowReader::Instant BillRowReader::instant(const Cells& cells, BillColumn column) {
  const FileColumn& at = columns_[column];
  if (!at.present()) return {};
  const auto stream = static_cast<size_t>(at.stream);
  if (!cells.chunk.valid(stream, cells.row)) return {};
  if (at.as == ColumnAs::kInstantNs) {
    Instant instant;
    instant.known = instant.ok = true;
    instant.ns = cells.chunk.i64(stream, cells.row);
    if (column == BillColumn::kBillingPeriodStart) instant.written_month = month(instant.ns);
    instant.zone_given = at.stated_utc;
    if (!at.stated_utc) instant.ns -= zone_offset_ns_;
    return instant;
  }
  const std::string_view text = cells.chunk.text(stream, cells.row);
  const size_t slot =
      static_cast<size_t>(column) - static_cast<size_t>(BillColumn::kBillingPeriodStart);
  Memo& memo = memos_[slot];
  if (memo.text != text) {
    memo.text = text;
    memo.instant = parse(text, at);
  }
  row_.findings.set_if(!memo.instant.known && !text.empty(), BillFinding::kLiteralNull);
  return memo.instant;
}

void BillRowReader::reject(Reject reason, BillColumn column) {
  if (row_.reject != Reject::kNone) return;
  row_.reject = reason;
  row_.reject_column = columns_[column].file;
}

std::optional<Money> BillRowReader::optional_cost(const Cells& cells, BillColumn column,
                                                  BillFinding unreadable) {
  const Number cost = number(cells, column);
  if (!cost.known) return std::nullopt;
  if (!cost.ok) {
    row_.findings.set(unreadable);
    return std::nullopt;
  }
  row_.findings.set_if(cost.rounded, BillFinding::kDecimalRounded);
  row_.findings.set_if(columns_[column].stored_as_double, BillFinding::kCostStoredAsDouble);
  return cost.value;
}

void BillRowReader::read_costs(const Cells& cells) {
  const Number billed = number(cells, BillColumn::kBilledCost);
  if (billed.ok) {
    row_.costs[0] = billed.value;
    row_.findings.set_if(billed.rounded, BillFinding::kDecimalRounded);
    row_.findings.set_if(columns_[BillColumn::kBilledCost].stored_as_double,
                         BillFinding::kCostStoredAsDouble);
  } else {
    reject(billed.known ? Reject::kCostNotDecimal : Reject::kCostMissing, BillColumn::kBilledCost);
  }
  row_.costs[1] =
      optional_cost(cells, BillColumn::kEffectiveCost, BillFinding::kEffectiveUnreadable);
  row_.costs[2] = optional_cost(cells, BillColumn::kListCost, BillFinding::kListUnreadable);
  row_.costs[3] =
      optional_cost(cells, BillColumn::kContractedCost, BillFinding::kContractedUnreadable);
}

// What is invoiced is billed_cost, else cost, else hours × rate. A cost that stands beside another
// billed cost is the effective one, unless that is given too: no column of money is dropped.
void BillRowReader::read_plain_costs(const Cells& cells) {
  const Number billed = number(cells, BillColumn::kBilledCost);
  const Number cost = number(cells, BillColumn::kCost);
  const Number hours = number(cells, BillColumn::kHours);
  const Number rate = number(cells, BillColumn::kRate);
  row_.costs[1] =
      optional_cost(cells, BillColumn::kEffectiveCost, BillFinding::kEffectiveUnreadable);
  row_.costs[2] = optional_cost(cells, BillColumn::kListCost, BillFinding::kListUnreadable);
  for (const auto& [given, column] :
       {std::pair{billed, BillColumn::kBilledCost}, std::pair{cost, BillColumn::kCost}}) {
    if (!given.known) continue;
    if (!given.ok && row_.costs[0]) row_.findings.set(BillFinding::kEffectiveUnreadable);
    if (!given.ok && !row_.costs[0]) return reject(Reject::kCostNotDecimal, column);
    if (!given.ok) continue;
    row_.findings.set_if(given.rounded, BillFinding::kDecimalRounded);
    row_.findings.set_if(columns_[column].stored_as_double, BillFinding::kCostStoredAsDouble);
    if (!row_.costs[0]) {
      row_.costs[0] = given.value;
    } else if (!row_.costs[1] && !row_.findings.has(BillFinding::kEffectiveUnreadable)) {
      row_.costs[1] = given.value;
    }
  }
  if (row_.costs[0]) {
    row_.findings.set_if(rate.known && !rate.ok, BillFinding::kRateUnreadable);
    return;
  }
  if (!hours.known || !rate.known) {
    const bool has_cost = columns_[BillColumn::kCost].present();
    return reject(Reject::kCostMissing, has_cost ? BillColumn::kCost : BillColumn::kHours);
  }
  bool exact = true;
  if (hours.ok && rate.ok) row_.costs[0] = product(hours.value, rate.value, exact);
  if (!row_.costs[0]) {
    return reject(Reject::kCostNotDecimal, hours.ok ? BillColumn::kRate : BillColumn::kHours);
  }
  row_.findings.set_if(!exact || hours.rounded || rate.rounded, BillFinding::kDecimalRounded);
}

std::optional<Money> BillRowReader::quantity(const Cells& cells, BillColumn column,
                                             BillFinding unreadable) {
  const Number value = number(cells, column);
  if (!value.known) return std::nullopt;
  row_.findings.set_if(!value.ok, unreadable);
  row_.findings.set_if(value.ok && value.rounded, BillFinding::kDecimalRounded);
  return value.ok ? std::optional(value.value) : std::nullopt;
}

void BillRowReader::read_quantities(const Cells& cells) {
  row_.consumed = quantity(cells, BillColumn::kConsumedQuantity, BillFinding::kConsumedUnreadable);
  row_.pricing = quantity(cells, BillColumn::kPricingQuantity, BillFinding::kPricingUnreadable);
  check_list_price(cells);
}

void BillRowReader::read_plain_quantities(const Cells& cells) {
  row_.consumed = quantity(cells, BillColumn::kHours, BillFinding::kHoursUnreadable);
  const Number devices = number(cells, BillColumn::kDevices);
  if (!devices.known) return;
  const int128 whole = devices.value.atto() / Money::kAttoPerUnit;
  const bool count = devices.ok && whole * Money::kAttoPerUnit == devices.value.atto() &&
                     whole >= 0 && whole <= 1'000'000;
  row_.findings.set_if(!count, BillFinding::kDevicesUnreadable);
  if (count) row_.devices = static_cast<int64_t>(whole);
}

// Exactly: the product has up to 36 decimals, and none may differ.
void BillRowReader::check_list_price(const Cells& cells) {
  const std::optional<Money> price =
      quantity(cells, BillColumn::kListUnitPrice, BillFinding::kUnitPriceUnreadable);
  const std::optional<Money>& list = row_.cost(CostColumn::kList);
  if (!price || !list || !row_.pricing) return;
  bool exact = true;
  const std::optional<Money> expected = product(*price, *row_.pricing, exact);
  if (expected && exact && *expected == *list) return;
  row_.findings.set(BillFinding::kListPriceMismatch);
  if (!expected) return;
  const Money difference = *list - *expected;
  const auto size = static_cast<int128>(magnitude(difference));
  row_.list_difference = size > kLargestDifference ? Money() : Money::from_atto(size);
}

void BillRowReader::note(const Instant& instant) {
  if (!instant.ok) return;
  row_.findings.set_if(!instant.zone_given && !zone_stated_, BillFinding::kTimeZoneMissing);
  row_.findings.set_if(!instant.iso && !defaults_.is_plain, BillFinding::kTimestampNotIso);
}

void BillRowReader::read_period(const Cells& cells) {
  const Instant start = instant(cells, BillColumn::kChargePeriodStart);
  const Instant end = instant(cells, BillColumn::kChargePeriodEnd);
  const Instant billing = instant(cells, BillColumn::kBillingPeriodStart);
  const Instant billing_end = instant(cells, BillColumn::kBillingPeriodEnd);
  for (const Instant* at : {&start, &end, &billing, &billing_end}) note(*at);
  row_.start_ns = start.ns;
  row_.end_ns = end.ns;
  row_.start_known = start.ok;
  if (billing.ok) {
    row_.period = billing.written_month;
  } else if (start.ok) {
    row_.period = month_of(start.ns);
  }
  row_.findings.set_if(!billing.ok && !defaults_.is_plain, BillFinding::kBillingPeriodMissing);
  if (!start.ok || !end.ok) {
    reject(Reject::kPeriodUnreadable,
           start.ok ? BillColumn::kChargePeriodEnd : BillColumn::kChargePeriodStart);
  } else if (end.ns < start.ns) {
    reject(Reject::kPeriodReversed, BillColumn::kChargePeriodEnd);
  }
}

const BillRow& BillRowReader::read(const Cells& cells, int64_t file_row) {
  row_ = BillRow();
  row_.file_row = file_row;
  if (defaults_.is_plain) {
    read_plain_costs(cells);
    read_plain_quantities(cells);
  } else {
    read_costs(cells);
    read_quantities(cells);
  }
  const auto currency = cells.raw(columns_[DimColumn::kBillingCurrency].stream);
  if (defaults_.currency.empty() && (!currency || is_unknown(trim(*currency)))) {
    reject(Reject::kCurrencyMissing, BillColumn::kBillingCurrency);
  }
  read_period(cells);
  return row_;
}

}  // namespace tare::sources
