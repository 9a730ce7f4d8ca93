// What was wrong with the rows of one file. Counted while it streams by; places are looked up in a
// second pass, which only a file with problems needs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sources/text_table.h"
#include "store/store.h"

namespace tare::sources {

struct CellProblem {
  std::string_view code;     // of the registry of findings
  std::string_view subject;  // our column's name, or ""
  int file_column = -1;      // where the message points, -1: at the row
  std::string text;          // the cell's
};

class Problems {
 public:
  // A row that is used although a cell of it is not.
  void add_cell(int64_t row, CellProblem problem);
  // A row that is not used.
  void add_row(int64_t row, CellProblem problem);

  int64_t rows_not_used() const { return rows_not_used_; }

  // Writes what was collected: counts and examples to `findings`, the rows that are not used to
  // `quarantine` as they stood.
  void settle(const TextTable& table, std::string_view source, Findings* findings,
              store::TableWriter* quarantine) const;

 private:
  struct Group {  // of one (code, subject, file column)
    int64_t count = 0;
    std::vector<std::pair<int64_t, std::string>> examples;  // row and text, the first ones
  };
  struct UnusedRow {
    int64_t row = 0;
    std::string_view code;
  };
  using GroupKey = std::pair<std::pair<std::string_view, std::string_view>, int>;

  void count(int64_t row, CellProblem problem);

  std::map<GroupKey, Group> groups_;
  std::map<int, std::vector<UnusedRow>> unused_;  // by file column, rows ascending
  int64_t rows_not_used_ = 0;
};

// A row of the table "quarantine" (store/schema.h) that holds no money.
void add_quarantined(store::TableWriter* quarantine, std::string_view place, std::string_view code,
                     std::string_view text);

}  // namespace tare::sources
