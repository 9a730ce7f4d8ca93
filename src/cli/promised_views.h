// The views of the store that people are promised, in the order in which they are listed.
#pragma once

#include <array>
#include <string_view>

namespace tare::cli {

inline constexpr auto kPromisedViews =
    std::to_array<std::string_view>({"bill_line", "posting", "run", "hold", "resource",
                                     "device_state", "outcome", "finding", "lineage"});

}  // namespace tare::cli
