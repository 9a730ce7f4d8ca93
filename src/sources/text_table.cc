#include "sources/text_table.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <set>

#include "sources/byte_source.h"
#include "sources/csv_scan.h"

namespace tare::sources {
namespace {

constexpr std::string_view kParquetMagic = "PAR1";
// DuckDB's own least, below which a larger line is refused without need.
constexpr int64_t kShortestLineLimit = 2'000'000;
constexpr int64_t kBufferBytes =
    8'000'000;  // a fourth of DuckDB's own, as fast, and kept many times
constexpr int64_t kLargestReadAsOne = int64_t{256} << 20;

// 1678-01-01 and 2262-01-01.
constexpr const char* kFirstMicrosecond = "-9214560000000000";
constexpr const char* kLastMicrosecond = "9214646400000000";

// read_csv and read_parquet take a path for a pattern.
std::string literal_pattern(std::string_view path) {
  std::string pattern;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[') {
      pattern += {'[', c, ']'};
    } else {
      pattern += c;
    }
  }
  return pattern;
}

std::string name_of(size_t column) { return "c" + std::to_string(column); }

struct ParquetColumn {
  std::string name, type;  // as DuckDB writes them
  std::string expression;  // in its SQL
  ColumnKind kind = ColumnKind::kOther;
};

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

// Places after the point of "DECIMAL(12,4)"; of an integer none.
int scale_of(std::string_view type) {
  int width = 0, scale = 0;
  const int read = std::sscanf(std::string(type).c_str(), "DECIMAL(%d,%d)", &width, &scale);
  return read == 2 ? scale : 0;
}

ColumnKind kind_of(std::string_view type) {
  if (type == "VARCHAR") return ColumnKind::kText;
  if (type == "DOUBLE") return ColumnKind::kDouble;
  if (type.ends_with("]") || type.starts_with("STRUCT")) return ColumnKind::kOther;
  if (type.starts_with("TIMESTAMP") || type == "DATE") return ColumnKind::kInstant;
  if (type.starts_with("DECIMAL")) {
    return scale_of(type) <= Money::kScale ? ColumnKind::kDecimal : ColumnKind::kOther;
  }
  const std::set<std::string_view> integers = {"TINYINT",  "SMALLINT",  "INTEGER",  "BIGINT",
                                               "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"};
  return integers.contains(type) ? ColumnKind::kDecimal : ColumnKind::kOther;
}

std::string text_of(const ParquetColumn& column, const std::string& name) {
  std::string cast = "CAST(" + name + " AS VARCHAR)";
  if (column.kind == ColumnKind::kText) return name;
  if (column.type.ends_with("]") || starts_with_any(column.type, {"STRUCT", "MAP", "UNION"})) {
    return "CAST(to_json(" + name + ") AS VARCHAR)";
  }
  if (column.type == "TIMESTAMP WITH TIME ZONE") {
    return "replace(replace(" + cast + ", ' ', 'T'), '+00', 'Z')";
  }
  if (column.kind == ColumnKind::kInstant) return "replace(" + cast + ", ' ', 'T')";
  return cast;
}

std::string expression_of(const ParquetColumn& column, const std::string& name, ColumnAs as) {
  switch (as) {
    case ColumnAs::kInstantNs:
      TARE_ASSERT(column.kind == ColumnKind::kInstant, "an instant of a column of instants");
      if (column.type == "TIMESTAMP_NS") return "epoch_ns(" + name + ")";
      // Out of reach of 64 bits is unknown, and not the end of the query.
      return "CASE WHEN epoch_us(" + name + ") BETWEEN " + kFirstMicrosecond + " AND " +
             kLastMicrosecond + " THEN epoch_us(" + name + ") * 1000 END";
    case ColumnAs::kDouble:
      TARE_ASSERT(column.kind == ColumnKind::kDouble, "a double of a column of doubles");
      return name;
    case ColumnAs::kDecimal:
      TARE_ASSERT(column.kind == ColumnKind::kDecimal, "a decimal of a column of decimals");
      return "CAST(" + name + " AS DECIMAL(38," + std::to_string(scale_of(column.type)) + "))";
    case ColumnAs::kText:
      break;
  }
  return text_of(column, name);
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

struct TextTable::Impl {
  std::string path, shown_path;
  TableOptions options;
  bool parquet = false;
  CsvLayout csv;  // of Parquet: sha256, header and rows
  std::vector<ParquetColumn> columns;

  std::string table_function(bool after_first_row) const;
  std::string first_row_values(const std::vector<int>& wanted) const;
  void add_parquet_column(store::Connection& connection, const std::string& name,
                          const std::string& expression, const std::string& type);
  void open_parquet();
  void place_by_json_lines();
};

std::string TextTable::Impl::table_function(bool after_first_row) const {
  const std::string pattern = store::quote_text(literal_pattern(path));
  if (parquet)
    return "read_parquet(" + pattern + ", binary_as_string=true, hive_partitioning=false)";
  std::string columns_text;
  for (size_t column = 0; column < csv.header.size(); ++column) {
    columns_text += (column > 0 ? ", " : "") + store::quote_text(name_of(column)) + ": 'VARCHAR'";
  }
  std::string sql = "read_csv(" + pattern + ", auto_detect=false, quote='\"', escape='\"'";
  sql += ", delim=" + store::quote_text(std::string(1, csv.delimiter));
  sql += ", columns={" + columns_text + "}, hive_partitioning=false";
  // Pieces that begin in a quoted cell can lead the reader astray. Read as one, a file stays in
  // memory.
  const bool ambiguous = csv.quoted_line_ends || csv.mixed_line_ends;
  sql += ambiguous && csv.bytes <= kLargestReadAsOne ? ", parallel=false" : ", parallel=true";
  sql += csv.gzip ? ", compression='gzip'" : ", compression='none'";
  const int64_t skip = after_first_row ? csv.blank_lines_before + 1 + csv.blank_lines_after + 1
                                       : csv.blank_lines_before;
  sql += after_first_row ? ", header=false" : ", header=true";
  sql += ", skip=" + std::to_string(skip);
  const int64_t line_limit = std::max(kShortestLineLimit, csv.longest_record + 2);
  sql += ", max_line_size=" + std::to_string(line_limit);
  sql += ", buffer_size=" + std::to_string(std::max(kBufferBytes, 2 * line_limit));
  // Otherwise a row that we did not find ragged is an error, which is what it should be.
  if (!csv.ragged.empty()) {
    static std::atomic<int> serial = 0;
    const std::string number = std::to_string(++serial);
    sql += ", store_rejects=true, rejects_limit=0, rejects_table='tare_rejects_" + number +
           "', rejects_scan='tare_rejects_scan_" + number + "'";
  }
  if (csv.mixed_line_ends) sql += ", strict_mode=false";
  return sql + ")";
}

std::string TextTable::Impl::first_row_values(const std::vector<int>& wanted) const {
  std::string sql;
  for (const int column : wanted) {
    sql +=
        (sql.empty() ? "" : ", ") + store::quote_text(csv.first_row[static_cast<size_t>(column)]);
  }
  return sql;
}

// The header stands before them, and a line that was no object is one quoted cell.
void TextTable::Impl::place_by_json_lines() {
  for (RaggedRow& row : csv.ragged) {
    --row.line;
    const std::vector<CsvCell> cells = split_record(row.text, csv.delimiter);
    if (!cells.empty()) row.text = cells.front().text;
    row.why = "text that is no JSON object";
  }
}

void TextTable::Impl::add_parquet_column(store::Connection& connection, const std::string& name,
                                         const std::string& expression, const std::string& type) {
  if (options.open_structs && type.starts_with("STRUCT") && !type.ends_with("]")) {
    const store::Result members = connection.query("DESCRIBE SELECT unnest(" + expression +
                                                   ") FROM " + table_function(false));
    const std::string extract = "struct_extract(" + expression + ", ";
    for (size_t row = 0; row < members.rows(); ++row) {
      const std::string member = members.text(row, 0);
      std::string from = extract;
      from.append(store::quote_text(member)).append(")");
      std::string full = name;
      full.append(".").append(member);
      add_parquet_column(connection, full, from, members.text(row, 1));
    }
    return;
  }
  csv.header.emplace_back(trim(name));
  columns.push_back({name, type, expression, kind_of(type)});
}

void TextTable::Impl::open_parquet() {
  store::Database database({.threads = 1});
  store::Connection connection = database.connect();
  store::QueryError error;
  const auto damaged = [&] {
    return UserError("parquet-damaged",
                     "'" + shown_path + "' is a damaged Parquet file: " + error.message,
                     "fetch the file again; nothing of it was loaded", place_at(shown_path));
  };
  const auto described =
      connection.try_query("DESCRIBE SELECT * FROM " + table_function(false), &error);
  if (!described) throw damaged();
  for (size_t row = 0; row < described->rows(); ++row) {
    const std::string name = described->text(row, 0);
    add_parquet_column(connection, name, store::quote_identifier(name), described->text(row, 1));
  }
  const auto counted = connection.try_query("SELECT num_rows FROM parquet_file_metadata(" +
                                                store::quote_text(literal_pattern(path)) + ")",
                                            &error);
  if (!counted) throw damaged();
  csv.rows = counted->i64(0, 0);
}

TextTable::TextTable(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TextTable::TextTable(TextTable&&) noexcept = default;
TextTable::~TextTable() = default;

namespace {

bool is_parquet_file(const std::string& path, const std::string& shown_path) {
  ByteSource bytes(path, shown_path, false);
  return !bytes.is_gzip() && bytes.next().starts_with(kParquetMagic);
}

std::string hash_of_file(const std::string& path, const std::string& shown_path) {
  ByteSource bytes(path, shown_path, true, ByteSource::Unpack::kNo);
  while (!bytes.next().empty()) {
  }
  return bytes.sha256();
}

}  // namespace

TextTable TextTable::open(const std::string& path, const std::string& shown_path,
                          const TableOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  impl->path = std::filesystem::absolute(path).string();
  impl->shown_path = shown_path;
  impl->parquet = is_parquet_file(path, shown_path);
  if (impl->parquet) {
    impl->open_parquet();
    impl->csv.sha256 = hash_of_file(path, shown_path);
  } else {
    impl->csv = scan_layout(path, shown_path);
    if (options.of_json_lines) impl->place_by_json_lines();
  }
  return TextTable(std::move(impl));
}

TextTable TextTable::peek(const std::string& path, const std::string& shown_path) {
  auto impl = std::make_unique<Impl>();
  impl->path = std::filesystem::absolute(path).string();
  impl->shown_path = shown_path;
  impl->parquet = is_parquet_file(path, shown_path);
  if (impl->parquet) {
    impl->open_parquet();
  } else {
    impl->csv = peek_layout(path, shown_path);
  }
  return TextTable(std::move(impl));
}

const std::vector<std::string>& TextTable::header() const { return impl_->csv.header; }
bool TextTable::is_parquet() const { return impl_->parquet; }
char TextTable::delimiter() const { return impl_->csv.delimiter; }
const std::string& TextTable::path() const { return impl_->path; }
const std::string& TextTable::shown_path() const { return impl_->shown_path; }
const std::string& TextTable::sha256() const { return impl_->csv.sha256; }
int64_t TextTable::rows() const { return impl_->csv.rows; }
bool TextTable::second_bom() const { return impl_->csv.second_bom; }
const std::vector<RaggedRow>& TextTable::ragged_rows() const { return impl_->csv.ragged; }

ColumnKind TextTable::column_kind(int column) const {
  if (!impl_->parquet) return ColumnKind::kText;
  return impl_->columns[static_cast<size_t>(column)].kind;
}

bool TextTable::column_is_double(int column) const {
  if (!impl_->parquet) return false;
  const std::string& type = impl_->columns[static_cast<size_t>(column)].type;
  return type == "DOUBLE" || type == "FLOAT";
}

int TextTable::column_scale(int column) const {
  return scale_of(impl_->columns[static_cast<size_t>(column)].type);
}

bool TextTable::column_is_utc(int column) const {
  return impl_->parquet &&
         impl_->columns[static_cast<size_t>(column)].type == "TIMESTAMP WITH TIME ZONE";
}

std::string TextTable::select(const std::vector<int>& columns) const {
  return select(columns, std::vector<ColumnAs>(columns.size(), ColumnAs::kText));
}

std::string TextTable::select(const std::vector<int>& columns,
                              const std::vector<ColumnAs>& as) const {
  TARE_ASSERT(columns.size() == as.size() && !columns.empty(), "a kind for each column");
  std::string list;
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto column = static_cast<size_t>(columns[i]);
    if (i > 0) list += ", ";
    list += impl_->parquet
                ? expression_of(impl_->columns[column], impl_->columns[column].expression, as[i])
                : name_of(column);
  }
  const CsvLayout& csv = impl_->csv;
  std::string rest = "SELECT " + list + " FROM " + impl_->table_function(csv.second_bom);
  if (!csv.second_bom || !csv.first_row_fits) return rest;
  return "SELECT " + impl_->first_row_values(columns) + " UNION ALL " + rest;
}

store::Stream TextTable::stream(store::Connection& connection,
                                const std::vector<int>& columns) const {
  try {
    return connection.stream(select(columns));
  } catch (const store::QueryError& error) {
    throw unreadable(error);
  }
}

UserError TextTable::unreadable(const store::QueryError& error) const {
  if (impl_->parquet) {
    return {"parquet-damaged",
            "'" + impl_->shown_path + "' is a damaged Parquet file: " + error.message,
            "fetch the file again; nothing of it was loaded", place_at(impl_->shown_path)};
  }
  return {"csv-unreadable",
          "'" + impl_->shown_path +
              "' can't be taken apart into rows: " + std::string(first_line(error.message)),
          "look for quotes inside cells and mixed line ends", place_at(impl_->shown_path)};
}

void TextTable::check_rows_read(int64_t streamed) const {
  if (streamed == rows()) return;
  const RaggedRow* first = impl_->csv.ragged.empty() ? nullptr : &impl_->csv.ragged.front();
  const char* hint = second_bom() ? "remove the byte-order mark at the first row"
                                  : "look for quotes inside cells and mixed line ends";
  throw UserError("csv-unreadable",
                  "'" + impl_->shown_path + "' has " + std::to_string(rows()) + " rows, of which " +
                      std::to_string(streamed) + " can be told apart",
                  hint, place_at(impl_->shown_path, first != nullptr ? first->line : 0));
}

std::vector<Place> TextTable::places(const std::vector<int64_t>& rows, int column) const {
  if (!impl_->parquet) {
    const CsvLayout& csv = impl_->csv;
    std::vector<Place> places = find_places(impl_->path, impl_->shown_path, csv, rows, column);
    if (!impl_->options.of_json_lines) return places;
    for (Place& place : places) place = place_at(impl_->shown_path, place.line - 1, 1);
    return places;
  }
  std::vector<Place> places;
  for (const int64_t row : rows) places.push_back(place_at(impl_->shown_path, row + 1));
  return places;
}

Place TextTable::place(int64_t row, int column) const { return places({row}, column).front(); }

Place TextTable::header_place() const {
  const CsvLayout& csv = impl_->csv;
  if (impl_->parquet) return place_at(impl_->shown_path);
  return place_at(impl_->shown_path, csv.header_line, 1, first_line(csv.header_text));
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

UserError mapped_column_missing(const TextTable& table, std::string_view ours,
                                const std::string& wanted, const std::string& nearest,
                                const Place& place) {
  return {"missing-column",
          "'" + table.shown_path() + "' has no column '" + wanted + "', which stands for '" +
              std::string(ours) + "'; it has " + quoted_list(table.header()),
          nearest.empty() ? "name the column as the file's header does"
                          : "did you mean '" + nearest + "'?",
          place};
}

}  // namespace tare::sources
