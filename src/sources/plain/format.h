// What a plain format says: its columns, and how a row of them becomes a row of the store. A format
// is one file with such a table, and one line in registry.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace tare::sources {

enum class CellType : uint8_t {
  kText,
  kTime,   // an instant
  kDay,    // an instant, floored to its UTC day
  kMonth,  // "2026-08", or an instant of the month
  kCount,  // a whole number of zero or more
  kDecimal,
  kRatio,     // a decimal from 0 to 1
  kFraction,  // a decimal or n/d (R31)
};
// "a time, ISO 8601 or an epoch with its unit", for documentation and messages.
std::string_view cell_text(CellType cell);
inline bool is_time(CellType cell) {
  return cell == CellType::kTime || cell == CellType::kDay || cell == CellType::kMonth;
}

enum class Need : uint8_t {
  kOptional,  // the column may be absent
  kColumn,    // the column must be there, a cell may be empty
  kCell,      // a row without a readable cell can't be used
};

struct PlainColumn {
  std::string_view name;
  Need need = Need::kOptional;
  CellType cell = CellType::kText;
  std::string_view doc;  // one line
};

class RowReader;
class RowWriter;

struct PlainFormat {
  std::string_view name;
  SourceKind kind = SourceKind::kRuns;
  std::string_view summary;  // one line
  std::span<const PlainColumn> columns;
  std::string_view table;  // of store/schema.h
  const std::vector<store::ColumnSpec>& (*table_columns)();
  // Makes a row of the table; writes nothing where the row was rejected.
  void (*make_row)(RowReader& in, RowWriter& out);
};

const std::vector<const PlainFormat*>& plain_formats();
const PlainFormat* find_plain_format(std::string_view name);        // null: not a plain format
int find_column(const PlainFormat& format, std::string_view name);  // -1: no such column

}  // namespace tare::sources
