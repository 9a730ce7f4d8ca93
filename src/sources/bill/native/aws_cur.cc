// AWS Cost and Usage Reports: the legacy one (slashes in CSV, underscores in Parquet) and 2.0
// (maps). What a row costs by its line item type follows AWS's own summary view of amortised costs
// (aws-solutions-library-samples, cloud-intelligence-dashboards, summary_view): usage that a plan
// or reservation covers counts at its effective cost, what covers counts as a purchase, and what of
// it was not used is usage of the commitment itself.
#include <algorithm>
#include <array>

#include "sources/bill/formats.h"
#include "sources/bill/native/cells.h"
#include "sources/bill/native/native.h"

namespace tare::sources {
namespace {

enum Cur : size_t {
  kCurInvoice,
  kCurIssuer,
  kCurPayer,
  kCurPeriod,
  kCurAccount,
  kCurType,
  kCurStart,
  kCurEnd,
  kCurProductCode,
  kCurUsageType,
  kCurResource,
  kCurAmount,
  kCurCurrency,
  kCurCost,
  kCurNetCost,
  kCurDescription,
  kCurProductName,
  kCurFamily,
  kCurInstanceType,
  kCurGpu,
  kCurVcpu,
  kCurMemory,
  kCurRegion,
  kCurSku,
  kCurRateCode,
  kCurListCost,
  kCurTerm,
  kCurUnit,
  kCurReservation,
  kCurReservationCost,
  kCurNetReservationCost,
  kCurUnusedUpfront,
  kCurNetUnusedUpfront,
  kCurUnusedRecurring,
  kCurNetUnusedRecurring,
  kCurPlan,
  kCurPlanCost,
  kCurNetPlanCost,
  kCurPlanCommitment,
  kCurPlanUsed,
  kCurCapacity,
  kCurCapacityStatus,
  kCurTags,
  kCurProduct,
  kCurSplitParent,
  kCurOperation,
  kCurZone,
  kCurBillType,
  kCurTaxType,
  kCurColumns
};

constexpr auto kCurColumnTable = std::to_array<NativeColumn>({
    {"bill/InvoiceId", "the invoice; empty until it is issued"},
    {"bill/InvoicingEntity|bill/BillingEntity", "the issuer of the invoice"},
    {"bill/PayerAccountId", "the billing account"},
    {"bill/BillingPeriodStartDate", "its month is the billing period"},
    {"lineItem/UsageAccountId", "the sub account"},
    {"lineItem/LineItemType", "decides what the row costs"},
    {"lineItem/UsageStartDate", "UTC"},
    {"lineItem/UsageEndDate", "UTC, exclusive"},
    {"lineItem/ProductCode", "the service where the product has no name"},
    {"lineItem/UsageType", "names the instance type where no column does; UnusedBox, Spot"},
    {"lineItem/ResourceId", ""},
    {"lineItem/UsageAmount", "counts for Usage, DiscountedUsage and SavingsPlanCoveredUsage only"},
    {"lineItem/CurrencyCode", "ISO 4217"},
    {"lineItem/UnblendedCost", "the billed cost"},
    {"lineItem/NetUnblendedCost", "the billed cost where the export has it"},
    {"lineItem/LineItemDescription", ""},
    {"product/ProductName", "the service"},
    {"product/productFamily", "the service's category"},
    {"product/instanceType", "of the price details"},
    {"product/gpu", "devices, of the price details"},
    {"product/vcpu", "CPUs, of the price details"},
    {"product/memory", "of the price details"},
    {"product/regionCode|product/region", "the region"},
    {"product/sku", "the SKU"},
    {"pricing/RateCode", "the SKU's price"},
    {"pricing/publicOnDemandCost", "the list cost of usage"},
    {"pricing/term", "OnDemand, Reserved or Spot"},
    {"pricing/unit", "of the consumed quantity"},
    {"reservation/ReservationARN", "the commitment"},
    {"reservation/EffectiveCost", "of what a reservation covered"},
    {"reservation/NetEffectiveCost", "the same, where the export has it"},
    {"reservation/UnusedAmortizedUpfrontFeeForBillingPeriod", "of a reservation's unused part"},
    {"reservation/NetUnusedAmortizedUpfrontFeeForBillingPeriod", "the same, net"},
    {"reservation/UnusedRecurringFee", "of a reservation's unused part"},
    {"reservation/NetUnusedRecurringFee", "the same, net"},
    {"savingsPlan/SavingsPlanARN", "the commitment"},
    {"savingsPlan/SavingsPlanEffectiveCost", "of what a plan covered"},
    {"savingsPlan/NetSavingsPlanEffectiveCost", "the same, where the export has it"},
    {"savingsPlan/TotalCommitmentToDate", "of a plan's hour"},
    {"savingsPlan/UsedCommitment", "of a plan's hour; the rest is unused"},
    {"capacityReservation/CapacityReservationArn|capacity_reservation_capacity_reservation_arn|"
     "lineItem/CapacityReservationArn",
     "the capacity reservation"},
    {"capacityReservation/CapacityReservationStatus|"
     "capacity_reservation_capacity_reservation_status",
     "Used or Unused"},
    {"resource_tags", "tags as a map; else a column for each"},
    {"product", "2.0: what has no column of its own"},
    {"splitLineItem/ParentResourceId", "a row with it is a share of another row's charge"},
    {"lineItem/Operation", ""},
    {"lineItem/AvailabilityZone", ""},
    {"bill/BillType", ""},
    {"lineItem/TaxType", ""},
});
static_assert(kCurColumnTable.size() == kCurColumns);

constexpr auto kCurNeeded =
    std::to_array<size_t>({kCurType, kCurStart, kCurEnd, kCurCost, kCurCurrency, kCurPeriod});
constexpr auto kCurTagPrefixes = std::to_array<std::string_view>(
    {"resourceTags/", "resource_tags_", "costCategory/", "cost_category_"});
constexpr auto kCurOrigins = std::to_array<NativeFormat::Origin>({
    {BillColumn::kBilledCost, kCurCost},
    {BillColumn::kEffectiveCost, kCurCost},
    {BillColumn::kListCost, kCurListCost},
    {BillColumn::kBillingCurrency, kCurCurrency},
    {BillColumn::kBillingPeriodStart, kCurPeriod},
    {BillColumn::kChargePeriodStart, kCurStart},
    {BillColumn::kChargePeriodEnd, kCurEnd},
    {BillColumn::kChargeCategory, kCurType},
    {BillColumn::kConsumedQuantity, kCurAmount},
    {BillColumn::kTags, kCurTags},
});
constexpr auto kCurKept = std::to_array<NativeFormat::Kept>({
    {"AvailabilityZone", kCurZone},
    {"x_BillType", kCurBillType},
    {"x_LineItemType", kCurType},
    {"x_Operation", kCurOperation},
    {"x_ParentResourceId", kCurSplitParent},
    {"x_TaxType", kCurTaxType},
    {"x_UsageType", kCurUsageType},
});

enum class CurKind : uint8_t {
  kUsage,
  kReserved,     // usage that a reservation covers
  kPlanned,      // usage that a savings plan covers
  kNegation,     // takes the on-demand price of planned usage back
  kReservedFee,  // of a reservation's hours, used or not
  kPlannedFee,
  kUpfrontFee,  // spread over the term by the fees above
  kFee,
  kDiscount,  // EDP, private rates, bundles: usage without a quantity
  kRefund,
  kTax,
  kCredit,
  kOther
};

CurKind kind_of(std::string_view type) {
  static constexpr std::pair<std::string_view, CurKind> kKinds[] = {
      {"Usage", CurKind::kUsage},
      {"DiscountedUsage", CurKind::kReserved},
      {"SavingsPlanCoveredUsage", CurKind::kPlanned},
      {"SavingsPlanNegation", CurKind::kNegation},
      {"RIFee", CurKind::kReservedFee},
      {"SavingsPlanRecurringFee", CurKind::kPlannedFee},
      {"SavingsPlanUpfrontFee", CurKind::kUpfrontFee},
      {"Fee", CurKind::kFee},
      {"Refund", CurKind::kRefund},
      {"Tax", CurKind::kTax},
      {"Credit", CurKind::kCredit},
  };
  for (const auto& [name, kind] : kKinds) {
    if (type == name) return kind;
  }
  // EdpDiscount, PrivateRateDiscount, BundledDiscount, SppDiscount, RiVolumeDiscount, ...
  return type.ends_with("Discount") ? CurKind::kDiscount : CurKind::kOther;
}

std::string_view category_of(std::string_view family, std::string_view product_code) {
  static constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {
      {"Compute Instance", "Compute"}, {"Compute", "Compute"},
      {"Dedicated Host", "Compute"},   {"ML Instance", "AI and Machine Learning"},
      {"Storage", "Storage"},          {"Database", "Databases"},
      {"Data Transfer", "Networking"}, {"NAT Gateway", "Networking"},
      {"Load Balancer", "Networking"}, {"IP Address", "Networking"},
      {"Serverless", "Compute"},
  };
  if (product_code == "AmazonSageMaker") return "AI and Machine Learning";
  for (const auto& [word, category] : kFamilies) {
    if (family.find(word) != std::string_view::npos) return category;
  }
  if (family.empty()) return {};  // not said
  return "Other";
}

// "USE1-Cluster:ml.p4d.24xlarge" names its type after the colon; one has a point in it.
std::string_view type_in_usage(std::string_view usage_type) {
  const size_t colon = usage_type.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view type = usage_type.substr(colon + 1);
  return type.find('.') == std::string_view::npos ? std::string_view() : type;
}

class CurMapper : public NativeMapper {
 public:
  CurMapper(const NativeColumns&, Netting& netting) : netting_(netting) {}

