// One bill row on its way from cells to a line: what was read of it, and what is wrong with it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/instant.h"
#include "base/money.h"
#include "sources/bill/format.h"
#include "store/store.h"

namespace tare::sources {

// What is counted per used row; one bit each.
enum class BillFinding : uint8_t {
  kBillingPeriodMismatch,
  kBillingPeriodMissing,
  kChargeCategoryCase,
  kChargeCategoryUnknown,
  kChargeClassUnknown,
  kContractedOverList,
  kCostStoredAsDouble,
  kContractedUnreadable,
  kEffectiveUnreadable,
  kListUnreadable,
  kCurrencyMixed,
  kDecimalRounded,
  kEffectiveMissing,
  kEffectiveZero,
  kListCostDefaulted,
  kListPriceMismatch,
  kLiteralNull,
  kNegativeUsage,
  kConsumedUnreadable,
  kPricingUnreadable,
  kUnitPriceUnreadable,
  kHoursUnreadable,
  kRateUnreadable,
  kDevicesUnreadable,
  kTagKeyUntrimmed,
  kTagsUnreadable,
  kTimeZoneMissing,
  kTimestampNotIso,
  kUnknownCurrency,
  kCount
};
inline constexpr size_t kBillFindings = static_cast<size_t>(BillFinding::kCount);

struct BillFindingKind {
  std::string_view code;     // of the registry of findings
  std::string_view subject;  // the column, where a code has several
};
const BillFindingKind& bill_finding_kind(BillFinding finding);

class FindingBits {
 public:
  void set(BillFinding finding) { bits_ |= uint64_t{1} << static_cast<unsigned>(finding); }
  void set_if(bool condition, BillFinding finding) {
    if (condition) set(finding);
  }
  bool has(BillFinding finding) const {
    return ((bits_ >> static_cast<unsigned>(finding)) & 1) != 0;
  }
  FindingBits& operator|=(FindingBits other) {
    bits_ |= other.bits_;
    return *this;
  }
  uint64_t bits() const { return bits_; }

 private:
  uint64_t bits_ = 0;
};
static_assert(kBillFindings <= 64);

// Why a row can't be used, in the order in which it is looked for.
enum class Reject : uint8_t {
  kNone,
  kCostMissing,
  kCostNotDecimal,
  kCurrencyMissing,
  kPeriodUnreadable,
  kPeriodReversed,
};
std::string_view reject_code(Reject reject);

struct BillRow {
  int64_t file_row = 0;  // of the stream, from 0
  int64_t start_ns = 0, end_ns = 0;
  bool start_known = false;
  std::optional<Month> period;  // empty: neither a billing period nor a start could be read
  Costs costs;                  // readable ones, of rejected rows too
  std::optional<Money> consumed, pricing;
  std::optional<int64_t> devices;
  Money list_difference;  // |list cost - list unit price × quantity|, of kListPriceMismatch
  FindingBits findings;
  Reject reject = Reject::kNone;
  int reject_column = -1;  // of the file

  const std::optional<Money>& cost(CostColumn column) const {
    return costs[static_cast<size_t>(column)];
  }
};

}  // namespace tare::sources
