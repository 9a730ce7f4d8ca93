// The door of cli: the whole program behind main().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::cli {

// Runs the command line (without the program's name) and returns the exit code: 0 done, 1 the
// answer is no, 2 usage or unusable input, 3 a bug. Never throws.
int run(const std::vector<std::string>& words, std::string_view version);

}  // namespace tare::cli