  void begin_chunk() override {
    for (MadeTexts* texts : {&times_, &details_, &products_}) texts->trim_to_size();
    tags_.trim_to_size();
  }

  void map(const NativeRow& row, Charges& out) override {
    const CurKind kind = kind_of(row[kCurType]);
    const std::string_view billed = row[kCurNetCost].empty() ? row[kCurCost] : row[kCurNetCost];
    const Amount cost = amount_of(billed);
    if (is_split_share(row, cost)) return;
    if (kind == CurKind::kNegation && cost.money) {
      net(row, *cost.money);
      return;
    }
    out.add(row);
    set_words(row, kind, out);
    out.set(BillColumn::kBilledCost, billed);
    if (!cost.money) return;
    set_costs(row, kind, *cost.money, out);
  }

 private:
  // Its parent is billed whole in a row of its own, and what the shares are is said elsewhere.
  static bool is_split_share(const NativeRow& row, const Amount& cost) {
    return !row[kCurSplitParent].empty() && cost.ok && cost.or_zero().is_zero();
  }

  static std::string_view commitment_of(const NativeRow& row) {
    return row[kCurPlan].empty() ? row[kCurReservation] : row[kCurPlan];
  }

  void net(const NativeRow& row, Money amount) {
    const std::string period = month_start_text(row[kCurPeriod]);
    const auto month = parse_month(std::string_view(period).substr(0, 7));
    if (!month) return;
    Netting::Words words = {
        {BillColumn::kBillingPeriodStart, period},
        {BillColumn::kChargePeriodStart, utc_text(row[kCurStart])},
        {BillColumn::kChargePeriodEnd, utc_text(row[kCurEnd])},
        {BillColumn::kBillingCurrency, std::string(row[kCurCurrency])},
        {BillColumn::kBillingAccountId, std::string(row[kCurPayer])},
        {BillColumn::kSubAccountId, std::string(row[kCurAccount])},
        {BillColumn::kInvoiceId, std::string(row[kCurInvoice])},
        {BillColumn::kInvoiceIssuerName, std::string(row[kCurIssuer])},
        {BillColumn::kServiceName, std::string(row[kCurProductCode])},
        {BillColumn::kSkuId, std::string(row[kCurUsageType])},
        {BillColumn::kChargeDescription,
         "covered by " + std::string(row[kCurPlan]) + ", and not taken back in full"},
    };
    netting_.add(*month, words, amount);
  }

