// Files of a made world, Parquet or CSV, written by DuckDB: rows go into a scratch table first,
// which is gone when the file stands. One thread; several files may be written at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"
#include "synth/world.h"

namespace tare::synth {

enum class CellKind : uint8_t { kText, kInteger, kInstant };  // an instant: seconds of 1970

struct TableColumn {
  std::string_view name;
  CellKind kind = CellKind::kText;
};

// Where files go: `folder`/<name>.parquet or .csv. `scratch` is a folder of ours.
struct Destination {
  std::string folder, scratch;
  FileFormat format = FileFormat::kParquet;
};

class TableFile {
 public:
  // `name` is unique among files that are open at once.
  TableFile(const Destination& to, const std::string& name,
            const std::vector<TableColumn>& columns);
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  // The row's cells from the first column on.
  TableFile& text(std::string_view value);  // "": null
  TableFile& integer(std::optional<int64_t> value);
  TableFile& second(std::optional<int64_t> of_1970);
  void end_row();
  int64_t write();  // the file stands; returns its rows

 private:
  std::string path_;
  Destination to_;
  std::vector<TableColumn> columns_;
  store::FileWriter scratch_;
  std::optional<store::TableWriter> rows_;
  size_t cell_ = 0;
};

std::string file_name(const std::string& name, FileFormat format);
// SQL that makes the file's instant of a count of seconds.
std::string instant_sql(const std::string& seconds, FileFormat format);
// The end of a COPY statement.
std::string copy_options(FileFormat format);

}  // namespace tare::synth
