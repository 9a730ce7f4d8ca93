#include "sources/plain/row.h"

#include <algorithm>

#include "sources/plain/signs.h"

namespace tare::sources {
namespace {

constexpr int64_t kPpb = 1'000'000'000;

// A decimal without a fraction too: tools that know no empty integers write 3.0.
std::optional<int64_t> whole_number(std::string_view text) {
  if (const std::optional<int64_t> value = parse_integer(text)) return value;
  const DecimalResult decimal = parse_decimal(text);
  if (!decimal.ok() || decimal.rounded || !decimal.value.fits_store()) return std::nullopt;
  const Money::Stored stored = decimal.value.stored();
  return stored.atto == 0 ? std::optional(stored.units) : std::nullopt;
}

std::string_view unreadable_code(const PlainColumn& column) {
  switch (column.cell) {
    case CellType::kCount:
      return "count-unreadable";
    case CellType::kDecimal:
    case CellType::kRatio:
      return "quantity-unreadable";
    case CellType::kFraction:
      return column.name == "weight" ? "weight-unreadable" : "cell-unreadable";
    default:
      break;
  }
  return "cell-unreadable";
}

[[noreturn]] void missing_column(const PlainFormat& format, std::string_view name,
                                 const TextTable& table) {
  const std::string nearest = nearest_word_in(name, table.header());
  const std::string mapping = "columns: {" + std::string(name) + ": " +
                              (nearest.empty() ? "<its name in the file>" : nearest) + "}";
  throw UserError("missing-column",
                  "format '" + std::string(format.name) + "' needs the column '" +
                      std::string(name) + "', the file has " + quoted_list(table.header()),
                  (nearest.empty() ? "name it in tare.yaml: "
                                   : "if '" + nearest + "' is meant, name it in tare.yaml: ") +
                      mapping,
                  table.header_place());
}

}  // namespace

RowReader::RowReader(const PlainFormat& format, const Source& source, const TextTable& table,
                     Problems* problems)
    : format_(format), source_(source), problems_(problems) {
  find_columns(table);
}

void RowReader::find_columns(const TextTable& table) {
  const std::vector<std::string>& header = table.header();
  for (const PlainColumn& column : format_.columns) {
    const auto mapped = source_.columns.find(std::string(column.name));
    const bool is_mapped = mapped != source_.columns.end();
    const std::string_view wanted = is_mapped ? mapped->second.column : column.name;
    Cell& cell = cells_.emplace_back();
    const auto at = std::find(header.begin(), header.end(), wanted);
    if (at != header.end()) {
      cell.file_column = static_cast<int>(at - header.begin());
      cell.stream_column = static_cast<int>(file_columns_.size());
      file_columns_.push_back(cell.file_column);
      if (is_mapped) cell.unit = parse_time_unit(mapped->second.time_unit).value_or(TimeUnit::kIso);
      continue;
    }
    if (column.name == "model") cell.stand_in = source_.model;
    if (column.name == "currency") cell.stand_in = source_.currency;
    if (is_mapped) {
      const ColumnMapping& mapping = mapped->second;
      throw mapped_column_missing(table, column.name, mapping.column,
                                  nearest_word_in(mapping.column, table.header()), mapping.place);
    }
    if (column.need != Need::kOptional && cell.stand_in.empty()) {
      missing_column(format_, column.name, table);
    }
  }
}

void RowReader::begin(const store::Chunk& chunk, size_t chunk_row, int64_t file_row) {
  chunk_ = &chunk;
  chunk_row_ = chunk_row;
  file_row_ = file_row;
  rejected_ = false;
  notes_.clear();
}

bool RowReader::finish() {
  if (rejected_) {
    problems_->add_row(file_row_, std::move(rejection_));
    return false;
  }
  for (CellProblem& note : notes_) problems_->add_cell(file_row_, std::move(note));
  return true;
}

std::optional<std::string_view> RowReader::cell(int column) const {
  const Cell& cell = cells_[static_cast<size_t>(column)];
  if (cell.stream_column < 0) {
    return cell.stand_in.empty() ? std::nullopt : std::optional<std::string_view>(cell.stand_in);
  }
  const auto stream_column = static_cast<size_t>(cell.stream_column);
  if (!chunk_->valid(stream_column, chunk_row_)) return std::nullopt;
  const std::string_view text = trim(chunk_->text(stream_column, chunk_row_));
  return is_unknown(text) ? std::nullopt : std::optional(text);
}

void RowReader::reject(std::string_view code, int column) {
  if (rejected_) return;
  rejected_ = true;
  rejection_ = {code, format_.columns[static_cast<size_t>(column)].name,
                cells_[static_cast<size_t>(column)].file_column,
                std::string(cell(column).value_or(""))};
}

void RowReader::note(std::string_view code, int column) {
  notes_.push_back({code, format_.columns[static_cast<size_t>(column)].name,
                    cells_[static_cast<size_t>(column)].file_column,
                    std::string(cell(column).value_or(""))});
}

void RowReader::unreadable(int column) {
  const PlainColumn& spec = format_.columns[static_cast<size_t>(column)];
  if (spec.need == Need::kCell) {
    reject("row-unreadable", column);
  } else {
    note(unreadable_code(spec), column);
  }
}

std::optional<std::string_view> RowReader::text(int column) {
  const std::optional<std::string_view> found = cell(column);
  if (!found && format_.columns[static_cast<size_t>(column)].need == Need::kCell) {
    reject("row-unreadable", column);
  }
  return found;
}

std::optional<std::string> RowReader::optional_text(int column) {
  const std::optional<std::string_view> found = text(column);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

std::optional<int64_t> RowReader::instant(int column, std::string_view text) {
  const TimeUnit unit = cells_[static_cast<size_t>(column)].unit;
  InstantResult result = parse_instant(text, unit);
  if (!result.ok) {
    unreadable(column);
    return std::nullopt;
  }
  if (result.zone_given) return result.ns;
  if (source_.time_zone.empty()) {
    // One a row, whatever the number of its times.
    const bool noted = std::any_of(notes_.begin(), notes_.end(), [](const CellProblem& note) {
      return note.code == "time-zone-missing";
    });
    if (!noted) {
      note("time-zone-missing", column);
      notes_.back().subject = "";
    }
  } else if (source_.time_zone != "UTC") {
    result = parse_instant(std::string(text) + source_.time_zone, unit);
    if (!result.ok) {
      unreadable(column);
      return std::nullopt;
    }
  }
  return result.ns;
}

std::optional<int64_t> RowReader::time(int column) {
  const std::optional<std::string_view> found = text(column);
  if (!found) return std::nullopt;
  const std::optional<int64_t> ns = instant(column, *found);
  const bool is_day = format_.columns[static_cast<size_t>(column)].cell == CellType::kDay;
  return ns && is_day ? std::optional(floor_day(*ns)) : ns;
}

std::optional<int64_t> RowReader::month(int column) {
  const std::optional<std::string_view> found = text(column);
  if (!found) return std::nullopt;
  if (const std::optional<Month> month = parse_month(*found)) return span_of(*month).start_ns;
  const std::optional<int64_t> ns = instant(column, *found);
  return ns ? std::optional(span_of(month_of(*ns)).start_ns) : std::nullopt;
}

std::optional<int64_t> RowReader::count(int column, int64_t max) {
  const std::optional<std::string_view> found = text(column);
  if (!found) return std::nullopt;
  const std::optional<int64_t> value = whole_number(*found);
  if (value && *value >= 0 && *value <= max) return value;
  unreadable(column);
  return std::nullopt;
}

std::optional<Money> RowReader::decimal(int column) {
  const std::optional<std::string_view> found = text(column);
  if (!found) return std::nullopt;
  const DecimalResult result = parse_decimal(*found);
  if (!result.ok() || !result.value.fits_store()) {
    unreadable(column);
    return std::nullopt;
  }
  if (result.rounded) note("decimal-rounded", column);
  return result.value;
}

std::optional<Money> RowReader::decimal_of_zero_or_more(int column) {
  const std::optional<Money> value = decimal(column);
  if (!value || !value->is_negative()) return value;
  unreadable(column);
  return std::nullopt;
}

std::optional<Fraction> RowReader::fraction(int column) {
  const std::optional<std::string_view> found = text(column);
  if (!found) return std::nullopt;
  const std::optional<Fraction> value = parse_fraction(*found);
  if (!value) unreadable(column);
  return value;
}

std::optional<Money> RowReader::sign_decimal(int column) {
  const std::optional<std::string_view> found = text(column);
  if (!found) return std::nullopt;
  const DecimalResult result = parse_decimal(*found);
  const bool impossible =
      result.ok() ? result.value.is_negative() || is_blank_sentinel(result.value) ||
                        !result.value.fits_store()
                  : result.fault == DecimalFault::kTooLarge || is_not_a_number_text(*found);
  if (!impossible && result.ok()) return result.value;
  if (impossible) {
    note("telemetry-impossible", column);
  } else {
    unreadable(column);
  }
  return std::nullopt;
}

std::optional<int64_t> RowReader::ratio_ppb(int column) {
  const std::optional<Money> value = sign_decimal(column);
  if (!value) return std::nullopt;
  if (*value > Money::from_units(1)) {
    note("telemetry-impossible", column);
    return std::nullopt;
  }
  constexpr int64_t kAttoPerPpb = Money::kAttoPerUnit / kPpb;
  return static_cast<int64_t>(round_half_even(*value, 9).atto() / kAttoPerPpb);
}

std::optional<int64_t> RowReader::sign_count(int column) {
  const std::optional<Money> value = sign_decimal(column);
  if (!value) return std::nullopt;
  const Money whole = round_half_even(*value, 0);
  if (whole.fits_store()) return whole.stored().units;
  note("telemetry-impossible", column);
  return std::nullopt;
}

RowWriter& RowWriter::text(std::string_view value) {
  table_->set_text(column_++, value);
  return *this;
}

RowWriter& RowWriter::optional_text(const std::optional<std::string>& value) {
  if (value) return text(std::string_view(*value));
  table_->set_null(column_++);
  return *this;
}

RowWriter& RowWriter::small(int32_t value) {
  table_->set_i32(column_++, value);
  return *this;
}

RowWriter& RowWriter::number(std::optional<int64_t> value) {
  if (value) {
    table_->set_i64(column_++, *value);
  } else {
    table_->set_null(column_++);
  }
  return *this;
}

RowWriter& RowWriter::money(const std::optional<Money>& value) {
  table_->set_money(column_, value);
  column_ += 2;
  return *this;
}

RowWriter& RowWriter::fraction(const std::optional<Fraction>& value) {
  return optional_text(value ? std::optional(to_text(*value)) : std::nullopt);
}

void RowWriter::end() {
  text(std::string_view(source_));
  table_->end_row();
  column_ = 0;
}

}  // namespace tare::sources
