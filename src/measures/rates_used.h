// Which exchange rates stand behind converted money, wherever that is told.
#pragma once

#include <string>
#include <vector>

#include "measures/report_parts.h"

namespace tare::measures {

struct UsedRate {
  std::string from, to;  // the line's currency, the project's
  int64_t day_ns = 0;
  Money given;
  bool inverse = false;  // the file gives it from `to` to `from`
};
// As the file gives it: "1 EUR = 1.1 USD of 2026-08-01".
std::string rate_text(const UsedRate& rate);

// A sentence for each currency that was converted, of billing periods or of usage months.
// `condition` is SQL over store_conversion.
std::vector<std::string> conversion_notes(store::Connection& connection,
                                          const std::string& condition,
                                          const std::string& currency);

}  // namespace tare::measures
