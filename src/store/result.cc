#include "store/result.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "base/instant.h"

namespace tare::store {

namespace {

// DuckDB orders UUIDs as signed integers, so it keeps them with the top bit flipped.
constexpr uint64_t kUuidSignBit = uint64_t{1} << 63;

std::string decimal_text(int128 value, int scale) {
  std::string digits = integer_text(value < 0 ? -value : value);
  const size_t decimals = static_cast<size_t>(scale);
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - decimals, ".");
  return value < 0 ? "-" + digits : digits;
}

std::string uuid_text(Hash128 hash) {
  std::string text = to_text(hash);
  for (size_t at : {20U, 16U, 12U, 8U}) text.insert(at, "-");
  return text;
}

// The shortest text that reads back, with an exponent only where DuckDB prints one.
template <typename Float>
std::string float_text(Float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[400];
  char* end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string scientific(buffer, end);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent < -4 || exponent >= 16) return scientific;
  end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr;
  std::string text(buffer, end);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

// "2026-08-01 00:00:00[.fraction]", as DuckDB prints a TIMESTAMP_NS.
std::string timestamp_text(int64_t ns) {
  const int64_t day = floor_day(ns);
  const int64_t in_day = ns - day;
  const int64_t seconds = in_day / kNsPerSecond;
  std::string text = day_text(day) + fmt::format(" {:02}:{:02}:{:02}", seconds / 3600,
                                                 seconds / 60 % 60, seconds % 60);
  if (const int64_t fraction = in_day % kNsPerSecond; fraction != 0) {
    std::string digits = std::to_string(fraction);
    digits.insert(0, 9 - digits.size(), '0');
    while (digits.back() == '0') digits.pop_back();
    text += "." + digits;
  }
  return text;
}

template <typename T>
T value_at(const void* values, size_t row) {
  return static_cast<const T*>(values)[row];
}

}  // namespace

Hash128 uuid_of(duckdb_hugeint value) {
  return {static_cast<uint64_t>(value.upper) ^ kUuidSignBit, value.lower};
}

duckdb_hugeint uuid_value(Hash128 hash) {
  return {hash.lo, static_cast<int64_t>(hash.hi ^ kUuidSignBit)};
}

int128 int128_of(duckdb_hugeint value) {
  const uint128 upper = static_cast<uint64_t>(value.upper);
  return static_cast<int128>((upper << 64) | value.lower);
}

duckdb_hugeint hugeint_of(int128 value) {
  return {static_cast<uint64_t>(value), static_cast<int64_t>(value >> 64)};
}

bool Result::Impl::readable(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_DECIMAL:
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_UUID:
    case DUCKDB_TYPE_TIMESTAMP_NS:
    case DUCKDB_TYPE_SQLNULL:
      return true;
    default:
      return false;
  }
}

Result::Impl::~Impl() {
  for (Part& part : parts) duckdb_destroy_data_chunk(&part.chunk);
}

void Result::Impl::load(std::vector<std::string> names_instead) {
  const idx_t columns = duckdb_column_count(&owned.result);
  for (idx_t column = 0; column < columns; ++column) {
    names.emplace_back(duckdb_column_name(&owned.result, column));
    types.push_back(duckdb_column_type(&owned.result, column));
    physical.push_back(types.back());
    scales.push_back(0);
    if (types.back() != DUCKDB_TYPE_DECIMAL) continue;
    duckdb_logical_type logical = duckdb_column_logical_type(&owned.result, column);
    physical.back() = duckdb_decimal_internal_type(logical);
    scales.back() = duckdb_decimal_scale(logical);
    duckdb_destroy_logical_type(&logical);
  }
  if (!names_instead.empty()) names = std::move(names_instead);
  while (duckdb_data_chunk chunk = duckdb_fetch_chunk(owned.result)) {
    Part part;
    part.chunk = chunk;
    part.first_row = rows;
    rows += duckdb_data_chunk_get_size(chunk);
    for (idx_t column = 0; column < columns; ++column) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
      part.values.push_back(duckdb_vector_get_data(vector));
      part.validity.push_back(duckdb_vector_get_validity(vector));
    }
    parts.push_back(std::move(part));
  }
}

Result::Impl::Cell Result::Impl::cell(size_t row, size_t column) const {
  TARE_ASSERT(row < rows && column < names.size(), "a cell outside of the answer");
  auto after =
      std::upper_bound(parts.begin(), parts.end(), row,
                       [](size_t wanted, const Part& part) { return wanted < part.first_row; });
  const Part& part = *(after - 1);
  return {&part, row - part.first_row};
}

