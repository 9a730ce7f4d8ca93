// What each column of our tables means and how it is computed: `tare explain` prints it, and
// docs/measures.md holds every entry.
#pragma once

#include <span>
#include <string_view>

#include "base/table.h"

namespace tare::measures {

// What `tare explain` shows behind a figure of a column.
enum class Lineage : uint8_t {
  kMoney,   // the row's postings in the period
  kBilled,  // the same, each at its billed cost; kEffective, kList, kContracted alike
  kEffective,
  kList,
  kContracted,
  kOwnBilled,    // the same, where the figure is in the bill's own currency
  kMoneyBefore,  // the row's postings in the period before
  kTime,         // the row's device time in the period
  kIdle,         // how idle money was spread
  kMoneyAndIdle,
  kRetrains,  // postings, and the runs that were counted
  kOutcomes,  // postings, and the outcomes that were counted
  kNone,      // nothing that a posting stands behind
};

struct Meaning {
  std::string_view table;  // TracedTable::kind
  std::string_view column;
  std::string_view meaning;
  std::string_view formula;
  Lineage lineage = Lineage::kNone;
};
std::span<const Meaning> meanings();

// Null where a column is no figure (a label, a word).
const Meaning* find_meaning(std::string_view table, std::string_view column);

// A cell's exact value, in words: "12.5 USD", "1/3 (33.3 %)", "from 1 to 2", "7200 s of device
// time".
std::string exact_text(const Value& value);

}  // namespace tare::measures
