#include "measures/idle.h"

#include "base/errors.h"

namespace tare::measures {
namespace {

using PoolMonth = std::pair<int32_t, std::string>;
using Stage = std::pair<std::string, std::string>;

void share_out(PoolIdle& pool) {
  if (pool.parts.empty()) return;
  std::vector<Money> weights;
  for (const PoolIdle::Part& part : pool.parts) weights.push_back(part.weight);
  const std::vector<Money> shares = split_by_money(pool.idle, weights);
  Money sum;
  for (size_t i = 0; i < shares.size(); ++i) {
    pool.parts[i].idle = shares[i];
    sum += shares[i];
  }
  TARE_ASSERT(sum == pool.idle, "shares of idle money don't sum to it");
}

}  // namespace

Money IdleSpread::of(const std::string& model, const std::string& stage) const {
  const auto stages = by_stage.find(model);
  if (stages == by_stage.end()) return {};
  const auto found = stages->second.find(stage);
  return found == stages->second.end() ? Money() : found->second;
}

Money IdleSpread::of_model(const std::string& model) const {
  Money sum;
  const auto stages = by_stage.find(model);
  if (stages == by_stage.end()) return sum;
  for (const auto& [stage, idle] : stages->second) sum += idle;
  return sum;
}

IdleSpread spread_idle(const std::vector<Cell>& cells) {
  std::map<PoolMonth, Money> idle;
  std::map<PoolMonth, std::map<Stage, Money>> users;
  for (const Cell& cell : cells) {
    const PoolMonth where(cell.month, cell.pool);
    if (cell.kind == "idle") idle[where] += cell.cost;
    if (cell.kind == "model") users[where][{cell.model, cell.stage}] += cell.cost;
  }
  IdleSpread spread;
  for (const auto& [where, money] : idle) {
    PoolIdle pool{.month = where.first, .pool = where.second, .idle = money, .parts = {}};
    for (const auto& [stage, weight] : users[where]) {
      if (weight > Money()) pool.parts.push_back({stage.first, stage.second, weight, Money()});
    }
    share_out(pool);
    for (const PoolIdle::Part& part : pool.parts)
      spread.by_stage[part.model][part.stage] += part.idle;
    spread.total += money;
    if (pool.parts.empty()) spread.unspread += money;
    spread.pools.push_back(std::move(pool));
  }
  return spread;
}

}  // namespace tare::measures
