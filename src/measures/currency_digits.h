// Decimals of a currency's smallest unit, by ISO 4217: a cent is 1e-2 of a dollar.
#pragma once

#include <string_view>

#include "base/money.h"

namespace tare::measures {

int minor_digits(std::string_view currency);  // 2 where the code is not known
Money sub_unit(std::string_view currency);

}  // namespace tare::measures
