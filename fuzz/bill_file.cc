// Any bytes as the rows of a bill, against a plain reader: as many rows, as many of them used, the
// same sums of billed costs, before (with what is readable of rows that can't be used) and after,
// in the file's accounting and in the lines; or one error of the user's, with a reason.
//
// The first byte chooses the format and the delimiter; the header is given, the rest are rows.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "base/instant.h"
#include "one_source.h"
#include "plain_reader.h"

namespace {

using tare::fuzz::PlainSum;

// The first four columns are billed cost, currency, start and end.
struct Shape {
  tare::Source source;
  std::string header;
  char delimiter = ',';
  tare::TimeUnit unit = tare::TimeUnit::kIso;
};

tare::Source bill_of(const std::string& format) {
  tare::Source source;
  source.kind = tare::SourceKind::kBill;
  source.format = format;
  return source;
}

const Shape& shape_of(uint8_t choice) {
  static const std::vector<Shape> shapes = [] {
    std::vector<Shape> all = {
        {bill_of("focus"), "BilledCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,Tags,x_n"},
        {bill_of("focus"),
         "BilledCost;BillingCurrency;ChargePeriodStart;ChargePeriodEnd;ResourceId", ';'},
        {bill_of("bill"), "billed_cost,currency,start,end,run_id"},
        {bill_of("bill"), "paid,coin,since,until,machine", ',', tare::TimeUnit::kSeconds},
    };
    all.back().source.columns = {{"billed_cost", {.column = "paid", .time_unit = ""}},
                                 {"currency", {.column = "coin", .time_unit = ""}},
                                 {"start", {.column = "since", .time_unit = "s"}},
                                 {"end", {.column = "until", .time_unit = "s"}},
                                 {"resource_id", {.column = "machine", .time_unit = ""}}};
    return all;
  }();
  return shapes[choice % shapes.size()];
}

struct Expected {
  int64_t rows = 0, used = 0;
  PlainSum before, after;
};

void expect_row(const Shape& shape, const tare::fuzz::PlainRow& row, Expected* expected) {
  using tare::fuzz::trimmed;
  const tare::DecimalResult billed = tare::parse_decimal(trimmed(row.cells[0]));
  const tare::InstantResult start = tare::parse_instant(trimmed(row.cells[2]), shape.unit);
  const tare::InstantResult end = tare::parse_instant(trimmed(row.cells[3]), shape.unit);
  // The plain bill takes the project's currency (R02).
  const bool has_currency =
      shape.source.format == "bill" || !tare::fuzz::is_unknown(trimmed(row.cells[1]));
  if (!billed.ok() || !billed.value.fits_store() || !has_currency) return;
  expected->before.add(billed.value);
  if (!start.ok || !end.ok || start.ns > end.ns) return;
  ++expected->used;
  expected->after.add(billed.value);
}

Expected expect(const Shape& shape, const tare::fuzz::PlainTable& plain) {
  Expected expected;
  expected.rows = static_cast<int64_t>(plain.rows.size()) - 1;
  const size_t columns = plain.rows.front().cells.size();
  for (size_t row = 1; row < plain.rows.size(); ++row) {
    if (plain.rows[row].fits(columns)) expect_row(shape, plain.rows[row], &expected);
  }
  return expected;
}

PlainSum billed_sum(const std::map<std::string, std::string>& sums) {
  PlainSum sum;
  for (const auto& [name, amount] : sums) {
    if (name.starts_with("billed_cost ")) sum.add(tare::parse_decimal(amount).value);
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  if (count == 0) return 0;
  const Shape& shape = shape_of(bytes[0]);
  const std::string rows(bytes + 1, bytes + count);
  const tare::fuzz::Loaded loaded = tare::fuzz::load_one(shape.source, shape.header + "\n" + rows);
  const tare::fuzz::PlainTable plain =
      tare::fuzz::read_plainly(shape.header, rows, shape.delimiter);
  const Expected expected = plain.unclosed ? Expected() : expect(shape, plain);
  if (!loaded.error_code.empty()) {
    tare::fuzz::check_reason(loaded.error_code, rows, plain, expected.used);
    return 0;
  }
  TARE_ASSERT(!plain.unclosed, "a quote without an end is refused");
  const tare::store::InputFile& input = loaded.input();
  TARE_ASSERT(input.rows_in == expected.rows, "as many rows");
  TARE_ASSERT(input.rows_used == expected.used, "as many rows used");
  TARE_ASSERT(billed_sum(input.sums_in) == expected.before, "the same sum before");
  TARE_ASSERT(billed_sum(input.sums_out) == expected.after, "the same sum after");
  const tare::fuzz::StoredRows lines = tare::fuzz::stored_rows(loaded, "line", "billed");
  TARE_ASSERT(lines.count == expected.used, "as many lines");
  TARE_ASSERT(lines.sum == expected.after, "the lines sum to the same");
  return 0;
}
