#include "report/shown_numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/decimal_text.h"
#include "base/instant.h"
#include "base/wide_math.h"
#include "report/cell_text.h"

namespace tare {
namespace {

Money money_of(std::string_view text) { return parse_decimal(text).value; }

int128 at(const ShownUnits& units, size_t row, size_t column) {
  constexpr int128 kMissing = -1'000'000'000'000'000'000;  // no test has such a number
  return units[row][column].value_or(kMissing);
}

// A random tree of rows, whose inner rows and total are the exact sums of the leaves.
struct RandomTree {
  Table table;
  int decimals = 2;

  // Appends a row and its children; returns its costs (two columns and their sum).
  std::array<Money, 3> add_row(int depth) {
    const size_t at = table.rows.size();
    table.rows.push_back({"r" + std::to_string(at), depth, false, true, {}, ""});
    std::array<Money, 3> costs;
    const int children = depth < 3 ? *rc::gen::inRange(0, 4) : 0;
    for (int i = 0; i < children; ++i) {
      const std::array<Money, 3> child = add_row(depth + 1);
      for (size_t c = 0; c < 2; ++c) costs[c] += child[c];
      if (*rc::gen::inRange(0, 4) == 0) add_comment(depth + 1);
    }
    if (children == 0) {
      for (size_t c = 0; c < 2; ++c) costs[c] = leaf();
    }
    costs[2] = costs[0] + costs[1];
    set_cells(at, costs);
    return costs;
  }
  void add_comment(int depth) {  // "thereof": in no sum
    table.rows.push_back({"c", depth, false, false, {}, ""});
    set_cells(table.rows.size() - 1, {leaf(), leaf(), leaf()});
  }
  void set_cells(size_t row, const std::array<Money, 3>& costs) {
    const int128 ns = costs[0].atto() / 500'000'000;
    table.rows[row].cells = {std::string("x"), costs[0], costs[1], costs[2],
                             DeviceTime{static_cast<int64_t>(ns)}};
  }
  // Quarters of a shown unit make ties; all are whole when turned into the ns of set_cells().
  Money leaf() const {
    const auto size = *rc::gen::element<int64_t>(10, 1'000, 1'000'000'000);
    const auto value = *rc::gen::inRange<int64_t>(-size, size);
    return Money::from_atto(int128{value} *
                            *rc::gen::element<int64_t>(2'500'000'000, 2'500'000'000'000'000));
  }
  RandomTree() {
    decimals = *rc::gen::element(0, 2, 4, 9);
    table.columns = {{"name", "name", Align::kLeft, 2, {}}};
    for (const char* name : {"a", "b", "sum", "held"}) {
      table.columns.push_back({name, name, Align::kRight, decimals, {}});
    }
    table.columns[3].shown_sum_of = {"a", "b"};
    std::array<Money, 3> sum;
    const int rows = *rc::gen::inRange(1, 6);
    for (int i = 0; i < rows; ++i) {
      const std::array<Money, 3> costs = add_row(0);
      for (size_t c = 0; c < 3; ++c) sum[c] += costs[c];
      if (*rc::gen::inRange(0, 4) == 0) add_comment(0);
    }
    table.rows.push_back({"total", 0, true, true, {}, ""});
    set_cells(table.rows.size() - 1, sum);
    if (*rc::gen::arbitrary<bool>()) {  // the total may stand first
      std::rotate(table.rows.begin(), table.rows.end() - 1, table.rows.end());
    }
  }
};

// The sum of the shown children of `parent` (of the depth-0 rows for a total), if it has any.
std::optional<int128> shown_below(const Table& table, const ShownUnits& units, size_t parent,
                                  size_t column) {
  const bool of_total = table.rows[parent].is_total;
  const int depth = of_total ? 0 : table.rows[parent].depth + 1;
  std::optional<int128> sum;
  for (size_t i = of_total ? 0 : parent + 1; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    if (!of_total && (row.depth < depth || row.is_total)) break;
    if (row.depth != depth || !row.adds_up || row.is_total) continue;
    sum = sum.value_or(0) + at(units, i, column);
  }
  return sum;
}

RC_GTEST_PROP(ShownNumbers, PartsSumToTotalsDownAndAcross, ()) {
  const RandomTree tree;
  const Table& table = tree.table;
  const ShownUnits units = shown_units(table);
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (size_t column = 1; column < 5; ++column) {
      const auto below = shown_below(table, units, row, column);
      if (below) RC_ASSERT(below == at(units, row, column));
    }
    if (table.rows[row].adds_up) {
      RC_ASSERT(at(units, row, 1) + at(units, row, 2) == at(units, row, 3));
    }
  }
}

RC_GTEST_PROP(ShownNumbers, NoneIsOffByAWholeUnit, ()) {
  const RandomTree tree;
  const ShownUnits units = shown_units(tree.table);
  const auto step = static_cast<int128>(power_of_ten(18 - tree.decimals));
  for (size_t row = 0; row < units.size(); ++row) {
    for (const size_t column : {size_t{1}, size_t{2}}) {
      const int128 exact = std::get<Money>(tree.table.rows[row].cells[column]).atto();
      const int128 error = at(units, row, column) * step - exact;
      RC_ASSERT(error < step && -error < step);
      if (tree.table.rows[row].is_total) RC_ASSERT(error * 2 <= step && -error * 2 <= step);
      if (exact == 0) RC_ASSERT(at(units, row, column) == 0);
    }
  }
}

Table column_of(const std::vector<std::string>& parts, const std::string& total) {
  Table table;
  table.columns = {{"cost", "cost", Align::kRight, 2, {}}};
  for (const std::string& text : parts)
    table.rows.push_back({"p", 0, false, true, {money_of(text)}, ""});
  table.rows.push_back({"total", 0, true, true, {money_of(total)}, ""});
  return table;
}

std::vector<int64_t> shown_column(const Table& table) {
  std::vector<int64_t> shown;
  for (const auto& row : shown_units(table)) {
    shown.push_back(static_cast<int64_t>(row.front().value_or(INT64_MIN)));
  }
  return shown;
}

TEST(ShownNumbers, ByHand) {
  // 0.01 is left for three equal remainders: the earliest takes it.
  EXPECT_EQ(shown_column(column_of({"3.335", "3.335", "3.33"}, "10")),
            (std::vector<int64_t>{334, 333, 333, 1000}));
  EXPECT_EQ(shown_column(column_of({"0.333", "0.333", "0.334"}, "1")),
            (std::vector<int64_t>{33, 33, 34, 100}));
  EXPECT_EQ(shown_column(column_of({"-0.005", "0.005"}, "0")), (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(shown_column(column_of({"-1.006", "-1.006"}, "-2.012")),
            (std::vector<int64_t>{-100, -101, -201}));
  // The total itself is rounded half even.
  EXPECT_EQ(shown_column(column_of({"0.005", "0.02"}, "0.025")), (std::vector<int64_t>{0, 2, 2}));
}

TEST(ShownNumbers, PartsThatDoNotSumAreRoundedAlone) {
  EXPECT_EQ(shown_column(column_of({"3.336", "3.336"}, "10")),
            (std::vector<int64_t>{334, 334, 1000}));
  EXPECT_EQ(shown_column(column_of({"0.015", "0.025"}, "0.041")), (std::vector<int64_t>{2, 2, 4}));
}

TEST(ShownNumbers, UnknownPartsCountAsNone) {
  Table table = column_of({"0.336", "0", "0.336", "0.328"}, "1");
  table.rows[1].cells[0] = Unknown{};
  EXPECT_EQ(shown_column(table), (std::vector<int64_t>{34, INT64_MIN, 33, 33, 100}));
}

TEST(ShownNumbers, HoursAddUpToo) {
  Table table;
  table.columns = {{"held", "held h", Align::kRight, 1, {}}};
  const auto add = [&](int64_t minutes, bool is_total) {
    table.rows.push_back(
        {"r", 0, is_total, true, {DeviceTime{int128{minutes} * kNsPerMinute}}, ""});
  };
  add(20, false);
  add(20, false);
  add(20, false);
  add(60, true);
  EXPECT_EQ(shown_column(table), (std::vector<int64_t>{4, 3, 3, 10}));
  table.columns[0].decimals = 18;
  EXPECT_EQ(people_text(table.rows[3].cells[0], table.columns[0], shown_units(table)[3][0]),
            "1.00000000000");
}

TEST(ShownNumbers, SharesAddUpToTheirWhole) {
  Table table;
  table.columns = {{"share", "share", Align::kRight, 1, {}}};
  const auto add = [&](Ratio share, bool is_total) {
    table.rows.push_back({"r", 0, is_total, true, {share}, ""});
  };
  add({1, 3}, false);
  add({2, 6}, false);
  add({-1, 7}, false);
  add({10, 21}, false);
  add({1, 1}, true);
  EXPECT_EQ(shown_column(table), (std::vector<int64_t>{334, 333, -143, 476, 1000}));
  EXPECT_EQ(people_text(table.rows[0].cells[0], table.columns[0], shown_units(table)[0][0]),
            "33.4 %");
  // What does not sum is rounded alone, and so is what is too large to look at.
  table.rows[1].cells[0] = Ratio{1, 2};
  EXPECT_EQ(shown_column(table), (std::vector<int64_t>{333, 500, -143, 476, 1000}));
  table.rows[1].cells[0] = Ratio{int128{1} << 100, 1};
  EXPECT_EQ(shown_column(table), (std::vector<int64_t>{333, INT64_MIN, -143, 476, 1000}));
}

TEST(ShownNumbers, BothEndsOfRangesAddUp) {
  const auto usd = [](const std::string& text) { return parse_decimal(text).value; };
  Table table;
  table.columns = {{"usage_cost", "usage cost", Align::kRight, 2, {}}};
  const auto add = [&](const Value& cell, bool is_total) {
    table.rows.push_back({"r", 0, is_total, true, {cell}, ""});
  };
  add(MoneyRange{usd("1.004"), usd("2.004")}, false);
  add(MoneyRange{usd("1.004"), usd("2.004")}, false);
  add(usd("0.004"), false);
  add(MoneyRange{usd("2.012"), usd("4.012")}, true);
  const ShownUnits low = shown_units(table);
  const ShownUnits high = shown_high_units(table, low);
  const auto text = [&](size_t row) {
    return people_text(table.rows[row].cells[0], table.columns[0], low[row][0], high[row][0]);
  };
  EXPECT_EQ(text(0), "1.01-2.01");
  EXPECT_EQ(text(1), "1.00-2.00");
  EXPECT_EQ(text(2), "0.00");
  EXPECT_EQ(text(3), "2.01-4.01");
}

TEST(ShownNumbersDeath, SumsNameColumnsAndHaveNoCircle) {
  Table table = column_of({"1"}, "1");
  table.columns[0].shown_sum_of = {"cost"};
  EXPECT_EXIT(shown_units(table), testing::ExitedWithCode(3), "not the sum of itself");
  table.columns[0].shown_sum_of = {"nobody"};
  EXPECT_EXIT(shown_units(table), testing::ExitedWithCode(3), "is in the table");
}

TEST(CellText, Quotients) {
  EXPECT_EQ(quotient_text(1, 3, 9), "0.333333333");
  EXPECT_EQ(quotient_text(2, 3, 0), "1");
  EXPECT_EQ(quotient_text(1, 2, 0), "0");
  EXPECT_EQ(quotient_text(3, 2, 0), "2");
  EXPECT_EQ(quotient_text(-1, 8, 2), "-0.12");
  EXPECT_EQ(quotient_text(-1, 1000, 2), "0.00");
  EXPECT_EQ(quotient_text(999, 1000, 2), "1.00");
  EXPECT_EQ(quotient_text(1, -4, 2), "-0.25");
  constexpr auto kMost = static_cast<int128>(~uint128{0} >> 1);
  EXPECT_EQ(quotient_text(kMost, 1, 2), "170141183460469231731687303715884105727.00");
  EXPECT_EQ(quotient_text(1, kMost, 38), "0.00000000000000000000000000000000000001");
  EXPECT_EQ(quotient_text(kMost - 1, kMost, 9), "1.000000000");
}

TEST(CellText, Percentages) {
  const Column one{"busy", "busy", Align::kRight, 1, {}};
  const Column named{"busy", "busy %", Align::kRight, 0, {}};
  const auto text = [&](const Column& column, int128 num, int128 den) {
    return people_text(Ratio{num, den}, column, {});
  };
  EXPECT_EQ(text(one, 0, 5), "0.0 %");
  EXPECT_EQ(text(one, 1, 1), "100.0 %");
  EXPECT_EQ(text(one, 1, 2000), "0.0 %");
  EXPECT_EQ(text(one, 3, 2000), "0.2 %");
  EXPECT_EQ(text(one, -5, 100), "-5.0 %");
  EXPECT_EQ(text(named, 1, 8), "12");
  EXPECT_EQ(text(named, 1, 1000), "0");
  EXPECT_EQ(text(named, 123'456, 1), "12,345,600");
  EXPECT_EQ(text(one, 1, 0), "-");
}

TEST(CellText, Prices) {
  EXPECT_EQ(price_text({money_of("1"), 3}), "0.333333333333333333");
  EXPECT_EQ(price_text({money_of("-2"), 3}), "-0.666666666666666667");
  EXPECT_EQ(price_text({money_of("10"), 4}), "2.5");
  constexpr auto kMost = static_cast<int128>(~uint128{0} >> 1);
  EXPECT_EQ(price_text({money_of("99999999999999999999"), kMost}), "0.000000000000000001");
  const Column two{"price", "price", Align::kRight, 2, {}};
  EXPECT_EQ(people_text(Price{money_of("0.05"), 2}, two, {}), "0.02");
  EXPECT_EQ(people_text(Price{money_of("12345.678"), 1}, two, {}), "12,345.68");
}

TEST(CellText, LowerBoundsAreCutAndNeverRoundedUp) {
  const Column two{"price", "price", Align::kRight, 2, {}};
  EXPECT_EQ(people_text(LowerBound{money_of("1.239")}, two, {}), "> 1.23");
  EXPECT_EQ(people_text(LowerBound{money_of("-1.231")}, two, {}), "> -1.24");
}

TEST(CellText, Thousands) {
  EXPECT_EQ(group_thousands("0"), "0");
  EXPECT_EQ(group_thousands("-999"), "-999");
  EXPECT_EQ(group_thousands("1000"), "1,000");
  EXPECT_EQ(group_thousands("-123456.7891"), "-123,456.7891");
  EXPECT_EQ(group_thousands("1234567"), "1,234,567");
}

}  // namespace
}  // namespace tare
