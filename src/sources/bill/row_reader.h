// Reads the times and numbers of a row, exactly, and says whether the row can be used (R01).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/decimal_text.h"
#include "sources/bill/dims.h"
#include "sources/bill/row.h"

namespace tare::sources {

class BillRowReader {
 public:
  // `columns` outlives the reader. `time_zone` is Source::time_zone.
  BillRowReader(const BillFormat& format, const BillColumns& columns, const BillDefaults& defaults,
                const std::string& time_zone);

  // The row at `cells`; valid until the next call.
  const BillRow& read(const Cells& cells, int64_t file_row);

 private:
  struct Number {
    bool known = false;  // not null, empty or NULL
    bool ok = false;     // a decimal that the store holds
    bool rounded = false;
    Money value;
  };
  struct Instant {
    bool known = false, ok = false, zone_given = true, iso = true;
    int64_t ns = 0;
    Month written_month;  // of a billing period's start as it is written, whatever its zone
  };
  struct Memo {  // of the text before, which the next row often repeats
    std::string text;
    Instant instant;
  };
  struct CachedDouble {
    uint64_t bits = 0;
    bool used = false;
    Number number;
  };

  Number number(const Cells& cells, BillColumn column);
  Number number_of_text(std::string_view text);
  Number number_of_double(double value);
  Month month(int64_t start_ns);
  Instant instant(const Cells& cells, BillColumn column);
  Instant parse(std::string_view text, const FileColumn& column) const;

  void read_costs(const Cells& cells);
  void read_plain_costs(const Cells& cells);
  std::optional<Money> optional_cost(const Cells& cells, BillColumn column, BillFinding unreadable);
  std::optional<Money> quantity(const Cells& cells, BillColumn column, BillFinding unreadable);
  void read_quantities(const Cells& cells);
  void read_plain_quantities(const Cells& cells);
  void check_list_price(const Cells& cells);
  void read_period(const Cells& cells);
  void note(const Instant& instant);
  void reject(Reject reason, BillColumn column);

  const BillColumns& columns_;
  BillDefaults defaults_;
  bool zone_stated_ = false;  // the source names the zone of times without one
  int64_t zone_offset_ns_ = 0;
  std::array<Memo, 4> memos_;
  int64_t month_start_ns_ = 0;  // 1970-01-01, which is month 0
  Month month_;
  std::vector<CachedDouble> doubles_;
  BillRow row_;
};

}  // namespace tare::sources
