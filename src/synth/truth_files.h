// The folder truth/ of a made world: accounts by billing period, device-time by state, what was
// planted, and a page that says how to read them.
#pragma once

#include "synth/table_file.h"
#include "synth/truth.h"

namespace tare::synth {

// Rows are added a billing period at a time; the file stands when it is written.
class AccountsFile {
 public:
  AccountsFile(const World& world, const Destination& to, const std::string& name);
  void add_period(int32_t month, const Truth& truth);
  int64_t write() { return file_.write(); }

 private:
  const World& world_;
  TableFile file_;
};

void write_truth(const World& world, const Truth& truth, const Destination& to);

}  // namespace tare::synth