  void set_words(const NativeRow& row, CurKind kind, Charges& out) {
    const std::string_view usage_type = row[kCurUsageType];
    const auto time = [&](size_t column) {
      return times_.find(row[column], [](std::string_view cell) { return utc_text(cell); });
    };
    // A time that can't be read stands as it is, so that the row is quarantined with it.
    const auto set_time = [&](BillColumn to, size_t column) {
      const std::string_view text = time(column);
      out.set(to, text.empty() ? row[column] : text);
    };
    set_time(BillColumn::kBillingPeriodStart, kCurPeriod);
    set_time(BillColumn::kChargePeriodStart, kCurStart);
    set_time(BillColumn::kChargePeriodEnd, kCurEnd);
    out.set(BillColumn::kBillingCurrency, row[kCurCurrency]);
    out.set(BillColumn::kBillingAccountId, row[kCurPayer]);
    out.set(BillColumn::kSubAccountId, row[kCurAccount]);
    out.set(BillColumn::kInvoiceId, row[kCurInvoice]);
    out.set(BillColumn::kInvoiceIssuerName, row[kCurIssuer]);
    out.set(BillColumn::kProviderName, "AWS");
    out.set(BillColumn::kChargeCategory, charge_category(row, kind));
    const std::string_view name = named(row, kCurProductName, "product_name");
    out.set(BillColumn::kServiceName, name.empty() ? row[kCurProductCode] : name);
    out.set(BillColumn::kServiceCategory,
            category_of(named(row, kCurFamily, "product_family"), row[kCurProductCode]));
    out.set(BillColumn::kResourceId, row[kCurResource]);
    out.set(BillColumn::kRegionId, named(row, kCurRegion, "region"));
    const std::string_view sku = named(row, kCurSku, "sku");
    out.set(BillColumn::kSkuId, sku.empty() ? usage_type : sku);
    out.set(BillColumn::kSkuPriceId, row[kCurRateCode]);
    out.set(BillColumn::kChargeDescription, row[kCurDescription]);
    set_details(row, out);
    set_pricing(row, kind, out);
    set_capacity(row, out);
    set_tags(row, out);
  }

