// Globs as the project file writes them: '*' is any run of characters, '?' any one, all else
// itself.
#pragma once

#include <string_view>

namespace tare {

enum class Case : bool { kExact, kFold };  // kFold: ASCII letters compare without regard to case

bool glob_matches(std::string_view pattern, std::string_view text, Case letters = Case::kExact);

}  // namespace tare
