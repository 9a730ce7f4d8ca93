#include "report/shown_numbers.h"

#include <algorithm>
#include <numeric>

#include "base/errors.h"
#include "base/instant.h"
#include "base/wide_math.h"

namespace tare {
namespace {

constexpr int kMaxHourDecimals = 11;
// Ratios are looked at to so many digits: far more than are shown, and few enough for 128 bits.
constexpr int kRatioDigits = 24;
constexpr int kPercentDigits = 2;

enum class Kind : uint8_t { kMoney, kDeviceTime, kRatio };

struct Exact {
  Kind kind = Kind::kMoney;
  int128 value = 0;  // atto, nanoseconds, or 1e-24 (floored)
  int128 step = 1;   // of the last shown digit
};

// Empty where it is too large, or has more decimals, than 128 bits hold.
std::optional<Exact> exact_ratio(const Ratio& ratio, int decimals) {
  if (ratio.denominator <= 0 || decimals + kPercentDigits > kRatioDigits) return std::nullopt;
  const bool negative = ratio.numerator < 0;
  const auto magnitude = static_cast<uint128>(negative ? -ratio.numerator : ratio.numerator);
  const auto denominator = static_cast<uint128>(ratio.denominator);
  constexpr uint128 kLargest = 1'000'000'000;
  if (magnitude / denominator >= kLargest) return std::nullopt;
  const Division256 quotient =
      divide_256(multiply(magnitude, power_of_ten(kRatioDigits)), {0, denominator});
  auto value = static_cast<int128>(quotient.quotient);
  if (negative) value = -value - (quotient.remainder == Uint256{} ? 0 : 1);
  return Exact{Kind::kRatio, value,
               static_cast<int128>(power_of_ten(kRatioDigits - kPercentDigits - decimals))};
}

enum class End : uint8_t { kLow, kHigh };  // of a range; other values have one

std::optional<Exact> exact_of(const Value& value, const Column& column, End end = End::kLow) {
  const int decimals = shown_decimals(value, column);
  if (const auto* range = std::get_if<MoneyRange>(&value))
    return exact_of(Value(end == End::kLow ? range->low : range->high), column);
  if (const auto* money = std::get_if<Money>(&value)) {
    return Exact{Kind::kMoney, money->atto(),
                 static_cast<int128>(power_of_ten(Money::kScale - decimals))};
  }
  if (const auto* time = std::get_if<DeviceTime>(&value)) {
    return Exact{Kind::kDeviceTime, time->ns,
                 kNsPerHour / static_cast<int64_t>(power_of_ten(decimals))};
  }
  if (const auto* ratio = std::get_if<Ratio>(&value)) return exact_ratio(*ratio, decimals);
  return std::nullopt;
}

int128 floor_units(const Exact& exact) {
  return exact.value / exact.step - (exact.value % exact.step < 0 ? 1 : 0);
}

int128 half_even_units(const Exact& exact) {
  const int128 floor = floor_units(exact);
  const int128 rest = exact.value - floor * exact.step;
  const int128 complement = exact.step - rest;
  const bool up = rest > complement || (rest == complement && floor % 2 != 0);
  return floor + (up ? 1 : 0);
}

bool add_exactly(int128& sum, int128 value) { return !__builtin_add_overflow(sum, value, &sum); }

// The children of each row that add up, and the rows of depth 0 that do.
struct Tree {
  std::vector<std::vector<size_t>> children;
  std::vector<size_t> top;
};

Tree tree_of(const Table& table) {
  constexpr size_t kNone = SIZE_MAX;
  Tree tree;
  tree.children.resize(table.rows.size());
  std::vector<size_t> path;  // the last row of each depth above the present one
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    if (row.is_total) {
      path.clear();
      continue;
    }
    const auto depth = static_cast<size_t>(std::max(row.depth, 0));
    path.resize(depth, kNone);
    const size_t parent = depth > 0 ? path[depth - 1] : kNone;
    if (row.adds_up && depth == 0) tree.top.push_back(i);
    if (row.adds_up && parent != kNone) tree.children[parent].push_back(i);
    path.push_back(i);
  }
  return tree;
}

class ColumnRounding {
 public:
  // `given`: what is shown of cells that are no ranges already, or null.
  ColumnRounding(const Table& table, const Tree& tree, size_t column, End end = End::kLow,
                 const ShownUnits* given = nullptr) {
    shown_.resize(table.rows.size());
    given_.resize(table.rows.size());
    for (size_t i = 0; i < table.rows.size(); ++i) {
      const Value& cell = table.rows[i].cells[column];
      exact_.push_back(exact_of(cell, table.columns[column], end));
      if (given == nullptr || std::holds_alternative<MoneyRange>(cell)) continue;
      shown_[i] = (*given)[i][column];
      given_[i] = shown_[i].has_value();
    }
    for (size_t i = 0; i < table.rows.size(); ++i) {
      if (table.rows[i].is_total) round(i, tree.top);
    }
    for (size_t i = 0; i < table.rows.size(); ++i) {  // a parent stands before its children
      if (!table.rows[i].is_total) round(i, tree.children[i]);
    }
  }
  const std::vector<std::optional<int128>>& shown() const { return shown_; }

