// JSON lines as a table: an object a line, whose wanted members become the cells of a CSV file
// beside the store. Members of members have points in their names ("usage.amount"); lists stay
// JSON.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sources/bill/native/native.h"

namespace tare::sources {

// Lines of JSON as rows of CSV, whose columns are the format's.
class JsonRows {
 public:
  explicit JsonRows(const NativeFormat& format);
  ~JsonRows();
  void append_header(std::string& csv) const;
  // A row a line, and a line a row: what is no object is one cell, in which bytes beyond ASCII are
  // '?'.
  void append_row(std::string_view line, std::string& csv);
  const std::vector<bool>& seen() const;  // by column: whether a line had it
  bool has_objects() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The CSV file of such rows.
class FlatLines {
 public:
  explicit FlatLines(std::string path) : path_(std::move(path)) {}
  FlatLines(const FlatLines&) = delete;
  FlatLines& operator=(const FlatLines&) = delete;
  ~FlatLines();  // removes the file

  // A line of it is the line before of the JSON, as it begins with a header.
  const std::string& path() const { return path_; }
  const std::string& sha256() const { return sha256_; }  // of the JSON file's bytes
  void set_sha256(std::string sha256) { sha256_ = std::move(sha256); }

 private:
  std::string path_, sha256_;
};

// Null where the file is no JSON lines: its first byte that is no space is not '{'. Of gzip too.
// Throws UserError as ByteSource does, and missing-column where no line has a column that the
// format needs, though lines could be read.
std::unique_ptr<FlatLines> flatten_json_lines(const std::string& path,
                                              const std::string& shown_path,
                                              const BillFormat& format, const Source& source,
                                              const std::string& directory);

// The names of the first line's members; none where the file is no JSON lines.
std::vector<std::string> json_line_names(const std::string& path, const std::string& shown_path);

}  // namespace tare::sources
