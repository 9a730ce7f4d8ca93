// Idle money, spread over the models that shared its pool: by allocation cost within pool and
// month, an exact split in each currency.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "measures/cube.h"

namespace tare::measures {

struct PoolIdle {
  int32_t month = 0;
  std::string pool;
  Money idle;
  // What each (model, stage) was posted in the pool and month, and its part of the idle money. Only
  // positive costs weigh.
  struct Part {
    std::string model, stage;
    Money weight, idle;
  };
  std::vector<Part>
      parts;  // empty: no model used the pool in that month, and its idle stays unspread
};

struct IdleSpread {
  std::vector<PoolIdle> pools;  // by month and pool
  Money total, unspread;
  std::map<std::string, std::map<std::string, Money>> by_stage;  // of each model
  Money of(const std::string& model, const std::string& stage) const;
  Money of_model(const std::string& model) const;
};

// Requires cells of one currency.
IdleSpread spread_idle(const std::vector<Cell>& cells);

}  // namespace tare::measures