 private:
  struct Part {
    size_t row = 0;
    int128 floor = 0;
    int128 remainder = 0;
  };

  // The row itself, where its own parent has not, and then its parts.
  void round(size_t row, const std::vector<size_t>& candidates) {
    const std::optional<Exact>& exact = exact_[row];
    if (!exact) return;
    const int128 shown = shown_[row].value_or(half_even_units(*exact));
    shown_[row] = shown;
    int128 left = shown;
    for (const size_t part : candidates) left -= given_[part] ? *shown_[part] : 0;
    round_parts(exact_parts(*exact, candidates), left);
  }

  // The rows among `candidates` that have a number of the parent's kind, or none where they don't
  // sum to it exactly.
  std::vector<Part> exact_parts(const Exact& parent, const std::vector<size_t>& candidates) const {
    std::vector<Part> parts;
    int128 sum = 0;
    for (const size_t row : candidates) {
      const std::optional<Exact>& exact = exact_[row];
      if (!exact || exact->kind != parent.kind) continue;
      if ((shown_[row] && !given_[row]) || !add_exactly(sum, exact->value)) return {};
      if (given_[row]) continue;
      const int128 floor = floor_units(*exact);
      parts.push_back({row, floor, exact->value - floor * exact->step});
    }
    // Each floored ratio may miss a unit of its last digit.
    const int128 missed = parent.value - sum;
    const int128 slack = parent.kind == Kind::kRatio ? static_cast<int128>(parts.size()) : 0;
    if (missed < 0 || missed > slack) parts.clear();
    return parts;
  }

  void round_parts(std::vector<Part> parts, int128 shown_parent) {
    if (parts.empty()) return;
    int128 left = shown_parent;
    for (const Part& part : parts) left -= part.floor;
    // A shown parent is the floor or the ceiling of the exact one, so no part gets two units; only
    // parts that were rounded for the other end of their parent's range may leave more.
    const bool fits = left >= 0 && left <= static_cast<int128>(parts.size());
    const bool any_given = std::ranges::find(given_, true) != given_.end();
    TARE_ASSERT(fits || any_given, "shown parts miss their shown total by less than one unit each");
    if (!fits) return;
    std::ranges::sort(parts, [](const Part& a, const Part& b) {
      return a.remainder != b.remainder ? a.remainder > b.remainder : a.row < b.row;
    });
    for (const Part& part : parts) {
      shown_[part.row] = part.floor + (left > 0 ? 1 : 0);
      left -= left > 0 ? 1 : 0;
    }
  }

