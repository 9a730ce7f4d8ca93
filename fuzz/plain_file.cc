// Any bytes as the rows of a plain file, of each format in turn, against a plain reader: as many
// rows, as many of them used, and as many in the store with the same sum of what the format counts;
// or one error of the user's, with a reason. The first byte chooses the format.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "base/instant.h"
#include "one_source.h"
#include "plain_reader.h"

namespace {

using tare::SourceKind;
using tare::fuzz::PlainSum;

// One letter a column: T a text that must be there, I an instant that must, i one that may, D a
// decimal that must, J an instant that stands alone, N a whole number of zero or more that must,
// '-' what costs no row.
struct Shape {
  SourceKind kind;
  std::string format, header, needs;
  std::string table;
  std::string summed;        // the money of the column D, in the store
  bool lasts = false;        // the end must lie after the start, and not only not before it
  std::string seconds_of{};  // a column whose times are epoch seconds, mapped from "when"
};
const Shape kShapes[] = {
    {SourceKind::kRuns, "runs", "run_id,model,stage,state,start,end,attempt,last_checkpoint",
     "T---Ii--", "run", ""},
    {SourceKind::kHolds, "holds", "run_id,resource_id,start,end,device,device_count,weight,cpus",
     "TTIi----", "hold", ""},
    {SourceKind::kHolds, "replicas", "model,resource_id,start,end,endpoint,weight,count", "TTIi---",
     "hold", ""},
    {SourceKind::kResources, "resources", "resource_id,pool,devices,cpus,from,to", "T---ii",
     "resource", ""},
    {SourceKind::kAliases, "aliases", "alias,resource_id,device,from,to", "TT-ii", "alias", ""},
    {SourceKind::kTelemetry, "device-usage",
     "resource_id,device,start,end,busy_ratio,sm_active_ratio", "TTII--", "device_usage", "", true},
    {SourceKind::kOutcomes, "outcomes", "model,outcome,day,count,count_low,count_high", "TTJD--",
     "outcome", "count"},
    {SourceKind::kRequests, "requests", "model,when,service_ms,tokens_in", "TJ--", "request", "",
     false, "arrival"},
    {SourceKind::kInvoices, "invoices", "invoice_id,total,currency,issuer", "TDT-", "invoice",
     "total"},
    {SourceKind::kRuns, "retrain-data", "model,day,rows_changed,rows_total", "TJN-", "retrain_data",
     ""},
};

// What a row says; empty where it can't be used.
struct Row {
  PlainSum counted;
};

bool is_count(const std::string& text) {
  const tare::DecimalResult number = tare::parse_decimal(text);
  if (!number.ok() || number.rounded || number.value.is_negative()) return false;
  return number.value.fits_store() && number.value.stored().atto == 0;
}

std::optional<Row> read_row(const Shape& shape, const tare::fuzz::PlainRow& plain) {
  if (!plain.fits(shape.needs.size())) return std::nullopt;
  Row row;
  std::optional<int64_t> start;
  for (size_t i = 0; i < shape.needs.size(); ++i) {
    const char need = shape.needs[i];
    const std::string text = tare::fuzz::trimmed(plain.cells[i]);
    if (need == '-' || (need == 'i' && tare::fuzz::is_unknown(text))) continue;
    if (tare::fuzz::is_unknown(text)) return std::nullopt;
    if (need == 'D') {
      const tare::DecimalResult amount = tare::parse_decimal(text);
      if (!amount.ok() || !amount.value.fits_store()) return std::nullopt;
      row.counted.add(amount.value);
    } else if (need == 'N') {
      if (!is_count(text)) return std::nullopt;
    } else if (need != 'T') {
      const tare::TimeUnit unit =
          shape.seconds_of.empty() ? tare::TimeUnit::kIso : tare::TimeUnit::kSeconds;
      const tare::InstantResult instant = tare::parse_instant(text, unit);
      if (!instant.ok && need != 'i') return std::nullopt;
      if (!instant.ok || need == 'J') continue;
      if (start && instant.ns < *start + (shape.lasts ? 1 : 0)) return std::nullopt;
      start = instant.ns;
    }
  }
  return row;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  if (count == 0) return 0;
  const Shape& shape = kShapes[bytes[0] % std::size(kShapes)];
  const std::string rows(bytes + 1, bytes + count);
  tare::Source source;
  source.kind = shape.kind;
  source.format = shape.format;
  if (!shape.seconds_of.empty()) {
    source.columns[shape.seconds_of] = {.column = "when", .time_unit = "s"};
  }
  const tare::fuzz::Loaded loaded = tare::fuzz::load_one(source, shape.header + "\n" + rows);
  const tare::fuzz::PlainTable plain = tare::fuzz::read_plainly(shape.header, rows, ',');
  int64_t used = 0;
  PlainSum sum;
  for (size_t i = 1; i < plain.rows.size(); ++i) {
    const std::optional<Row> row = read_row(shape, plain.rows[i]);
    if (!row) continue;
    ++used;
    sum.add(row->counted);
  }
  if (!loaded.error_code.empty()) {
    tare::fuzz::check_reason(loaded.error_code, rows, plain, used);
    return 0;
  }
  TARE_ASSERT(!plain.unclosed, "a quote without an end is refused");
  TARE_ASSERT(loaded.input().rows_in == static_cast<int64_t>(plain.rows.size()) - 1,
              "as many rows");
  TARE_ASSERT(loaded.input().rows_used == used, "as many rows used");
  const tare::fuzz::StoredRows stored = tare::fuzz::stored_rows(loaded, shape.table, shape.summed);
  TARE_ASSERT(stored.count == used, "as many rows in the store");
  TARE_ASSERT(shape.summed.empty() || stored.sum == sum, "they sum to the same");
  return 0;
}
