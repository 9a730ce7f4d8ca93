// Bill lines into files: some hundred thousand lines each, in one folder a delivery.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "synth/bill.h"
#include "synth/table_file.h"

namespace tare::synth {

class LineFiles {
 public:
  // The files part-0001 and so on of one delivery. `threads` more write while lines are made.
  LineFiles(const World& world, const Dims& dims, int32_t month, const Destination& to,
            int threads);
  LineFiles(const LineFiles&) = delete;
  LineFiles& operator=(const LineFiles&) = delete;
  ~LineFiles();

  void add(const BillLine& line);
  int64_t finish();  // all files stand; returns their number

 private:
  void send();

  const World& world_;
  const Dims& dims_;
  int32_t month_;
  Destination to_;
  size_t threads_;
  std::vector<BillLine> batch_;
  std::vector<std::future<void>> writing_;  // the oldest first
  int64_t files_ = 0;
};

}  // namespace tare::synth