  std::vector<std::optional<Exact>> exact_;
  std::vector<std::optional<int128>> shown_;
  std::vector<bool> given_;
};

class TableRounding {
 public:
  explicit TableRounding(const Table& table)
      : table_(table), tree_(tree_of(table)), states_(table.columns.size(), State::kOpen) {
    units_.assign(table.rows.size(), std::vector<std::optional<int128>>(table.columns.size()));
    for (size_t column = 0; column < table.columns.size(); ++column) round(column);
  }
  ShownUnits take() { return std::move(units_); }

 private:
  enum class State : uint8_t { kOpen, kBegun, kDone };

  void round(size_t column) {
    if (states_[column] == State::kDone) return;
    TARE_ASSERT(states_[column] == State::kOpen, "a column is not the sum of itself");
    states_[column] = State::kBegun;
    std::vector<size_t> addends;
    for (const std::string& name : table_.columns[column].shown_sum_of) {
      const auto found = std::ranges::find(table_.columns, name, &Column::name);
      TARE_ASSERT(found != table_.columns.end(), "column '" + name + "' is in the table");
      addends.push_back(static_cast<size_t>(found - table_.columns.begin()));
      round(addends.back());
    }
    if (!addends.empty() && all_sum_across(column, addends)) {
      add_across(column, addends);
    } else {
      const ColumnRounding rounding(table_, tree_, column);
      for (size_t row = 0; row < units_.size(); ++row) units_[row][column] = rounding.shown()[row];
    }
    states_[column] = State::kDone;
  }

  // Whether the exact cells of a row sum across; a row without a number in `column` has nothing to.
  bool sums_across(const Row& row, size_t column, const std::vector<size_t>& addends) const {
    const auto whole = exact_of(row.cells[column], table_.columns[column]);
    if (!whole) return true;
    int128 sum = 0;
    for (const size_t addend : addends) {
      const auto part = exact_of(row.cells[addend], table_.columns[addend]);
      if (!part) continue;
      if (part->kind != whole->kind || part->step != whole->step) return false;
      if (!add_exactly(sum, part->value)) return false;
    }
    return sum == whole->value;
  }

  bool all_sum_across(size_t column, const std::vector<size_t>& addends) const {
    return std::ranges::all_of(table_.rows, [&](const Row& row) {
      return !row.adds_up || sums_across(row, column, addends);
    });
  }

  void add_across(size_t column, const std::vector<size_t>& addends) {
    for (size_t row = 0; row < units_.size(); ++row) {
      const auto exact = exact_of(table_.rows[row].cells[column], table_.columns[column]);
      if (!exact) continue;
      if (!sums_across(table_.rows[row], column, addends)) {
        units_[row][column] = half_even_units(*exact);
        continue;
      }
      int128 sum = 0;
      for (const size_t addend : addends) sum += units_[row][addend].value_or(0);
      units_[row][column] = sum;
    }
  }

  const Table& table_;
  const Tree tree_;
  std::vector<State> states_;
  ShownUnits units_;
};

}  // namespace

int shown_decimals(const Value& value, const Column& column) {
  TARE_ASSERT(column.decimals >= 0 && column.decimals <= Money::kScale,
              "column '" + column.name + "' shows 0 to 18 decimals");
  return std::holds_alternative<DeviceTime>(value) ? std::min(column.decimals, kMaxHourDecimals)
                                                   : column.decimals;
}

ShownUnits shown_units(const Table& table) { return TableRounding(table).take(); }

ShownUnits shown_high_units(const Table& table, const ShownUnits& units) {
  const Tree tree = tree_of(table);
  ShownUnits high = units;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const bool ranges = std::ranges::any_of(table.rows, [&](const Row& row) {
      return std::holds_alternative<MoneyRange>(row.cells[column]);
    });
    if (!ranges) continue;
    const ColumnRounding rounding(table, tree, column, End::kHigh, &units);
    for (size_t row = 0; row < high.size(); ++row) high[row][column] = rounding.shown()[row];
  }
  return high;
}

}  // namespace tare
