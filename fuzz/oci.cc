// Any bytes as the rows of Oracle Cloud's cost reports: a line each, and the same money.

#include <cstddef>
#include <cstdint>
#include <string>

#include "native_rows.h"
#include "sources/bill/formats.h"

namespace {

using namespace tare::fuzz;

const NativeShape kOciShape{
    tare::sources::kOciFormat,
    {"cost/myCost", "cost/currencyCode", "lineItem/intervalUsageStart", "lineItem/intervalUsageEnd",
     "product/service", "usage/billedQuantity", "cost/skuUnitDescription", "lineItem/isCorrection",
     "lineItem/backreferenceNo"},
    ""};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const NativeShape& shape = kOciShape;
  const std::vector<PlainRow> rows =
      fitting_rows(std::string(bytes, bytes + count), shape.columns.size());
  const MappedFile mapped = NativeRows(shape).map(rows);
  PlainSum expected;
  for (size_t i = 0; i < rows.size(); ++i) {
    const PlainCells cells(shape, rows[i]);
    const auto cost = plain_money(cells["cost/myCost"]);
    const auto start = plain_instant(cells["lineItem/intervalUsageStart"]);
    const auto end = plain_instant(cells["lineItem/intervalUsageEnd"]);
    const bool usable =
        cost && start && end && *start <= *end && !cells["cost/currencyCode"].empty();
    const MappedRow& row = mapped.rows[i];
    TARE_ASSERT(row.fate == (usable ? Fate::kUsed : Fate::kUnusable), "usable or not");
    if (usable) expected.add(*cost);
    if (!usable) TARE_ASSERT(row.readable == cost, "an unusable row keeps its money");
  }
  TARE_ASSERT(mapped.billed == expected && mapped.effective == expected, "no money is lost");
  return 0;
}
