// Findings of an open store, summed, the costliest first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/findings.h"
#include "measures/traced.h"
#include "store/store.h"

namespace tare::measures {

struct FindingSum {
  std::string code, source, subject;  // source and subject empty where summed by code
  int64_t rows = 0;
  std::map<std::string, Money> cost;  // by currency
};

// By code, or with `code` that code's sources and subjects. The costliest in `currency` first (by
// magnitude), then the costliest in others, then by code, source and subject.
std::vector<FindingSum> read_findings(store::Store& store, const std::string& currency,
                                      const std::string& code);

// The kind of a finding, or none where another version of tare wrote it.
const FindingKind* known_kind(std::string_view code);

// "12.00 EUR, 3.10 GBP": the money in other currencies than `currency`.
std::string other_money(const FindingSum& finding, const std::string& currency);

}  // namespace tare::measures
