// Accelerators and CPUs of instance types: a dated table built in, overridden by the project's
// `shapes:` (R25). SageMaker's "ml." prefix is taken off.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "store/store.h"

namespace tare::timeline {

struct InstanceShape {
  int64_t devices = 0;
  int64_t cpus = 0;  // 0: not known
};

class InstanceTypes {
 public:
  explicit InstanceTypes(const Project& project);
  std::optional<InstanceShape> find(std::string_view name) const;
  // The first word of `text` (split at anything but letters, digits, '.', '-', '_') that is a type.
  std::optional<InstanceShape> find_in(std::string_view text) const;

 private:
  std::unordered_map<std::string, InstanceShape> shapes_;
};

}  // namespace tare::timeline
