// The store file of one (source, billing period) while it is written: lines, their dimension, the
// rows that can't be used, and what was found.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sources/bill/cost_sums.h"
#include "sources/bill/dims.h"
#include "sources/bill/findings.h"
#include "sources/bill/further.h"
#include "sources/bill/line_ids.h"
#include "sources/bill/line_sums.h"
#include "sources/bill/overlap.h"
#include "store/store.h"

namespace tare::sources {

// A row that can't be used.
struct UnusableRow {
  std::string place, text;
  std::string_view code;
  std::optional<Money> cost;  // the readable billed cost
  std::string currency;
};
// Into the table "quarantine", and counted.
void write_unusable(store::TableWriter& quarantine, Findings& findings, std::string_view source,
                    const UnusableRow& row);

// What of a source's name may stand in a file's name everywhere.
std::string slug_of(std::string_view name);

class PeriodFile {
 public:
  PeriodFile(const std::string& directory, const std::string& source, const BillDefaults& defaults,
             Month period);

  // From here on rows are another input file's. With `compare` they are remembered for
  // deliveries().
  void begin_file(const std::string& shown_path, bool compare);
  // Rows are written some at a time, while their chunk stands: finish_rows() before the next chunk.
  // Throws UserError cost-too-large when the period's costs pass what sums can hold.
  void add(const Cells& cells, const BillRow& row, FurtherColumns& further);
  void finish_rows();
  void add_unusable(const UnusableRow& row);
  void add_finding(const Findings::Row& row) { findings_.add(row); }

  // Of the current input file.
  int64_t file_lines() const { return file_lines_; }
  void merge_file_sums(CostSums& in, CostSums& out) const;
  DeliveryFiles& deliveries() { return deliveries_; }

  Month period() const { return period_; }
  // Closes the file and gives it its name, which ends in `derived_from`.
  store::StoreFile seal(const std::string& derived_from);

 private:
  // A row between its look-ups, which are begun for many rows before the first is needed.
  struct Started {
    BillRow row;
    size_t chunk_row = 0;
    Hash128 raw, content;
    DimEntry dim;
    Costs costs;
    FindingBits findings;
    std::string x;
    std::vector<uint32_t> unprefixed;
  };
  struct FileSums {
    Costs in, out;
  };

  void look_up(const Cells& cells, Started& started);
  void default_costs(Started& started) const;
  void check_costs(Started& started) const;
  void finish(const Cells& cells, const Started& started);
  void count_findings(const Cells& cells, const Started& started, FindingCounter::Row at);
  void add_sums(uint32_t currency, const Costs& in, const Costs& out);
  void write_line(const Started& started, Hash128 id);

  std::string directory_, source_;
  Month period_;
  Span span_of_period_;
  store::FileWriter file_;
  store::TableWriter dim_writer_, line_writer_, quarantine_writer_;
  LineSums sums_;
  DimTable dims_;
  LineIds ids_;
  FindingCounter counter_;
  Findings findings_;
  int64_t span_start_ns_ = INT64_MAX, span_end_ns_ = INT64_MIN;
  std::array<Money, kCostColumns> magnitudes_;
  int64_t file_lines_ = 0;
  std::vector<FileSums> file_sums_;  // by currency
  bool compare_ = false;
  static constexpr size_t kStartedRows = 32;
  std::array<Started, kStartedRows> started_;
  size_t started_rows_ = 0;
  const store::Chunk* chunk_ = nullptr;
  const BillColumns* columns_ = nullptr;
  FurtherColumns* further_ = nullptr;
  DeliveryFiles deliveries_;
};

}  // namespace tare::sources
