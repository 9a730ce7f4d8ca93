#include "sources/bill/unusable.h"

#include <algorithm>
#include <map>

#include "base/decimal_text.h"
#include "base/wide_math.h"

namespace tare::sources {
namespace {

// A cell of any kind as text.
std::string cell_text(const Cells& cells, int stream, const TextTable& table) {
  const auto column = static_cast<size_t>(stream);
  if (!cells.chunk.valid(column, cells.row)) return "";
  switch (cells.columns.as[column]) {
    case ColumnAs::kInstantNs:
      return to_text(cells.chunk.i64(column, cells.row));
    case ColumnAs::kDouble:
      return shortest_text(cells.chunk.f64(column, cells.row));
    case ColumnAs::kDecimal: {
      const int scale = table.column_scale(cells.columns.file_columns[column]);
      const int128 raw = cells.chunk.i128(column, cells.row);
      const auto factor = static_cast<int128>(power_of_ten(Money::kScale - scale));
      int128 atto = 0;
      // What does not fit is only shown, so its last digits may go.
      if (__builtin_mul_overflow(raw, factor, &atto))
        return std::to_string(static_cast<int64_t>(raw / factor));
      return to_text(Money::from_atto(atto));
    }
    case ColumnAs::kText:
      break;
  }
  return std::string(cells.chunk.text(column, cells.row));
}

void append_csv(std::string& out, std::string_view cell, char delimiter) {
  const bool quote = cell.find_first_of("\"\r\n") != std::string_view::npos ||
                     cell.find(delimiter) != std::string_view::npos;
  if (!quote) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

bool is_too_large(const std::string& cell) {
  const DecimalResult number = parse_decimal(cell);
  return number.ok() || number.fault == DecimalFault::kTooLarge;
}

std::string reason_text(Reject reason, const std::string& cell) {
  switch (reason) {
    case Reject::kCostMissing:
      return "its billed cost is missing";
    case Reject::kCostNotDecimal:
      return "its billed cost '" + cell +
             (is_too_large(cell) ? "' is larger than money can be here"
                                 : "' is not a decimal number");
    case Reject::kCurrencyMissing:
      return "its currency is missing";
    case Reject::kPeriodUnreadable:
      return cell.empty() ? "its charge period is missing"
                          : "'" + cell + "' of its charge period is not a time that can be read";
    case Reject::kPeriodReversed:
      return "its charge period ends at '" + cell + "', before it begins";
    case Reject::kNone:
      break;
  }
  return "it can't be read";
}

std::string reason_hint(Reject reason, const std::string& cell) {
  switch (reason) {
    case Reject::kCostNotDecimal:
      if (is_too_large(cell)) return "amounts reach up to 9.2e18; correct the export";
      return "write 10000.00: no currency sign, no thousands separator, a point before the "
             "decimals";
    case Reject::kCurrencyMissing:
      return "name the currency of the source: 'currency: USD'";
    case Reject::kPeriodUnreadable:
      return "write times as 2026-08-01T00:00:00Z, or name the unit of an epoch with 'columns:'";
    default:
      return "correct the export";
  }
}

}  // namespace

std::string row_text(const Cells& cells, const TextTable& table) {
  std::vector<int> stream_of(table.header().size(), -1);
  for (size_t i = 0; i < cells.columns.file_columns.size(); ++i) {
    stream_of[static_cast<size_t>(cells.columns.file_columns[i])] = static_cast<int>(i);
  }
  const char delimiter = table.is_parquet() ? ',' : table.delimiter();
  std::string text;
  for (size_t i = 0; i < stream_of.size(); ++i) {
    if (i > 0) text += delimiter;
    if (stream_of[i] >= 0) append_csv(text, cell_text(cells, stream_of[i], table), delimiter);
  }
  return text;
}

void UnusableRows::add(const Cells& cells, const Cells& raw, const BillRow& row,
                       const BillDefaults& defaults) {
  if (row.file_row == last_row_) return;  // another charge of a row that is kept already
  last_row_ = row.file_row;
  Pending pending;
  pending.file_row = row.file_row;
  pending.column = row.reject_column;
  pending.period = row.period;
  pending.row.text = row_text(raw, table_);
  pending.row.code = reject_code(row.reject);
  pending.row.cost = row.costs[0];
  pending.row.currency = currency_of(cells, defaults);
  if (!first_) {
    first_ = First{row.file_row, row.reject_column, row.reject, ""};
    for (size_t i = 0; i < raw.columns.file_columns.size(); ++i) {
      if (raw.columns.file_columns[i] == row.reject_column) {
        first_->cell = cell_text(raw, static_cast<int>(i), table_);
      }
    }
  }
  if (!pending.row.currency.empty()) sums_.add(pending.row.currency, row.costs);
  pending_.push_back(std::move(pending));
  ++count_;
}

void UnusableRows::find_places() {
  if (++passes_ > kMostPasses) {
    for (Pending& pending : pending_) {
      pending.row.place = table_.shown_path() + " row " + std::to_string(pending.file_row + 1);
    }
    return;
  }
  std::map<int, std::vector<Pending*>> by_column;  // rows ascending
  for (Pending& pending : pending_) by_column[pending.column].push_back(&pending);
  for (const auto& [column, rows] : by_column) {
    std::vector<int64_t> numbers;
    for (const Pending* pending : rows) numbers.push_back(pending->file_row);
    const std::vector<Place> places = table_.places(numbers, column);
    for (size_t i = 0; i < rows.size(); ++i) rows[i]->row.place = to_text(places[i]);
  }
}

void UnusableRows::flush(const Take& take) {
  if (pending_.empty()) return;
  find_places();
  for (const Pending& pending : pending_) take(pending.period, pending.row);
  pending_.clear();
}

void UnusableRows::refuse() const {
  const std::string what = "no row can be used; ";
  const RaggedRow* ragged = table_.ragged_rows().empty() ? nullptr : &table_.ragged_rows().front();
  const Place place = first_ ? table_.place(first_->file_row, first_->column) : Place{};
  if (ragged != nullptr && (!first_ || ragged->line < place.line)) {
    throw UserError("no-usable-rows", what + "the first has " + ragged->why,
                    "look for unquoted delimiters and line breaks",
                    place_at(table_.shown_path(), ragged->line, 1, ragged->text));
  }
  TARE_ASSERT(first_.has_value(), "a file without a usable row has a first unusable one");
  throw UserError("no-usable-rows",
                  what + "of the first, " + reason_text(first_->reason, first_->cell),
                  reason_hint(first_->reason, first_->cell), place);
}

}  // namespace tare::sources
