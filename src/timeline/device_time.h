// Which bill lines carry device-time, and in what unit (R20, R21): decided from a dim alone here;
// what depends on the resource's other lines is decided in timeline.cc.
#pragma once

#include <optional>

#include "timeline/instance_types.h"
#include "timeline/timeline.h"

namespace tare::timeline {

struct DimSigns {
  TimeKind kind = TimeKind::kNone;  // of the unit, by an exact list of words
  int64_t unit_ns = 0;
  bool usage = false;
  bool correction = false;
  bool names_instance = false;  // the SKU names an instance type or a GPU
  bool instance_like = false;   // a compute or AI line that is not software, an address or a disk
  std::optional<int64_t> devices;  // the SKU's count
  std::optional<int64_t> cpus;
  bool count_unusable = false;  // the SKU's details give a count that no machine has
};

// More devices than one machine, or one rack that is billed as one, can have.
inline constexpr int64_t kMostDevices = 16'384;

DimSigns read_signs(const BillDim& dim, const InstanceTypes& types);

// The unit words: kNone where the text is not exactly one of them.
struct UnitWord {
  TimeKind kind = TimeKind::kNone;
  int64_t unit_ns = 0;
};
UnitWord unit_word(std::string_view unit);

}  // namespace tare::timeline
