// Any bytes as the rows of a provider's export, mapped in memory, without a store: what becomes of
// each row, and the money in it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "base/instant.h"
#include "plain_reader.h"
#include "sources/bill/native/native.h"
#include "sources/bill/row_reader.h"

namespace tare::fuzz {

// The columns of a file and what a source says of it.
struct NativeShape {
  const sources::BillFormat& format;
  std::vector<std::string> columns;
  std::string currency;
};

enum class Fate { kNetted, kUsed, kUnusable };

struct MappedRow {
  Fate fate = Fate::kNetted;
  std::optional<Money> readable;  // the billed cost of an unusable row
};

struct MappedFile {
  std::vector<MappedRow> rows;
  PlainSum billed, effective;  // of the lines, and of what is left over of those that net
};

inline sources::NativeColumns columns_of(const NativeShape& shape) {
  const sources::NativeFormat& native = *shape.format.native;
  sources::NativeColumns columns;
  columns.file.assign(native.columns.size(), -1);
  columns.stream = columns.file;
  columns.is_double.assign(native.columns.size(), false);
  columns.currency = shape.currency;
  for (size_t i = 0; i < shape.columns.size(); ++i) {
    const auto at = sources::find_native_column(native, shape.columns[i]);
    TARE_ASSERT(at.has_value(), "a column of the format");
    columns.file[*at] = columns.stream[*at] = static_cast<int>(i);
    columns.raw.file_columns.push_back(static_cast<int>(i));
    columns.raw.as.push_back(sources::ColumnAs::kText);
  }
  return columns;
}

inline sources::BillDefaults defaults_of(const NativeShape& shape) {
  sources::BillDefaults defaults;
  defaults.currency = shape.currency;
  return defaults;
}

class NativeRows {
 public:
  explicit NativeRows(const NativeShape& shape)
      : shape_(shape),
        native_(columns_of(shape)),
        charges_(*shape.format.native),
        columns_(charges_.columns(native_)),
        reader_(shape.format, columns_, defaults_of(shape), "") {}

  // Throws UserError cost-too-large.
  MappedFile map(const std::vector<PlainRow>& rows) {
    store::TextChunk raw(shape_.columns.size());
    for (const PlainRow& row : rows) {
      raw.add_row();
      for (size_t i = 0; i < shape_.columns.size(); ++i) {
        if (!row.cells[i].empty()) raw.set(i, row.cells[i]);
      }
    }
    sources::NativeShared shared;
    sources::Netting& netting = shared.netting;
    auto mapper = shape_.format.native->make(native_, shared);
    charges_.clear();
    mapper->begin_chunk();
    const store::Chunk& chunk = raw.chunk();
    for (size_t row = 0; row < rows.size(); ++row) {
      charges_.begin_row(row);
      mapper->map({chunk, row, native_}, charges_);
    }
    MappedFile file;
    file.rows.resize(rows.size());
    const store::Chunk& made = charges_.chunk();
    for (size_t at = 0; at < made.rows(); ++at) take({made, at, columns_}, at, &file);
    for (const auto& sum : netting.file_sums()) add_remainders(netting, sum.period, &file);
    return file;
  }

 private:
  void take(const sources::Cells& cells, size_t at, MappedFile* file) {
    const size_t raw_row = charges_.raw_row(at);
    const sources::BillRow& row = reader_.read(cells, static_cast<int64_t>(raw_row));
    MappedRow& mapped = file->rows[raw_row];
    const Fate fate = row.reject == sources::Reject::kNone ? Fate::kUsed : Fate::kUnusable;
    TARE_ASSERT(mapped.fate == Fate::kNetted || mapped.fate == fate, "a row has one fate");
    const bool first = mapped.fate == Fate::kNetted;
    mapped.fate = fate;
    if (fate == Fate::kUnusable) {
      if (first) mapped.readable = row.costs[0];
      return;
    }
    file->billed.add(*row.costs[0]);
    if (row.costs[1]) file->effective.add(*row.costs[1]);
  }

  void add_remainders(const sources::Netting& netting, Month period, MappedFile* file) {
    if (!seen_.emplace(period, 0).second) return;
    sources::Remainders remainders(netting.remainders(period));
    sources::BillRowReader reader(shape_.format, remainders.columns(), defaults_of(shape_), "");
    const store::Chunk& chunk = remainders.chunk();
    for (size_t at = 0; at < chunk.rows(); ++at) {
      const sources::BillRow& row = reader.read({chunk, at, remainders.columns()}, 0);
      TARE_ASSERT(row.reject == sources::Reject::kNone, "what is left over makes a line");
      TARE_ASSERT(row.period == period, "of its period");
      file->billed.add(*row.costs[0]);
      file->effective.add(*row.costs[1]);
    }
  }

  const NativeShape& shape_;
  sources::NativeColumns native_;
  sources::Charges charges_;
  sources::BillColumns columns_;
  sources::BillRowReader reader_;
  std::map<Month, int> seen_;
};

// What a plain reader makes of a row: its cells by name, without spaces, and "" where unknown.
class PlainCells {
 public:
  PlainCells(const NativeShape& shape, const PlainRow& row) : shape_(shape), row_(row) {}

  std::string operator[](const std::string& column) const {
    for (size_t i = 0; i < shape_.columns.size(); ++i) {
      if (shape_.columns[i] != column) continue;
      const std::string text = trimmed(row_.cells[i]);
      return is_unknown(text) ? "" : text;
    }
    return "";
  }

 private:
  const NativeShape& shape_;
  const PlainRow& row_;
};

inline std::optional<Money> plain_money(const std::string& cell) {
  const DecimalResult decimal = parse_decimal(cell);
  if (cell.empty() || !decimal.ok() || !decimal.value.fits_store()) return std::nullopt;
  return decimal.value;
}

// "8/3/2026 10:00" is August; else as ISO 8601 writes it.
inline std::optional<int64_t> plain_instant(std::string cell) {
  const size_t first = cell.find('/');
  const size_t second = first == std::string::npos ? first : cell.find('/', first + 1);
  if (second != std::string::npos) {
    std::string month = cell.substr(0, first), day = cell.substr(first + 1, second - first - 1);
    std::string year = cell.substr(second + 1), rest;
    if (const size_t space = year.find(' '); space != std::string::npos) {
      rest = year.substr(space + 1);
      year = year.substr(0, space);
    }
    for (std::string* part : {&month, &day}) {
      if (part->size() == 1) *part = "0" + *part;
    }
    if (year.size() != 4 || month.size() != 2 || day.size() != 2) return std::nullopt;
    cell = year + "-" + month + "-" + day + (rest.empty() ? "" : "T" + rest);
  }
  const InstantResult instant = parse_instant(cell);
  return instant.ok ? std::optional(instant.ns) : std::nullopt;
}

// The rows after the choice of a shape, those that fit.
inline std::vector<PlainRow> fitting_rows(const std::string& text, size_t columns) {
  PlainTable table = PlainReader(text, ',').read();
  std::vector<PlainRow> rows;
  for (PlainRow& row : table.rows) {
    if (row.fits(columns)) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tare::fuzz
