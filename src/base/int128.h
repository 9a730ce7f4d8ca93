// The compiler's 128-bit integers under names of ours.
#pragma once

namespace tare {

using int128 = __int128;
using uint128 = unsigned __int128;

}  // namespace tare
