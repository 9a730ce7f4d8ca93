// The rows of one file that can't be used: kept with their text until the file has been read, then
// looked up in a second pass for their places, which only a file with such rows needs.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sources/bill/period_file.h"

namespace tare::sources {

class UnusableRows {
 public:
  explicit UnusableRows(const TextTable& table) : table_(table) {}

  // `raw`: the row as the file has it, where the cells are made of it.
  void add(const Cells& cells, const Cells& raw, const BillRow& row, const BillDefaults& defaults);
  int64_t count() const { return count_; }
  // Sums of what could be read of them.
  const CostSums& sums() const { return sums_; }

  // Hands on what was collected and forgets it; a row without a period is nobody's yet.
  using Take = std::function<void(std::optional<Month>, const UnusableRow&)>;
  void flush(const Take& take);
  bool is_full() const { return pending_.size() >= kMostPending; }

  // Refuses a file of which no row can be used, naming the first reason.
  [[noreturn]] void refuse() const;

 private:
  static constexpr size_t kMostPending = 20'000;
  static constexpr int kMostPasses = 8;  // of a packed file, whose every pass begins at its start

  struct Pending {
    int64_t file_row = 0;
    int column = -1;
    std::optional<Month> period;
    UnusableRow row;
  };
  struct First {
    int64_t file_row = 0;
    int column = -1;
    Reject reason = Reject::kNone;
    std::string cell;
  };

  void find_places();

  const TextTable& table_;
  std::vector<Pending> pending_;
  std::optional<First> first_;
  CostSums sums_;
  int64_t count_ = 0, last_row_ = -1;
  int passes_ = 0;
};

// The row as it stands in the file: its cells between delimiters (commas for Parquet).
std::string row_text(const Cells& cells, const TextTable& table);

}  // namespace tare::sources
