// Values of telemetry that can't be: the sentinels that DCGM (dcgm_structs.h) and NVML write for
// "no value", and texts for not-a-number.
#pragma once

#include <string_view>

#include "base/money.h"

namespace tare::sources {

bool is_blank_sentinel(Money value);
// "NaN", "inf", "N/A", "[Not Supported]" and the like, in any case of letters.
bool is_not_a_number_text(std::string_view text);

}  // namespace tare::sources
