#include "sources/plain/formats.h"

namespace tare::sources {

std::string_view cell_text(CellType cell) {
  switch (cell) {
    case CellType::kText:
      return "a text";
    case CellType::kTime:
      return "a time, ISO 8601 or an epoch whose unit `columns` names";
    case CellType::kDay:
      return "a day such as 2026-08-01";
    case CellType::kMonth:
      return "a month such as 2026-08";
    case CellType::kCount:
      return "a whole number of zero or more";
    case CellType::kDecimal:
      return "a decimal";
    case CellType::kRatio:
      return "a decimal from 0 to 1";
    case CellType::kFraction:
      break;
  }
  return "a decimal, or a fraction such as 1/7";
}

const std::vector<const PlainFormat*>& plain_formats() {
  static const std::vector<const PlainFormat*> formats = {
      &kRunsFormat,      &kRetrainDataFormat, &kHoldsFormat,       &kReplicasFormat,
      &kResourcesFormat, &kAliasesFormat,     &kDeviceUsageFormat, &kOutcomesFormat,
      &kRequestsFormat,  &kInvoicesFormat,    &kRatesFormat,       &kRateCardFormat};
  return formats;
}

const PlainFormat* find_plain_format(std::string_view name) {
  for (const PlainFormat* format : plain_formats()) {
    if (format->name == name) return format;
  }
  return nullptr;
}

int find_column(const PlainFormat& format, std::string_view name) {
  for (size_t i = 0; i < format.columns.size(); ++i) {
    if (format.columns[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tare::sources
