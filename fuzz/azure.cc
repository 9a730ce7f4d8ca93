// Any bytes as the rows of Azure's cost exports: no row is lost, and lines sum to what the rows
// cost: billed of the actual export, effective of the amortised one.

#include <cstddef>
#include <cstdint>
#include <string>

#include "native_rows.h"
#include "sources/bill/formats.h"

namespace {

using namespace tare::fuzz;

const std::vector<std::string> kAzureShapeColumns = {
    "Cost",           "BillingCurrency", "Date",      "ChargeType", "PricingModel", "Quantity",
    "UnitOfMeasure",  "EffectivePrice",  "UnitPrice", "benefitId",  "MeterId",      "Tags",
    "AdditionalInfo", "ResourceId"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  if (count == 0) return 0;
  const bool amortised = bytes[0] % 2 == 1;
  const NativeShape shape{
      amortised ? tare::sources::kAzureAmortizedFormat : tare::sources::kAzureActualFormat,
      kAzureShapeColumns, ""};
  const std::vector<PlainRow> rows =
      fitting_rows(std::string(bytes + 1, bytes + count), shape.columns.size());
  const MappedFile mapped = NativeRows(shape).map(rows);
  PlainSum expected;
  for (size_t i = 0; i < rows.size(); ++i) {
    const PlainCells cells(shape, rows[i]);
    const auto cost = plain_money(cells["Cost"]);
    const auto day = plain_instant(cells["Date"]);
    const bool has_next = day && *day <= INT64_MAX - tare::kNsPerDay;
    const bool usable = cost && has_next && !cells["BillingCurrency"].empty();
    const bool empty =
        (cells["Cost"] + cells["Quantity"] + cells["MeterId"] + cells["ResourceId"]).empty();
    const MappedRow& row = mapped.rows[i];
    if (empty) {
      TARE_ASSERT(row.fate == Fate::kNetted, "a row of nothing but a date is no charge");
      continue;
    }
    TARE_ASSERT(row.fate == (usable ? Fate::kUsed : Fate::kUnusable), "usable or not");
    if (usable) expected.add(*cost);
  }
  TARE_ASSERT((amortised ? mapped.effective : mapped.billed) == expected, "no money is lost");
  return 0;
}
