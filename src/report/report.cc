#include "report/report.h"

#include <ostream>

#include "base/errors.h"
#include "report/formats.h"

namespace tare {

std::optional<Format> parse_format(std::string_view text) {
  if (text == "text") return Format::kText;
  if (text == "json") return Format::kJson;
  if (text == "csv") return Format::kCsv;
  if (text == "md" || text == "markdown") return Format::kMarkdown;
  return std::nullopt;
}

namespace {

void check_shape(const Table& table) {
  for (const Row& row : table.rows) {
    TARE_ASSERT(row.cells.size() == table.columns.size(),
                "row '" + row_id(table, row) + "' has one cell a column");
  }
}

}  // namespace

void write(std::string& out, const Document& document, Format format, const Style& style) {
  for (const Table& table : document.tables) check_shape(table);
  switch (format) {
    case Format::kText:
      return write_text(out, document, style);
    case Format::kJson:
      return write_json(out, document);
    case Format::kCsv:
      return write_csv(out, document, style);
    case Format::kMarkdown:
      return write_markdown(out, document, style);
  }
}

void write(std::ostream& out, const Document& document, Format format, const Style& style) {
  std::string text;
  write(text, document, format, style);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string row_id(const Table& table, const Row& row) { return table.id + "/" + row.key; }

}  // namespace tare
