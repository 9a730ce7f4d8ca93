#include <algorithm>

#include "sources/byte_source.h"
#include "sources/csv_scan.h"
#include "sources/init.h"
#include "sources/text_table.h"

namespace tare::sources {
namespace {

constexpr int64_t kMaxParquetRows = 20'000;

// Where each wanted column stands in the header, or -1.
std::vector<int> positions(const std::vector<std::string>& header,
                           const std::vector<std::string>& columns) {
  std::vector<int> found;
  for (const std::string& column : columns) {
    const auto at = std::find(header.begin(), header.end(), column);
    found.push_back(at == header.end() ? -1 : static_cast<int>(at - header.begin()));
  }
  return found;
}

std::vector<std::vector<std::string>> sample_csv(const std::string& path, const TextTable& table,
                                                 const std::vector<int>& wanted) {
  std::vector<std::vector<std::string>> rows;
  ByteSource bytes(path, path, false);
  std::string_view block = bytes.next();
  CsvScanner scanner(table.delimiter());
  bool header = true;
  while (scanner.next(block)) {
    if (scanner.blank()) continue;
    if (header) {
      header = false;
      continue;
    }
    const std::vector<CsvCell> cells = split_record(scanner.text(), table.delimiter());
    std::vector<std::string>& row = rows.emplace_back();
    for (const int column : wanted) {
      const bool there = column >= 0 && static_cast<size_t>(column) < cells.size();
      row.emplace_back(there ? trim(cells[static_cast<size_t>(column)].text) : "");
    }
  }
  return rows;
}

std::vector<std::vector<std::string>> sample_parquet(const std::string& path,
                                                     const std::vector<int>& wanted) {
  std::vector<int> present;
  for (const int column : wanted) {
    if (column >= 0) present.push_back(column);
  }
  std::vector<std::vector<std::string>> rows;
  if (present.empty()) return rows;
  const TextTable table = TextTable::open(path, path);
  store::Database database;
  store::Connection connection = database.connect();
  store::Stream stream = table.stream(connection, present);
  while (const store::Chunk* chunk = stream.next()) {
    for (size_t at = 0; at < chunk->rows(); ++at) {
      std::vector<std::string>& row = rows.emplace_back();
      size_t column = 0;
      for (const int position : wanted) {
        const bool there = position >= 0 && chunk->valid(column, at);
        row.emplace_back(there ? trim(chunk->text(column, at)) : "");
        if (position >= 0) ++column;
      }
    }
    if (static_cast<int64_t>(rows.size()) >= kMaxParquetRows) break;
  }
  return rows;
}

}  // namespace

std::vector<std::vector<std::string>> sample_rows(const std::string& path,
                                                  const std::vector<std::string>& columns) {
  try {
    const TextTable table = TextTable::peek(path, path);
    const std::vector<int> wanted = positions(table.header(), columns);
    return table.is_parquet() ? sample_parquet(path, wanted) : sample_csv(path, table, wanted);
  } catch (const UserError&) {
    return {};  // a file that can't be read through says nothing here; tare load says why
  } catch (const store::QueryError&) {
    return {};
  }
}

}  // namespace tare::sources
