// Any bytes as the rows of a bill, against a plain reader: as many rows, as many of them used, and
// the same sum of their billed costs; or one error of the user's.
//
// The first byte chooses the format and the delimiter; the header is given, the rest are rows.

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "base/instant.h"
#include "one_source.h"
#include "plain_reader.h"

namespace {

using tare::fuzz::Cells;

struct Shape {
  std::string format, header;
  char delimiter;
};
const Shape kShapes[] = {
    {"focus", "BilledCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,Tags,x_note", ','},
    {"focus", "BilledCost;BillingCurrency;ChargePeriodStart;ChargePeriodEnd;ResourceId", ';'},
    {"bill", "billed_cost,currency,start,end,run_id", ','},
};

std::string trimmed(const std::string& text) {
  const char* const space = " \t\r\n";
  const size_t first = text.find_first_not_of(space);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

bool is_unknown(const std::string& text) {
  std::string lower;
  for (const char c : text) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower.empty() || lower == "null";
}

// Whether the row becomes a line, and with which billed cost.
bool is_used(const Cells& cells, size_t columns, bool has_default, tare::Money* billed) {
  if (cells.size() < columns) return false;
  for (size_t i = columns; i < cells.size(); ++i) {
    if (!cells[i].empty()) return false;
  }
  const std::string cost = trimmed(cells[0]), currency = trimmed(cells[1]);
  const tare::DecimalResult amount = tare::parse_decimal(cost);
  const tare::InstantResult start = tare::parse_instant(trimmed(cells[2]));
  const tare::InstantResult end = tare::parse_instant(trimmed(cells[3]));
  if (!amount.ok() || !amount.value.fits_store()) return false;
  if (is_unknown(currency) && !has_default) return false;
  *billed = amount.value;
  return start.ok && end.ok && start.ns <= end.ns;
}

void compare(const Shape& shape, const std::string& text, const tare::store::InputFile& input) {
  tare::fuzz::PlainTable plain = tare::fuzz::read_plainly(text, shape.delimiter);
  if (plain.broken) return;
  if (plain.rows.size() > 1 && plain.rows[1][0].starts_with("\xEF\xBB\xBF")) {
    plain.rows[1][0].erase(0, 3);  // a second byte-order mark is left out
  }
  const size_t columns = plain.rows.front().size();
  tare::Money sum;
  int64_t used = 0;
  for (size_t row = 1; row < plain.rows.size(); ++row) {
    tare::Money billed;
    if (!is_used(plain.rows[row], columns, shape.format == "bill", &billed)) continue;
    ++used;
    sum += billed;
  }
  TARE_ASSERT(input.rows_in == static_cast<int64_t>(plain.rows.size()) - 1, "as many rows");
  TARE_ASSERT(input.rows_used == used, "as many rows used");
  tare::Money found;
  for (const auto& [name, amount] : input.sums_in) {
    if (name.starts_with("billed_cost ")) found += tare::parse_decimal(amount).value;
  }
  TARE_ASSERT(found == sum, "the billed costs sum to the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  if (count == 0) return 0;
  const Shape& shape = kShapes[bytes[0] % std::size(kShapes)];
  const std::string text = shape.header + "\n" + std::string(bytes + 1, bytes + count);
  tare::fuzz::load_one(tare::SourceKind::kBill, shape.format, text,
                       [&](const tare::store::InputFile& input) { compare(shape, text, input); });
  return 0;
}
