// The codes of ISO 4217 in use.
#pragma once

#include <string>
#include <string_view>

namespace tare::sources {

bool is_iso_4217(std::string_view code);  // upper-case

// As it is kept everywhere: upper-case where it is a code of three letters, else as it stands.
std::string currency_code(std::string_view text);

}  // namespace tare::sources
