// Any bytes as the rows of an AWS Cost and Usage Report: no row is lost or has two fates, and lines
// and what nets sum to what the rows cost, whatever was taken back.

#include <cstddef>
#include <cstdint>
#include <string>

#include "native_rows.h"
#include "sources/bill/formats.h"

namespace {

using namespace tare::fuzz;

const NativeShape kCurShape{
    tare::sources::kAwsCurFormat,
    {"lineItem/LineItemType", "lineItem/UnblendedCost", "lineItem/NetUnblendedCost",
     "lineItem/CurrencyCode", "lineItem/UsageStartDate", "lineItem/UsageEndDate",
     "bill/BillingPeriodStartDate", "lineItem/UsageType", "savingsPlan/SavingsPlanARN",
     "savingsPlan/TotalCommitmentToDate", "savingsPlan/UsedCommitment",
     "reservation/ReservationARN", "reservation/UnusedRecurringFee",
     "splitLineItem/ParentResourceId", "resource_tags", "product", "product/gpu"},
    ""};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  if (count == 0) return 0;
  NativeShape shape = kCurShape;
  if (bytes[0] % 2 == 1) shape.currency = "EUR";
  const std::vector<PlainRow> rows =
      fitting_rows(std::string(bytes + 1, bytes + count), shape.columns.size());
  MappedFile mapped;
  try {
    mapped = NativeRows(shape).map(rows);
  } catch (const tare::UserError& error) {
    TARE_ASSERT(error.code() == "cost-too-large", "only sums can be refused");
    return 0;
  }
  PlainSum expected;
  for (size_t i = 0; i < rows.size(); ++i) {
    const PlainCells cells(shape, rows[i]);
    const std::string net = cells["lineItem/NetUnblendedCost"];
    const std::string text = net.empty() ? cells["lineItem/UnblendedCost"] : net;
    const auto cost = plain_money(text);
    const auto start = plain_instant(cells["lineItem/UsageStartDate"]);
    const auto end = plain_instant(cells["lineItem/UsageEndDate"]);
    const bool timely = start && end && *start <= *end;
    const bool usable =
        cost && timely && !(cells["lineItem/CurrencyCode"] + shape.currency).empty();
    const bool may_repeat = !cells["splitLineItem/ParentResourceId"].empty();
    const bool repeats = may_repeat && (text.empty() || (cost && cost->is_zero()));
    const MappedRow& row = mapped.rows[i];
    if (repeats) {
      TARE_ASSERT(row.fate == Fate::kNetted, "a share of nothing is no line");
      continue;
    }
    TARE_ASSERT((row.fate == Fate::kUnusable) == !usable, "usable or not");
    if (usable) expected.add(*cost);
    if (!usable) TARE_ASSERT(row.readable == cost, "an unusable row keeps its money");
  }
  TARE_ASSERT(mapped.billed == expected, "no money is lost or made");
  return 0;
}
