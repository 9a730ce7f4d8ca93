// Text broken into lines of a width in code points.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tare {

// Breaks at spaces (which are dropped), else after one of "/,:;-", else anywhere. At least one
// line, none wider than `width`. Requires width > 0.
std::vector<std::string> wrapped_lines(std::string_view text, size_t width);

}  // namespace tare
