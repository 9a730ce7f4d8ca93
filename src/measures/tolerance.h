// How far a bill's lines may stand from the invoice that was issued for them. FOCUS 1.4: the larger
// of 100 sub-units of the currency and 0.5 × √rows sub-units. Judged without a root: by squares.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/money.h"

namespace tare::measures {

struct Tolerance {
  int64_t rows = 0;
  Money sub_unit;
  bool allows(Money difference) const;
  Money shown() const;  // the limit, floored to 1e-18
};
Tolerance tolerance_of(int64_t rows, std::string_view currency);

}  // namespace tare::measures
