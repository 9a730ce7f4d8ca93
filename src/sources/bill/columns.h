// Which column of a file is which normal one: the format's names, corrected by `columns:` of the
// source. What is neither is a further column and is kept under x.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "sources/bill/format.h"
#include "sources/text_table.h"

namespace tare::sources {

// The name as it is compared.
std::string folded_name(const BillFormat& format, std::string_view name);

struct FileColumn {
  int file = -1;    // of TextTable's header; -1: absent
  int stream = -1;  // of the stream
  ColumnAs as = ColumnAs::kText;
  TimeUnit unit = TimeUnit::kIso;
  bool stored_as_double = false;
  bool stated_utc = false;  // kInstantNs only: the file states UTC
  int scale = 0;            // kDecimal only
  bool present() const { return stream >= 0; }
};

struct FurtherColumn {
  std::string name;  // the key under x
  int stream = -1;
  bool unprefixed = false;  // a finding of the format
};

struct BillColumns {
  std::array<FileColumn, kBillColumns> normal;
  std::vector<FurtherColumn> further;  // sorted by name
  struct Text {
    uint64_t column = 0;  // of kBillColumns
    int stream = -1;
  };
  std::vector<Text> texts;        // the present ones that make a dimension
  std::vector<int> file_columns;  // what TextTable::select takes
  std::vector<ColumnAs> as;

  const FileColumn& operator[](BillColumn column) const {
    return normal[static_cast<size_t>(column)];
  }
  const FileColumn& operator[](DimColumn column) const { return (*this)[bill_column(column)]; }
};

// Throws UserError missing-column (with the nearest names of the header), column-unknown (a mapping
// of what the format does not have) and column-twice.
BillColumns find_bill_columns(const BillFormat& format, const Source& source, bool currency_known,
                              const TextTable& table);

}  // namespace tare::sources
