#include "synth/table_file.h"

#include <fmt/format.h>

namespace tare::synth {
namespace {

std::vector<store::ColumnSpec> specs_of(const std::vector<TableColumn>& columns) {
  std::vector<store::ColumnSpec> specs;
  for (const TableColumn& column : columns) {
    specs.push_back({std::string(column.name), column.kind == CellKind::kText
                                                   ? store::Type::kVarchar
                                                   : store::Type::kBigint});
  }
  return specs;
}

}  // namespace

std::string file_name(const std::string& name, FileFormat format) {
  return name + (format == FileFormat::kParquet ? ".parquet" : ".csv");
}

std::string instant_sql(const std::string& seconds, FileFormat format) {
  if (format == FileFormat::kParquet) return fmt::format("to_timestamp({})", seconds);
  return fmt::format("strftime(make_timestamp({}::BIGINT * 1000000), '%Y-%m-%dT%H:%M:%SZ')",
                     seconds);
}

std::string copy_options(FileFormat format) {
  return format == FileFormat::kParquet ? "(FORMAT parquet)" : "(FORMAT csv, HEADER)";
}

TableFile::TableFile(const Destination& to, const std::string& name,
                     const std::vector<TableColumn>& columns)
    : path_(to.folder + "/" + file_name(name, to.format)),
      to_(to),
      columns_(columns),
      scratch_(to.scratch, name),
      rows_(scratch_.table("synth_row", specs_of(columns))) {}

TableFile& TableFile::text(std::string_view value) {
  if (value.empty()) {
    rows_->set_null(cell_++);
  } else {
    rows_->set_text(cell_++, value);
  }
  return *this;
}

TableFile& TableFile::integer(std::optional<int64_t> value) {
  if (value) {
    rows_->set_i64(cell_++, *value);
  } else {
    rows_->set_null(cell_++);
  }
  return *this;
}

TableFile& TableFile::second(std::optional<int64_t> of_1970) { return integer(of_1970); }

void TableFile::end_row() {
  rows_->end_row();
  cell_ = 0;
}

int64_t TableFile::write() {
  const int64_t rows = rows_->rows();
  rows_->close();
  std::string selected;
  for (const TableColumn& column : columns_) {
    const std::string name = store::quote_identifier(column.name);
    selected += selected.empty() ? "" : ", ";
    selected += column.kind == CellKind::kInstant
                    ? fmt::format("{} AS {}", instant_sql(name, to_.format), name)
                    : name;
  }
  scratch_.query(fmt::format("COPY (SELECT {} FROM synth_row) TO {} {}", selected,
                             store::quote_text(path_), copy_options(to_.format)));
  return rows;
}

}  // namespace tare::synth