int128 Result::Impl::integer(size_t row, size_t column) const {
  const Cell at = cell(row, column);
  const void* values = at.part->values[column];
  switch (physical[column]) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_UTINYINT:
      return value_at<uint8_t>(values, at.row);
    case DUCKDB_TYPE_TINYINT:
      return value_at<int8_t>(values, at.row);
    case DUCKDB_TYPE_SMALLINT:
      return value_at<int16_t>(values, at.row);
    case DUCKDB_TYPE_USMALLINT:
      return value_at<uint16_t>(values, at.row);
    case DUCKDB_TYPE_INTEGER:
      return value_at<int32_t>(values, at.row);
    case DUCKDB_TYPE_UINTEGER:
      return value_at<uint32_t>(values, at.row);
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return value_at<int64_t>(values, at.row);
    case DUCKDB_TYPE_UBIGINT:
      return value_at<uint64_t>(values, at.row);
    case DUCKDB_TYPE_HUGEINT:
      return int128_of(value_at<duckdb_hugeint>(values, at.row));
    default:
      TARE_ASSERT(false, "not an integer column: " + names[column]);
  }
}

Result::Result(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

size_t Result::rows() const { return impl_->rows; }
size_t Result::columns() const { return impl_->names.size(); }
const std::string& Result::column_name(size_t column) const { return impl_->names.at(column); }

Type Result::column_type(size_t column) const {
  switch (impl_->types.at(column)) {
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
      return Type::kBigint;
    case DUCKDB_TYPE_UBIGINT:
      return Type::kHugeint;
    case DUCKDB_TYPE_FLOAT:
      return Type::kDouble;
    default:
      return type_of(impl_->types[column]);
  }
}

bool Result::is_null(size_t row, size_t column) const {
  const Impl::Cell at = impl_->cell(row, column);
  const uint64_t* mask = at.part->validity[column];
  return impl_->types[column] == DUCKDB_TYPE_SQLNULL ||
         (mask != nullptr && ((mask[at.row / 64] >> (at.row % 64)) & 1) == 0);
}

int64_t Result::i64(size_t row, size_t column) const {
  const int128 value = i128(row, column);
  TARE_ASSERT(value >= INT64_MIN && value <= INT64_MAX, "a value of 128 bits read as 64");
  return static_cast<int64_t>(value);
}

int128 Result::i128(size_t row, size_t column) const {
  TARE_ASSERT(!is_null(row, column), "null read as a number: " + column_name(column));
  TARE_ASSERT(impl_->scales[column] == 0, "a decimal read as an integer: " + column_name(column));
  return impl_->integer(row, column);
}

Money Result::money(size_t row, size_t column) const {
  TARE_ASSERT(!is_null(row, column), "null read as money: " + column_name(column));
  TARE_ASSERT(impl_->types[column] == DUCKDB_TYPE_DECIMAL && impl_->scales[column] <= Money::kScale,
              "not DECIMAL(p, <= 18): " + column_name(column));
  int128 atto = impl_->integer(row, column);
  for (int scale = impl_->scales[column]; scale < Money::kScale; ++scale) {
    const bool overflow = __builtin_mul_overflow(atto, int128{10}, &atto);
    TARE_ASSERT(!overflow, "a decimal too large for money: " + column_name(column));
  }
  return Money::from_atto(atto);
}

std::optional<Money> Result::optional_money(size_t row, size_t column) const {
  if (is_null(row, column)) return std::nullopt;
  return money(row, column);
}

double Result::f64(size_t row, size_t column) const {
  TARE_ASSERT(!is_null(row, column), "null read as a number: " + column_name(column));
  const Impl::Cell at = impl_->cell(row, column);
  const void* values = at.part->values[column];
  if (impl_->types[column] == DUCKDB_TYPE_FLOAT) {
    return static_cast<double>(value_at<float>(values, at.row));
  }
  TARE_ASSERT(impl_->types[column] == DUCKDB_TYPE_DOUBLE, "not DOUBLE: " + column_name(column));
  return value_at<double>(values, at.row);
}

std::string Result::text(size_t row, size_t column) const {
  TARE_ASSERT(!is_null(row, column), "null read as text: " + column_name(column));
  const Impl::Cell at = impl_->cell(row, column);
  const void* values = at.part->values[column];
  switch (impl_->types[column]) {
    case DUCKDB_TYPE_VARCHAR: {
      auto entry = value_at<duckdb_string_t>(values, at.row);
      return {duckdb_string_t_data(&entry), duckdb_string_t_length(entry)};
    }
    case DUCKDB_TYPE_BOOLEAN:
      return value_at<bool>(values, at.row) ? "true" : "false";
    case DUCKDB_TYPE_FLOAT:
      return float_text(value_at<float>(values, at.row));
    case DUCKDB_TYPE_DOUBLE:
      return float_text(value_at<double>(values, at.row));
    case DUCKDB_TYPE_UUID:
      return uuid_text(uuid_of(value_at<duckdb_hugeint>(values, at.row)));
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return timestamp_text(value_at<int64_t>(values, at.row));
    case DUCKDB_TYPE_DECIMAL:
      return decimal_text(impl_->integer(row, column), impl_->scales[column]);
    default:
      return integer_text(impl_->integer(row, column));
  }
}

std::string Result::text_or_empty(size_t row, size_t column) const {
  return is_null(row, column) ? "" : text(row, column);
}

}  // namespace tare::store
