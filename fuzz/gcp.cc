// Any bytes as the rows of Google Cloud's detailed export: no row is lost, and lines sum to what
// the rows cost and all their credits, of which a plain reader understands JSON with amounts as
// texts and whole numbers.

#include <cstddef>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "native_rows.h"
#include "sources/bill/formats.h"

namespace {

using namespace tare::fuzz;

const NativeShape kGcpShape{tare::sources::kGcpDetailedFormat,
                            {"cost", "currency", "usage_start_time", "usage_end_time", "credits",
                             "invoice.month", "cost_type", "sku.description", "usage.amount",
                             "usage.unit", "labels", "tags", "system_labels"},
                            "USD"};

struct PlainCredits {
  bool understood = true;
  PlainSum sum;
};

PlainCredits plain_credits(const std::string& cell) {
  PlainCredits credits;
  if (cell.empty()) return credits;
  const auto json = nlohmann::json::parse(cell, nullptr, false);
  credits.understood = json.is_array();
  if (!credits.understood) return credits;
  for (const auto& credit : json) {
    const bool flat = credit.is_object() && credit.contains("amount");
    const auto text = !flat                                  ? std::string()
                      : credit["amount"].is_string()         ? credit["amount"].get<std::string>()
                      : credit["amount"].is_number_integer() ? credit["amount"].dump()
                                                             : std::string();
    const auto amount = plain_money(trimmed(text));
    // Beyond this the net cost of a row may not fit.
    if (!amount || amount->atto() / tare::Money::kAttoPerUnit > INT32_MAX ||
        amount->atto() / tare::Money::kAttoPerUnit < INT32_MIN) {
      credits.understood = false;
      return credits;
    }
    credits.sum.add(*amount);
  }
  return credits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const NativeShape& shape = kGcpShape;
  const std::vector<PlainRow> rows =
      fitting_rows(std::string(bytes, bytes + count), shape.columns.size());
  const MappedFile mapped = NativeRows(shape).map(rows);
  PlainSum expected;
  bool all_understood = true;
  for (size_t i = 0; i < rows.size(); ++i) {
    const PlainCells cells(shape, rows[i]);
    const auto cost = plain_money(cells["cost"]);
    const auto start = plain_instant(cells["usage_start_time"]);
    const auto end = plain_instant(cells["usage_end_time"]);
    const bool usable = cost && start && end && *start <= *end;
    const PlainCredits credits = plain_credits(cells["credits"]);
    const MappedRow& row = mapped.rows[i];
    TARE_ASSERT(row.fate != Fate::kNetted, "every row is a line or unusable");
    TARE_ASSERT(row.fate == Fate::kUnusable || usable, "what is used can be used");
    const bool small = cost && cost->atto() / tare::Money::kAttoPerUnit < INT32_MAX &&
                       cost->atto() / tare::Money::kAttoPerUnit > INT32_MIN;
    if (!usable) continue;
    if (!credits.understood || !small) {
      all_understood = false;
      continue;
    }
    TARE_ASSERT(row.fate == Fate::kUsed, "what can be used is used");
    expected.add(*cost);
    expected.add(credits.sum);
  }
  if (all_understood) TARE_ASSERT(mapped.billed == expected, "no money is lost or made");
  return 0;
}
