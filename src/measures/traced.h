// Tables that know what stands behind their figures, so that `tare explain` can walk back from
// each.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/table.h"

namespace tare::measures {

// What stands behind a row: SQL that holds for its part of measure_posting, or of measure_state.
struct Behind {
  std::string sql{};        // "" where no money stands behind it
  bool own_months = false;  // the SQL says the months itself; else they are the question's
  bool of_states = false;   // it asks for a state of device time, which no posting has
  std::string currency{};
  std::string own_currency{};  // of a figure that is not in `currency` but in the bill's own
  // Whose idle share and whose units the row shows; "" any, or none.
  std::string model{}, stage{};
  std::string outcome{};  // the outcome that it counts
  bool retrains = false;  // it counts finished training runs
};

struct TracedTable {
  std::string kind;  // "models": under which meanings of its columns stand (meanings.h)
  Table table;
  std::vector<Behind> behind;  // one a row

  void add(Row row, Behind postings) {
    table.rows.push_back(std::move(row));
    behind.push_back(std::move(postings));
  }
};

struct TracedDocument {
  Document document;  // without its tables
  std::vector<TracedTable> tables;

  void note(std::string text) {
    if (!text.empty()) document.notes.push_back(std::move(text));
  }
  Document finish() && {
    for (TracedTable& traced : tables) document.tables.push_back(std::move(traced.table));
    return std::move(document);
  }
};

inline Column text_column(std::string name, std::string heading) {
  return {std::move(name), std::move(heading), Align::kLeft, 0, {}};
}
inline Column number_column(std::string name, std::string heading, int decimals = 2) {
  return {std::move(name), std::move(heading), Align::kRight, decimals, {}};
}
inline Column sum_column(std::string name, std::string heading, std::vector<std::string> parts) {
  return {std::move(name), std::move(heading), Align::kRight, 2, std::move(parts)};
}

inline constexpr int kPercentDecimals = 1;
inline constexpr int kChangeDecimals = 0;
inline constexpr int kHourDecimals = 1;

}  // namespace tare::measures
