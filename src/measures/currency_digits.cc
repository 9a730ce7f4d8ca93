#include "measures/currency_digits.h"

#include <algorithm>
#include <array>

#include "base/wide_math.h"

namespace tare::measures {
namespace {

// Codes with another number of decimals than 2 (ISO 4217, list one of 2024).
constexpr auto kNone =
    std::to_array<std::string_view>({"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG",
                                     "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"});
constexpr auto kThree =
    std::to_array<std::string_view>({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"});
constexpr auto kFour = std::to_array<std::string_view>({"CLF", "UYW"});

template <typename Codes>
bool has(const Codes& codes, std::string_view code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

int minor_digits(std::string_view currency) {
  if (has(kNone, currency)) return 0;
  if (has(kThree, currency)) return 3;
  if (has(kFour, currency)) return 4;
  return 2;
}

Money sub_unit(std::string_view currency) {
  return Money::from_atto(
      static_cast<int128>(power_of_ten(Money::kScale - minor_digits(currency))));
}

}  // namespace tare::measures