  // 2.0 keeps most of the product in a map.
  std::string_view named(const NativeRow& row, size_t column, std::string_view key) {
    if (!row[column].empty() || row[kCurProduct].empty()) return row[column];
    lookup_ = std::string(key) + '\n';
    lookup_ += row[kCurProduct];
    return products_.find(lookup_, [&](std::string_view) {
      const auto records = json_records(row[kCurProduct]);
      return records && !records->empty() ? std::string(member(records->front(), key))
                                          : std::string();
    });
  }

  static std::string_view charge_category(const NativeRow& row, CurKind kind) {
    switch (kind) {
      case CurKind::kUsage:
      case CurKind::kReserved:
      case CurKind::kPlanned:
      case CurKind::kDiscount:
        return "Usage";
      case CurKind::kReservedFee:
      case CurKind::kPlannedFee:
      case CurKind::kUpfrontFee:
      case CurKind::kFee:
        return "Purchase";
      case CurKind::kRefund:
        if (!commitment_of(row).empty()) return "Purchase";
        return row[kCurUsageType].empty() ? "Adjustment" : "Usage";
      case CurKind::kTax:
        return "Tax";
      case CurKind::kCredit:
        return "Credit";
      case CurKind::kNegation:
        return "Adjustment";
      case CurKind::kOther:
        break;
    }
    return row[kCurType];
  }

  void set_details(const NativeRow& row, Charges& out) {
    std::string_view type = named(row, kCurInstanceType, "instance_type");
    if (type.empty()) type = type_in_usage(row[kCurUsageType]);
    const std::string_view gpu = named(row, kCurGpu, "gpu");
    const std::string_view vcpu = named(row, kCurVcpu, "vcpu");
    const std::string_view memory = named(row, kCurMemory, "memory");
    if (type.empty() && gpu.empty()) return;
    std::string key;
    for (const std::string_view part : {type, gpu, vcpu, memory}) key.append(part) += '\n';
    out.set(BillColumn::kSkuPriceDetails, details_.find(key, [&](std::string_view) {
      return json_details({{"InstanceType", std::string(type)},
                           {"GpuCount", std::string(gpu)},
                           {"CoreCount", std::string(vcpu)},
                           {"MemorySize", std::string(memory)}});
    }));
  }

  static void set_pricing(const NativeRow& row, CurKind kind, Charges& out) {
    const bool committed = kind == CurKind::kReserved || kind == CurKind::kPlanned;
    const std::string_view usage_type = row[kCurUsageType];
    const bool spot = usage_type.find("Spot") != std::string_view::npos || row[kCurTerm] == "Spot";
    out.set(BillColumn::kPricingCategory, committed ? std::string_view("Committed")
                                          : spot    ? std::string_view("Dynamic")
                                          : row[kCurTerm] == "OnDemand"
                                              ? std::string_view("Standard")
                                              : std::string_view());
    out.set(BillColumn::kCommitmentDiscountId, commitment_of(row));
    if (committed) out.set(BillColumn::kCommitmentDiscountStatus, "Used");
    if (kind != CurKind::kUsage && !committed) return;
    out.set(BillColumn::kConsumedQuantity, row[kCurAmount]);
    out.set(BillColumn::kConsumedUnit, row[kCurUnit]);
    out.set(BillColumn::kPricingQuantity, row[kCurAmount]);
    out.set(BillColumn::kPricingUnit, row[kCurUnit]);
  }

