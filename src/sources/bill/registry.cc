#include <algorithm>
#include <string>

#include "sources/bill/columns.h"
#include "sources/bill/formats.h"

namespace tare::sources {
namespace {

const BillFormat* const kFormats[] = {
    &kFocusFormat,       &kPlainBillFormat,      &kAwsCurFormat,      &kAwsCur2Format,
    &kAzureActualFormat, &kAzureAmortizedFormat, &kGcpDetailedFormat, &kOciFormat};

}  // namespace

const BillFormat* find_bill_format(std::string_view name) {
  for (const BillFormat* format : kFormats) {
    if (format->name == name) return format;
  }
  return nullptr;
}

const FormatColumn* find_format_column(const BillFormat& format, std::string_view name) {
  const std::string folded = folded_name(format, name);
  for (const FormatColumn& column : format.columns) {
    if (folded_name(format, column.name) == folded) return &column;
  }
  return nullptr;
}

}  // namespace tare::sources
