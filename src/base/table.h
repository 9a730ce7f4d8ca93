// Result tables: what a command answers. Whoever makes a table decides its numbers; src/report only
// formats. Every figure (cell with a number) has a stable id:
//   <table id>/<row key>/<column name>,   e.g. "2026-08/models/reco/training/cost".
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/money.h"

namespace tare {

struct Unknown {  // shown as "-" (text), null (json), empty (csv)
  bool operator==(const Unknown&) const = default;
};
struct Ratio {  // numerator / denominator, shown as a percentage; denominator 0 is Unknown instead
  int128 numerator = 0;
  int128 denominator = 1;
};
struct RatioRange {  // shown as "31.2-45.0 %"
  Ratio low, high;
};
struct Price {  // money / count, exact as a rational, rounded half even where shown; count > 0
  Money amount;
  int128 count = 1;
};
struct MoneyRange {
  Money low, high;
};
struct DeviceTime {  // nanoseconds, shown as hours
  int128 ns = 0;
};
struct LowerBound {  // "> 12.3": what is known of a price when nothing was counted
  Money amount;
};
using Value = std::variant<Unknown, std::string, int64_t, Money, MoneyRange, Ratio, RatioRange,
                           Price, DeviceTime, LowerBound, bool>;

enum class Align : uint8_t { kLeft, kRight };

struct Column {
  std::string name;     // snake_case, the same in JSON and CSV
  std::string heading;  // in text, with its unit: "cost USD"
  Align align = Align::kRight;
  int decimals = 2;  // shown digits of money, hours, percentages
  // Set: this column's shown value is the sum of the shown values of those columns (by name), so
  // that shown rows add up across as well as down.
  std::vector<std::string> shown_sum_of{};
};

struct Row {
  std::string key;             // "reco/training": stable, part of figure ids
  int depth = 0;               // indent; a row's children are the following rows of depth + 1
  bool is_total = false;       // the total row: its parts are the rows of depth 0
  bool adds_up = true;         // false: a "thereof" or comment row, left out of shown sums
  std::vector<Value> cells{};  // one a column
  std::string note{};          // shown after the row in text
};

struct Table {
  std::string id;               // "2026-08/models"
  std::string title;            // one line
  std::vector<Column> columns;  // the first is the row's label
  std::vector<Row> rows;
  std::vector<std::string> notes{};  // below the table
  bool keyed = true;  // false: rows of a query of the user's own; CSV has their columns and no key
};

// A command's whole answer.
struct Document {
  std::string command;                                     // "report"
  std::vector<std::pair<std::string, std::string>> facts;  // project, period, basis, currency ...
  std::vector<Table> tables;
  std::vector<std::string> notes;
  std::string next_step;  // at most one, text only
};

}  // namespace tare
