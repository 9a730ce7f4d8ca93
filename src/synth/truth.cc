#include "synth/truth.h"

namespace tare::synth {

std::string_view state_name(DeviceState state) {
  constexpr std::array<std::string_view, kDeviceStates> kNames = {
      "no-run",      "lost",   "unknown", "startup", "idle-held",
      "inefficient", "useful", "busy",    "not-busy"};
  return kNames[static_cast<size_t>(state)];
}

}  // namespace tare::synth
