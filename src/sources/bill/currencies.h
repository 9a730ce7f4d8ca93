// The codes of ISO 4217 in use.
#pragma once

#include <string_view>

namespace tare::sources {

bool is_iso_4217(std::string_view code);  // upper-case

}  // namespace tare::sources
