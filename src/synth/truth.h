// What a made world costs, kept as it is made: each account's four costs and held time, device-time
// by state, and the sizes of what was planted. Amounts are counts of 1e-18 currency units.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "base/int128.h"
#include "synth/world.h"

namespace tare::synth {

inline constexpr size_t kCosts = 4;  // billed, effective, list, contracted
using Amounts = std::array<int128, kCosts>;

// The states of `tare waste` that this room can know.
enum class DeviceState : uint8_t {
  kNoRun,
  kLost,
  kUnknown,
  kStartup,
  kIdleHeld,
  kInefficient,
  kUseful,
  kBusy,
  kNotBusy,
  kCount
};
inline constexpr size_t kDeviceStates = static_cast<size_t>(DeviceState::kCount);
std::string_view state_name(DeviceState state);
using StateTimes = std::array<int64_t, kDeviceStates>;

struct AccountSum {
  Amounts costs = {};
  int64_t held_ns = 0;
  bool posted = false;
};

struct WasteSum {
  int64_t device_ns = 0;
  Amounts costs = {};
};

class Truth {
 public:
  explicit Truth(const World& world)
      : sums_(static_cast<size_t>(world.wanted.runs) + world.accounts.size()),
        waste_(world.wanted.plants.size()) {}

  void add(uint32_t account, size_t column, int128 amount) {
    AccountSum& sum = at(account);
    sum.costs[column] += amount;
    sum.posted = true;
  }
  void add_held(uint32_t account, int64_t ns) { at(account).held_ns += ns; }
  // `node`: of a machine without accelerators. By the month in which the charge begins.
  void add_state(int32_t month, bool node, DeviceState state, int64_t ns) {
    states_[{month, node}][static_cast<size_t>(state)] += ns;
  }
  WasteSum& waste(size_t plant) { return waste_[plant]; }

  const std::vector<AccountSum>& sums() const { return sums_; }  // of the billing period so far
  const std::vector<WasteSum>& wastes() const { return waste_; }
  const std::map<std::pair<int32_t, bool>, StateTimes>& states() const { return states_; }
  void begin_period() { sums_.assign(sums_.size(), {}); }

 private:
  AccountSum& at(uint32_t account) {
    if (account >= sums_.size()) sums_.resize(account + size_t{1});
    return sums_[account];
  }

  std::vector<AccountSum> sums_;
  std::vector<WasteSum> waste_;
  std::map<std::pair<int32_t, bool>, StateTimes> states_;
};

}  // namespace tare::synth
