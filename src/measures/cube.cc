#include "measures/cube.h"

#include <algorithm>

#include "embedded/measures.h"

#include "measures/sql_text.h"

namespace tare::measures {
namespace {

Cell cell_at(const store::Result& answer, size_t row) {
  Cell cell;
  cell.month = static_cast<int32_t>(answer.i64(row, 0));
  cell.currency = answer.text(row, 1);
  cell.kind = answer.text(row, 2);
  cell.model = answer.text(row, 3);
  cell.stage = answer.text(row, 4);
  cell.pool = answer.text(row, 5);
  cell.device_class = static_cast<store::DeviceClass>(answer.i64(row, 6));
  cell.state = static_cast<store::State>(answer.i64(row, 7));
  cell.busy = answer.i64(row, 8) != 0;
  cell.billed_ns = answer.i128(row, 9);
  cell.cost = money_at(answer, row, 10);
  for (size_t basis = 0; basis < kCostColumns; ++basis) {
    cell.costs[basis] = money_at(answer, row, 12 + 2 * basis);
  }
  cell.missing = money_at(answer, row, 20);
  return cell;
}

}  // namespace

Cube Cube::read(store::Connection& connection, const Scope& scope) {
  const store::Result answer = connection.query(fill(
      embedded::cube_sql(), {{"first_month", std::to_string(scope.months.before().first.index)},
                             {"last_month", std::to_string(scope.months.last.index)}}));
  Cube cube;
  for (size_t row = 0; row < answer.rows(); ++row) {
    Cell cell = cell_at(answer, row);
    auto& cells = scope.months.contains(cell.month) ? cube.now_ : cube.before_;
    cells.push_back(std::move(cell));
  }
  return cube;
}

std::vector<std::string> Cube::currencies() const {
  std::vector<std::string> found;
  for (const Cell& cell : now_) found.push_back(cell.currency);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Cube Cube::in_currency(const std::string& currency) const {
  Cube cube;
  const auto matches = [&](const Cell& cell) { return cell.currency == currency; };
  std::copy_if(now_.begin(), now_.end(), std::back_inserter(cube.now_), matches);
  std::copy_if(before_.begin(), before_.end(), std::back_inserter(cube.before_), matches);
  return cube;
}

StageSum& StageSum::operator+=(const StageSum& more) {
  cost += more.cost;
  use += more.use;
  return *this;
}

ModelSums sum_models(const std::vector<Cell>& cells) {
  ModelSums sums;
  for (const Cell& cell : cells) {
    if (cell.kind == "model") sums[cell.model][cell.stage] += {cell.cost, cell.use()};
  }
  return sums;
}

StageSum sum_of(const ModelSums& sums, const std::string& model) {
  StageSum sum;
  const auto found = sums.find(model);
  if (found == sums.end()) return sum;
  for (const auto& [stage, of_stage] : found->second) sum += of_stage;
  return sum;
}

StageSum sum_of(const ModelSums& sums, const std::string& model, const std::string& stage) {
  const auto found = sums.find(model);
  if (found == sums.end()) return {};
  const auto of_stage = found->second.find(stage);
  return of_stage == found->second.end() ? StageSum{} : of_stage->second;
}

DeviceUse Cell::use() const {
  DeviceUse use;
  if (!is_device_time()) return use;
  use.billed_ns = billed_ns;
  use.billed_cost = cost;
  if (busy) {
    use.busy_ns = billed_ns;
    use.busy_cost = cost;
  }
  if (is_useful()) use.useful_ns = billed_ns;
  if (state == store::State::kUnknown) {
    use.unknown_ns = billed_ns;
    use.unknown_cost = cost;
    if (cost.is_negative()) use.unknown_credit = cost;
  }
  return use;
}

}  // namespace tare::measures
