// Any bytes as a CSV text that comes in blocks, against a plain reader: the same records with the
// same cells, wherever the blocks are cut. The first byte chooses the delimiter and the blocks.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "plain_reader.h"
#include "sources/csv_scan.h"

namespace {

using tare::fuzz::PlainRow;
using tare::fuzz::PlainTable;
using tare::sources::CsvScanner;

void compare(const CsvScanner& record, char delimiter, const PlainTable& plain, size_t* rows) {
  if (record.blank()) return;
  TARE_ASSERT(*rows < plain.rows.size(), "no more records");
  const PlainRow& row = plain.rows[(*rows)++];
  TARE_ASSERT(record.cells() == row.cells.size(), "as many cells");
  TARE_ASSERT(record.broken() == row.broken, "text after a closing quote");
  const auto cells = tare::sources::split_record(record.text(), delimiter);
  if (row.broken) return;
  TARE_ASSERT(cells.size() == row.cells.size(), "as many cells apart");
  for (size_t i = 0; i < cells.size(); ++i) {
    TARE_ASSERT(cells[i].text == row.cells[i], "the same cells");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  if (count == 0) return 0;
  const char delimiter = std::string_view(",;\t|")[bytes[0] % 4];
  const size_t block_bytes = 3 + bytes[0] / 4 % 16;  // a mark comes whole
  const std::string text(bytes + 1, bytes + count);
  const PlainTable plain =
      tare::fuzz::PlainReader(tare::fuzz::without_mark(text), delimiter).read();

  CsvScanner scanner(delimiter);
  size_t rows = 0;
  for (size_t at = 0; at < text.size(); at += block_bytes) {
    std::string_view block = std::string_view(text).substr(at, block_bytes);
    while (scanner.next(block)) compare(scanner, delimiter, plain, &rows);
  }
  if (scanner.finish()) compare(scanner, delimiter, plain, &rows);
  TARE_ASSERT(scanner.unclosed() == plain.unclosed, "a quote without an end");
  TARE_ASSERT(rows == plain.rows.size(), "as many records");
  return 0;
}
