// What a bill format says: which of a file's columns are which normal ones. A format is one file
// with such a table, and one line in registry.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace tare::sources {

// The normal columns: the texts of a line (DimColumn, at the front, in its order), then times and
// numbers, then what is only used on the way.
enum class BillColumn : uint8_t {
  kBillingCurrency,
  kBillingAccountId,
  kSubAccountId,
  kInvoiceId,
  kInvoiceIssuerName,
  kChargeCategory,
  kChargeClass,
  kServiceName,
  kServiceCategory,
  kResourceId,
  kResourceType,
  kRegionId,
  kProviderName,
  kSkuId,
  kSkuPriceId,
  kSkuPriceDetails,
  kPricingCategory,
  kCommitmentDiscountId,
  kCommitmentDiscountStatus,
  kCapacityReservationId,
  kCapacityReservationStatus,
  kConsumedUnit,
  kPricingUnit,
  kChargeDescription,
  kChargeFrequency,
  kTags,
  kRunId,
  kBillingPeriodStart,
  kBillingPeriodEnd,
  kChargePeriodStart,
  kChargePeriodEnd,
  kBilledCost,
  kEffectiveCost,
  kListCost,
  kContractedCost,
  kConsumedQuantity,
  kPricingQuantity,
  kListUnitPrice,    // checked against the list cost, and kept among the further columns
  kServiceProvider,  // FOCUS 1.3 on: stands before the provider
  kCost,             // of the plain bill: what billed and effective cost default to
  kHours,
  kRate,
  kDevices,
  kCount
};
inline constexpr size_t kBillColumns = static_cast<size_t>(BillColumn::kCount);
static_assert(static_cast<size_t>(BillColumn::kBillingPeriodStart) == kDimColumns);
static_assert(static_cast<size_t>(BillColumn::kRunId) == static_cast<size_t>(DimColumn::kRunId));
constexpr BillColumn bill_column(DimColumn column) { return static_cast<BillColumn>(column); }

struct FormatColumn {
  std::string_view name;
  BillColumn column;
  std::string_view doc;  // one line
};

struct NativeFormat;  // native/native.h

struct BillFormat {
  std::string_view name;
  std::span<const FormatColumn> columns = {};
  // Columns of makers that stand for a normal one where the file lacks it; kept under x as well.
  std::span<const FormatColumn> stand_ins = {};
  // Known further columns, kept under x by these names whatever the file's case of letters.
  std::span<const std::string_view> further = {};
  // One of each group must be there, each with all its columns.
  std::span<const std::vector<std::vector<std::string_view>>> required = {};
  bool loose_names = false;              // names match without regard to case, '_' and spaces
  bool is_plain = false;                 // the plain bill's defaults: R02, category Usage
  bool further_need_prefix = false;      // other columns without x_ are findings
  const NativeFormat* native = nullptr;  // of a provider's export: then it has the columns
};

const BillFormat* find_bill_format(std::string_view name);  // null: no bill format of ours
// The format's column of that name as a mapping in tare.yaml writes it, or null.
const FormatColumn* find_format_column(const BillFormat& format, std::string_view name);

}  // namespace tare::sources
