// FOCUS 1.0 to 1.4, Cost and Usage (focus.finops.org), by the presence of columns and not by a
// version.
#include <array>

#include "sources/bill/formats.h"

namespace tare::sources {
namespace {

constexpr auto kFocusColumns = std::to_array<FormatColumn>({
    {"BilledCost", BillColumn::kBilledCost, "what is invoiced; a row without it is quarantined"},
    {"EffectiveCost", BillColumn::kEffectiveCost, "commitments spread onto what they covered"},
    {"ListCost", BillColumn::kListCost, "at public prices"},
    {"ContractedCost", BillColumn::kContractedCost, "at negotiated prices"},
    {"BillingCurrency", BillColumn::kBillingCurrency, "ISO 4217"},
    {"BillingPeriodStart", BillColumn::kBillingPeriodStart,
     "its month is the billing period; else the month in which the charge begins"},
    {"BillingPeriodEnd", BillColumn::kBillingPeriodEnd, "not needed: a billing period is a month"},
    {"ChargePeriodStart", BillColumn::kChargePeriodStart, "inclusive"},
    {"ChargePeriodEnd", BillColumn::kChargePeriodEnd, "exclusive"},
    {"BillingAccountId", BillColumn::kBillingAccountId, ""},
    {"SubAccountId", BillColumn::kSubAccountId, ""},
    {"InvoiceId", BillColumn::kInvoiceId, "from 1.2 on"},
    {"InvoiceIssuerName", BillColumn::kInvoiceIssuerName, ""},
    {"ChargeCategory", BillColumn::kChargeCategory,
     "Usage, Purchase, Tax, Credit or Adjustment in any case of letters; else Adjustment"},
    {"ChargeClass", BillColumn::kChargeClass, "empty or Correction"},
    {"ChargeDescription", BillColumn::kChargeDescription, ""},
    {"ChargeFrequency", BillColumn::kChargeFrequency, ""},
    {"ServiceName", BillColumn::kServiceName, ""},
    {"ServiceCategory", BillColumn::kServiceCategory, ""},
    {"ResourceId", BillColumn::kResourceId, ""},
    {"ResourceType", BillColumn::kResourceType, ""},
    {"RegionId", BillColumn::kRegionId, ""},
    {"ServiceProviderName", BillColumn::kServiceProvider, "from 1.3 on; the provider"},
    {"ProviderName", BillColumn::kProviderName, "up to 1.3; the provider otherwise"},
    {"SkuId", BillColumn::kSkuId, ""},
    {"SkuPriceId", BillColumn::kSkuPriceId, ""},
    {"SkuPriceDetails", BillColumn::kSkuPriceDetails, "from 1.2 on; JSON text"},
    {"PricingCategory", BillColumn::kPricingCategory, ""},
    {"PricingQuantity", BillColumn::kPricingQuantity, ""},
    {"PricingUnit", BillColumn::kPricingUnit, ""},
    {"ListUnitPrice", BillColumn::kListUnitPrice, "checked: times PricingQuantity is ListCost"},
    {"CommitmentDiscountId", BillColumn::kCommitmentDiscountId, ""},
    {"CommitmentDiscountStatus", BillColumn::kCommitmentDiscountStatus, "Used or Unused"},
    {"CapacityReservationId", BillColumn::kCapacityReservationId, "from 1.1 on"},
    {"CapacityReservationStatus", BillColumn::kCapacityReservationStatus, "Used or Unused"},
    {"ConsumedQuantity", BillColumn::kConsumedQuantity, ""},
    {"ConsumedUnit", BillColumn::kConsumedUnit, ""},
    {"Tags", BillColumn::kTags, "a JSON object; keys are kept as they are"},
});

// Azure's export has the details of a SKU under this name only.
constexpr auto kFocusStandIns = std::to_array<FormatColumn>({
    {"x_SkuDetails", BillColumn::kSkuPriceDetails, "Azure's, where SkuPriceDetails is absent"},
});

constexpr auto kFurther = std::to_array<std::string_view>({
    "AllocatedMethodDetails",
    "AllocatedMethodId",
    "AllocatedResourceId",
    "AllocatedResourceName",
    "AllocatedTags",
    "AvailabilityZone",
    "BillingAccountName",
    "BillingAccountType",
    "CommitmentDiscountCategory",
    "CommitmentDiscountName",
    "CommitmentDiscountQuantity",
    "CommitmentDiscountType",
    "CommitmentDiscountUnit",
    "CommitmentProgramEligibilityDetails",
    "ContractApplied",
    "ContractedUnitPrice",
    "HostProviderName",
    "InvoiceDetailId",
    "PricingCurrency",
    "PricingCurrencyContractedUnitPrice",
    "PricingCurrencyEffectiveCost",
    "PricingCurrencyListUnitPrice",
    "PublisherName",
    "RegionName",
    "ResourceName",
    "ServiceSubcategory",
    "SkuMeter",
    "SubAccountName",
    "SubAccountType",
});

const std::vector<std::vector<std::string_view>> kFocusRequired[] = {
    {{"BilledCost"}}, {{"BillingCurrency"}}, {{"ChargePeriodStart"}}, {{"ChargePeriodEnd"}}};

}  // namespace

const BillFormat kFocusFormat = {.name = "focus",
                                 .columns = kFocusColumns,
                                 .stand_ins = kFocusStandIns,
                                 .further = kFurther,
                                 .required = kFocusRequired,
                                 .loose_names = true,
                                 .is_plain = false,
                                 .further_need_prefix = true};

}  // namespace tare::sources
