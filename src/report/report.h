// Result tables to text, JSON, CSV and Markdown. A report formats and never computes: of a number
// it decides only the digits that are shown, and those so that shown parts sum to shown totals
// (report/shown_numbers.h). JSON and CSV are exact.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "base/table.h"

namespace tare {

enum class Format : uint8_t { kText, kJson, kCsv, kMarkdown };
std::optional<Format> parse_format(std::string_view text);  // "text", "json", "csv", "md"

struct Style {
  bool colour = false;  // bold titles and totals, in text only
  bool ids = false;     // the rows' ids in text, CSV and Markdown; JSON has every figure's always
  int width = 100;      // of text, in code points; numbers are never cut for it. 0: no limit
};

// Appends the document to `out`; every format ends in a newline, and is valid whatever bytes names
// are made of. Asserts that each row has one cell a column.
//
// JSON: {"schema_version", "command", "facts": {}, "tables": [{"id", "title", "columns": [{"name",
//   "heading"}], "rows": [{"key", "depth", "total", "adds_up", "cells": {}, "ids": {}, "note"}],
//   "notes": []}], "notes": []}. "total", "adds_up": false, "note" and "notes" stand only where
//   they say something. Cells by kind: unknown null; money and a price (rounded half even at 18
//   decimals) a string; a ratio {"value" (rounded half even at 9 decimals), "numerator",
//   "denominator"} of strings; a range {"low", "high"}; a lower bound {"above"}; device time an
//   integer of nanoseconds. Bytes that are not UTF-8 become the text \xNN.
// CSV: RFC 4180 with LF line ends; numbers as in JSON, a ratio by its value, a range "low..high", a
//   lower bound ">amount", unknown empty. After the table's columns come row_key and row_level (the
//   depth, "total" or "thereof"), without which no program could know which rows to add. Texts that
//   a spreadsheet would take for a formula get a leading apostrophe. Where a document has several
//   tables, each begins with a line "# <id>", and an empty line stands between them.
void write(std::string& out, const Document& document, Format format, const Style& style = {});
void write(std::ostream& out, const Document& document, Format format, const Style& style = {});

}  // namespace tare