  // Legacy reports say an unused reservation by the usage type alone.
  static void set_capacity(const NativeRow& row, Charges& out) {
    const bool unused_box = row[kCurUsageType].find("UnusedBox") != std::string_view::npos;
    const std::string_view id = row[kCurCapacity];
    out.set(BillColumn::kCapacityReservationId, id.empty() && unused_box ? row[kCurResource] : id);
    const std::string_view status = row[kCurCapacityStatus];
    out.set(BillColumn::kCapacityReservationStatus,
            status.empty() && unused_box ? std::string_view("Unused") : status);
  }

  void set_tags(const NativeRow& row, Charges& out) {
    if (!row[kCurTags].empty()) {
      out.set(BillColumn::kTags, row[kCurTags]);
      return;
    }
    out.set(BillColumn::kTags, tags_.find(row));
  }

  static std::string_view either(const NativeRow& row, size_t net, size_t gross) {
    return row[net].empty() ? row[gross] : row[net];
  }

  void set_costs(const NativeRow& row, CurKind kind, Money billed, Charges& out) {
    switch (kind) {
      case CurKind::kUsage:
        out.keep(BillColumn::kEffectiveCost, billed);
        out.set(BillColumn::kListCost, row[kCurListCost]);
        out.keep(BillColumn::kContractedCost, billed);
        return;
      case CurKind::kReserved:
        out.set(BillColumn::kEffectiveCost,
                either(row, kCurNetReservationCost, kCurReservationCost));
        out.set(BillColumn::kListCost, row[kCurListCost]);
        return;
      case CurKind::kPlanned:
        // The plan's fee is billed; the price of the usage is taken back by a negation.
        net(row, billed);
        out.set(BillColumn::kBilledCost, "0");
        out.set(BillColumn::kEffectiveCost, either(row, kCurNetPlanCost, kCurPlanCost));
        out.set(BillColumn::kListCost, row[kCurListCost]);
        out.keep(BillColumn::kContractedCost, billed);
        return;
      case CurKind::kReservedFee:
        out.set(BillColumn::kEffectiveCost, "0");
        add_unused(row, kind,
                   {either(row, kCurNetUnusedUpfront, kCurUnusedUpfront),
                    either(row, kCurNetUnusedRecurring, kCurUnusedRecurring)},
                   1, out);
        return;
      case CurKind::kPlannedFee:
        out.set(BillColumn::kEffectiveCost, "0");
        add_unused(row, kind, {row[kCurPlanCommitment], row[kCurPlanUsed]}, -1, out);
        return;
      case CurKind::kUpfrontFee:
        out.set(BillColumn::kEffectiveCost, "0");
        return;
      case CurKind::kFee:
      case CurKind::kRefund:
        if (commitment_of(row).empty()) {
          out.keep(BillColumn::kEffectiveCost, billed);
        } else {
          out.set(BillColumn::kEffectiveCost, "0");
        }
        return;
      default:
        out.keep(BillColumn::kEffectiveCost, billed);
    }
  }

  // The part of a commitment that nothing used is a charge of its own, beside the fee: first + sign
  // × second.
  void add_unused(const NativeRow& row, CurKind kind, std::array<std::string_view, 2> parts,
                  int sign, Charges& out) {
    const Amount first = amount_of(parts[0]), second = amount_of(parts[1]);
    if (!first.ok || !second.ok) return out.set(BillColumn::kEffectiveCost, "unreadable");
    const Money unused =
        sign > 0 ? first.or_zero() + second.or_zero() : first.or_zero() - second.or_zero();
    if (unused.is_zero()) return;
    out.add(row);
    set_words(row, kind, out);
    out.set(BillColumn::kChargeCategory, "Usage");
    out.set(BillColumn::kCommitmentDiscountStatus, "Unused");
    out.set(BillColumn::kPricingCategory, "Committed");
    out.set(BillColumn::kBilledCost, "0");
    out.keep(BillColumn::kEffectiveCost, unused);
  }

  Netting& netting_;
  MadeTexts times_, details_, products_;
  TagTexts tags_;
  std::string lookup_;
};

constexpr NativeFormat kCurNative = {
    .columns = kCurColumnTable,
    .needed = kCurNeeded,
    .tag_prefixes = kCurTagPrefixes,
    .origins = kCurOrigins,
    .kept = kCurKept,
    .make = [](const NativeColumns& columns,
               NativeShared& shared) -> std::unique_ptr<NativeMapper> {
      return std::make_unique<CurMapper>(columns, shared.netting);
    }};

}  // namespace

const BillFormat kAwsCurFormat = {.name = "aws-cur", .native = &kCurNative};
const BillFormat kAwsCur2Format = {.name = "aws-cur2", .native = &kCurNative};

}  // namespace tare::sources
