// FOCUS 1.0 to 1.4, Cost and Usage (focus.finops.org), by the presence of columns and not by a
// version.
#include <array>

#include "sources/bill/formats.h"

namespace tare::sources {
namespace {

constexpr auto kColumns = std::to_array<FormatColumn>({
    {"BilledCost", BillColumn::kBilledCost, "what is invoiced; a row without it is quarantined"},
    {"EffectiveCost", BillColumn::kEffectiveCost, "commitments spread onto what they covered"},
    {"ListCost", BillColumn::kListCost, "at public prices"},
    {"ContractedCost", BillColumn::kContractedCost, "at negotiated prices"},
    {"BillingCurrency", bill_column(DimColumn::kBillingCurrency), "ISO 4217"},
    {"BillingPeriodStart", BillColumn::kBillingPeriodStart,
     "its month is the billing period; else the month in which the charge begins"},
    {"BillingPeriodEnd", BillColumn::kBillingPeriodEnd, "not needed: a billing period is a month"},
    {"ChargePeriodStart", BillColumn::kChargePeriodStart, "inclusive"},
    {"ChargePeriodEnd", BillColumn::kChargePeriodEnd, "exclusive"},
    {"BillingAccountId", bill_column(DimColumn::kBillingAccountId), ""},
    {"SubAccountId", bill_column(DimColumn::kSubAccountId), ""},
    {"InvoiceId", bill_column(DimColumn::kInvoiceId), "from 1.2 on"},
    {"InvoiceIssuerName", bill_column(DimColumn::kInvoiceIssuerName), ""},
    {"ChargeCategory", bill_column(DimColumn::kChargeCategory),
     "Usage, Purchase, Tax, Credit or Adjustment in any case of letters; else Adjustment"},
    {"ChargeClass", bill_column(DimColumn::kChargeClass), "empty or Correction"},
    {"ChargeDescription", bill_column(DimColumn::kChargeDescription), ""},
    {"ChargeFrequency", bill_column(DimColumn::kChargeFrequency), ""},
    {"ServiceName", bill_column(DimColumn::kServiceName), ""},
    {"ServiceCategory", bill_column(DimColumn::kServiceCategory), ""},
    {"ResourceId", bill_column(DimColumn::kResourceId), ""},
    {"ResourceType", bill_column(DimColumn::kResourceType), ""},
    {"RegionId", bill_column(DimColumn::kRegionId), ""},
    {"ServiceProviderName", BillColumn::kServiceProvider, "from 1.3 on; the provider"},
    {"ProviderName", bill_column(DimColumn::kProviderName), "up to 1.3; the provider otherwise"},
    {"SkuId", bill_column(DimColumn::kSkuId), ""},
    {"SkuPriceId", bill_column(DimColumn::kSkuPriceId), ""},
    {"SkuPriceDetails", bill_column(DimColumn::kSkuPriceDetails), "from 1.2 on; JSON text"},
    {"PricingCategory", bill_column(DimColumn::kPricingCategory), ""},
    {"PricingQuantity", BillColumn::kPricingQuantity, ""},
    {"PricingUnit", bill_column(DimColumn::kPricingUnit), ""},
    {"ListUnitPrice", BillColumn::kListUnitPrice, "checked: times PricingQuantity is ListCost"},
    {"CommitmentDiscountId", bill_column(DimColumn::kCommitmentDiscountId), ""},
    {"CommitmentDiscountStatus", bill_column(DimColumn::kCommitmentDiscountStatus),
     "Used or Unused"},
    {"CapacityReservationId", bill_column(DimColumn::kCapacityReservationId), "from 1.1 on"},
    {"CapacityReservationStatus", bill_column(DimColumn::kCapacityReservationStatus),
     "Used or Unused"},
    {"ConsumedQuantity", BillColumn::kConsumedQuantity, ""},
    {"ConsumedUnit", bill_column(DimColumn::kConsumedUnit), ""},
    {"Tags", bill_column(DimColumn::kTags), "a JSON object; keys are kept as they are"},
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

const std::vector<std::vector<std::string_view>> kRequired[] = {
    {{"BilledCost"}}, {{"BillingCurrency"}}, {{"ChargePeriodStart"}}, {{"ChargePeriodEnd"}}};

}  // namespace

const BillFormat kFocusFormat = {.name = "focus",
                                 .columns = kColumns,
                                 .further = kFurther,
                                 .required = kRequired,
                                 .loose_names = true,
                                 .is_plain = false,
                                 .further_need_prefix = true};

}  // namespace tare::sources
