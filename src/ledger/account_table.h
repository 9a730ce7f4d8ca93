// The accounts of one ledger file: (account, run, attempt) to a small integer.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ledger/rules.h"

namespace tare::ledger {

class AccountTable {
 public:
  explicit AccountTable(const timeline::Timeline& timeline) : timeline_(timeline) {}
  int32_t id_of(const Target& target);
  const Target& operator[](int32_t id) const { return targets_[static_cast<size_t>(id)]; }
  void write(store::FileWriter* file) const;

 private:
  const timeline::Timeline& timeline_;
  std::map<std::tuple<std::string, std::string, int32_t>, int32_t>
      ids_;  // account, pool, attempt index
  std::vector<Target> targets_;
};

}  // namespace tare::ledger
