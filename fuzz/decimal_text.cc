// Any bytes as a number of a bill: never a crash, and what was read exactly prints back to the
// same.

#include "base/decimal_text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/money.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const std::string text(bytes, bytes + count);

  const tare::DecimalResult amount = tare::parse_decimal(text);
  if (amount.ok()) {
    const tare::DecimalResult again = tare::parse_decimal(tare::to_text(amount.value));
    TARE_ASSERT(again.ok() && !again.rounded && again.value == amount.value,
                "an amount reads back from its text");
  } else {
    TARE_ASSERT(amount.value.is_zero(), "a refused number has no value");
  }

  if (const auto integer = tare::parse_integer(text)) {
    TARE_ASSERT(amount.ok() && !amount.rounded, "an integer is a decimal");
    TARE_ASSERT(
        amount.value == tare::Money::from_atto(tare::int128{*integer} * tare::Money::kAttoPerUnit),
        "an integer and its decimal are equal");
  }
  if (const auto fraction = tare::parse_fraction(text)) {
    TARE_ASSERT(fraction->num >= 0 && fraction->den > 0, "a fraction is not negative");
    TARE_ASSERT(tare::parse_fraction(tare::to_text(*fraction)) == *fraction,
                "a fraction reads back from its text");
  }
  return 0;
}
