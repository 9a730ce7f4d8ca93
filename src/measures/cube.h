// The report's cube: all money and device time of a period and of the one before it, at the grain
// of the page's tables. Every table of the page is a sum over its cells, so the tables agree.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "measures/device_use.h"
#include "measures/scope.h"
#include "store/store.h"

namespace tare::measures {

struct Cell {
  int32_t month = 0;
  std::string currency, kind, model, stage, pool;
  store::DeviceClass device_class = store::DeviceClass::kNone;
  store::State state = store::State::kUnknown;
  bool busy = false;
  int128 billed_ns = 0;                   // a fleet's month passes 64 bits
  Money cost;                             // on the scope's basis
  std::array<Money, kCostColumns> costs;  // with their fallback to billed
  Money missing;                          // the part of `cost` that is such a fallback

  bool is_accelerator() const { return device_class == store::DeviceClass::kAccelerator; }
  bool is_device_time() const { return state != store::State::kOtherCharges; }
  bool is_useful() const { return state == store::State::kUseful || state == store::State::kBusy; }
  DeviceUse use() const;
};

class Cube {
 public:
  // The months of the scope and as many before them.
  static Cube read(store::Connection& connection, const Scope& scope);

  const std::vector<Cell>& now() const { return now_; }
  const std::vector<Cell>& before() const { return before_; }
  bool has_before() const { return !before_.empty(); }
  std::vector<std::string> currencies() const;  // of now, sorted
  Cube in_currency(const std::string& currency) const;

 private:
  std::vector<Cell> now_, before_;
};

// What was posted to models, by model and stage.
struct StageSum {
  Money cost;
  DeviceUse use;
  StageSum& operator+=(const StageSum& more);
};
using ModelSums = std::map<std::string, std::map<std::string, StageSum>>;
ModelSums sum_models(const std::vector<Cell>& cells);
StageSum sum_of(const ModelSums& sums, const std::string& model);  // nothing where there is none
StageSum sum_of(const ModelSums& sums, const std::string& model, const std::string& stage);

template <typename Holds>
Money sum_cost(const std::vector<Cell>& cells, Holds holds) {
  Money sum;
  for (const Cell& cell : cells) {
    if (holds(cell)) sum += cell.cost;
  }
  return sum;
}

template <typename Holds>
DeviceUse sum_use(const std::vector<Cell>& cells, Holds holds) {
  DeviceUse use;
  for (const Cell& cell : cells) {
    if (holds(cell)) use += cell.use();
  }
  return use;
}

}  // namespace tare::measures
