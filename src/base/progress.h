// Progress of long work, told to whoever shows it. Stages and counts only: no clock here.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tare {

struct ProgressEvent {
  std::string stage;  // "reading bill/2026-08.csv.gz"
  int64_t done = 0;   // rows so far in this stage
  int64_t total = 0;  // 0: not known
};
using Progress = std::function<void(const ProgressEvent&)>;

}  // namespace tare
