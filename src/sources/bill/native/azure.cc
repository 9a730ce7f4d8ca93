// Azure's cost exports, actual and amortised, of enterprise agreements, customer agreements and
// pay-as-you-go: one table of columns under all the names that they go by. Charges are of a day,
// dates are written month first.
#include <array>

#include "base/wide_math.h"
#include "sources/bill/formats.h"
#include "sources/bill/native/cells.h"
#include "sources/bill/native/native.h"

namespace tare::sources {
namespace {

enum Azure : size_t {
  kAzBillingAccount,
  kAzSubscription,
  kAzInvoice,
  kAzPeriodStart,
  kAzDate,
  kAzMeterCategory,
  kAzMeterSubCategory,
  kAzMeter,
  kAzMeterName,
  kAzProduct,
  kAzPart,
  kAzFamily,
  kAzQuantity,
  kAzUnit,
  kAzPrice,
  kAzUnitPrice,
  kAzListPrice,
  kAzCost,
  kAzListCost,
  kAzCurrency,
  kAzResource,
  kAzResourceType,
  kAzLocation,
  kAzChargeType,
  kAzPricingModel,
  kAzBenefit,
  kAzReservation,
  kAzFrequency,
  kAzTags,
  kAzInfo,
  kAzConsumedService,
  kAzPublisher,
  kAzBenefitName,
  kAzCostCenter,
  kAzOrder,
  kAzTerm,
  kAzGroup,
  kAzColumns
};

constexpr auto kAzureColumnTable = std::to_array<NativeColumn>({
    {"BillingAccountId|EnrollmentNumber", "the billing account"},
    {"SubscriptionId|SubscriptionGuid", "the sub account"},
    {"InvoiceId|InvoiceNo", "enterprise agreements have none"},
    {"BillingPeriodStartDate", "its month is the billing period; else that of the charge"},
    {"Date|UsageDateTime|UsageDate", "the day of the charge"},
    {"MeterCategory", "the service"},
    {"MeterSubCategory", ""},
    {"MeterId", "the SKU"},
    {"MeterName", ""},
    {"ProductName|Product", "the charge's description, else made of the meter's names"},
    {"PartNumber|ProductId", "the SKU's price"},
    {"ServiceFamily", "the service's category"},
    {"Quantity|UsageQuantity", "the consumed quantity"},
    {"UnitOfMeasure", "its unit; '100 Hours' is priced by the block and counted in hours"},
    {"EffectivePrice|ResourceRate", "tells whether the quantity counts units or blocks"},
    {"UnitPrice", "tells whether the quantity counts units or blocks"},
    {"PayGPrice", "times the quantity the list cost"},
    {"CostInBillingCurrency|PreTaxCost|Cost", "the cost"},
    {"PayGCostInBillingCurrency", "the list cost where the export has it"},
    {"BillingCurrency|BillingCurrencyCode|Currency", "ISO 4217"},
    {"ResourceId|InstanceId|InstanceName", ""},
    {"ResourceType", ""},
    {"ResourceLocation|Location", "the region"},
    {"ChargeType", "the category; Usage where it is absent"},
    {"PricingModel", "OnDemand, Spot, Reservation or SavingsPlan"},
    {"benefitId", "the commitment"},
    {"ReservationId", "the commitment where there is no benefit"},
    {"Frequency", "OneTime, Recurring or UsageBased"},
    {"Tags", "JSON, with its braces or without"},
    {"AdditionalInfo", "the VM's type, CPUs and name"},
    {"ConsumedService", ""},
    {"PublisherName", ""},
    {"benefitName|ReservationName", ""},
    {"CostCenter", ""},
    {"ProductOrderName", ""},
    {"Term", ""},
    {"ResourceGroup|ResourceGroupName", ""},
});
static_assert(kAzureColumnTable.size() == kAzColumns);

constexpr auto kAzureNeeded = std::to_array<size_t>({kAzDate, kAzCost});
constexpr auto kAzureOrigins = std::to_array<NativeFormat::Origin>({
    {BillColumn::kBilledCost, kAzCost},
    {BillColumn::kEffectiveCost, kAzCost},
    {BillColumn::kListCost, kAzListCost},
    {BillColumn::kBillingCurrency, kAzCurrency},
    {BillColumn::kBillingPeriodStart, kAzPeriodStart},
    {BillColumn::kChargePeriodStart, kAzDate},
    {BillColumn::kChargePeriodEnd, kAzDate},
    {BillColumn::kChargeCategory, kAzChargeType},
    {BillColumn::kConsumedQuantity, kAzQuantity},
    {BillColumn::kTags, kAzTags},
});
constexpr auto kAzureKept = std::to_array<NativeFormat::Kept>({
    {"x_BenefitName", kAzBenefitName},
    {"x_ConsumedService", kAzConsumedService},
    {"x_CostCenter", kAzCostCenter},
    {"x_MeterName", kAzMeterName},
    {"x_MeterSubCategory", kAzMeterSubCategory},
    {"x_ProductOrderName", kAzOrder},
    {"x_PublisherName", kAzPublisher},
    {"x_ResourceGroup", kAzGroup},
    {"x_Term", kAzTerm},
});

// "10 Hours" is ten of "Hours".
struct Block {
  Money size = Money::from_atto(Money::kAttoPerUnit);
  std::string_view unit;
};

Block block_of(std::string_view unit) {
  const size_t space = unit.find(' ');
  Block block;
  block.unit = unit;
  if (space == std::string_view::npos) return block;
  const Amount size = amount_of(unit.substr(0, space));
  if (!size.money || size.money->is_negative() || size.money->is_zero()) return block;
  block.size = *size.money;
  block.unit = trim(unit.substr(space));
  return block;
}

bool is_hours(std::string_view unit) {
  const std::string word = folded_word(unit);
  return word == "hour" || word == "hours" || word == "hrs";
}

// Both are positive: whether a is nearer to b × size than to b, on a scale of ratios: a² > b² ×
// size.
bool is_nearer_to_block(Money a, Money b, Money size) {
  const long double ratio = static_cast<long double>(a.atto()) / static_cast<long double>(b.atto());
  return ratio * ratio >
         static_cast<long double>(size.atto()) / static_cast<long double>(Money::kAttoPerUnit);
}

enum class View : uint8_t { kActual, kAmortized };

class AzureMapper : public NativeMapper {
 public:
  AzureMapper(View view, Pairing& pairing) : view_(view), pairing_(pairing) {}

  void begin_chunk() override {
    for (MadeTexts* texts : {&dates_, &ends_, &months_, &details_, &tags_, &quantities_}) {
      texts->trim_to_size();
    }
  }

  void map(const NativeRow& row, Charges& out) override {
    if (says_nothing(row) || waits_for_its_pair(row)) return;
    out.add(row);
    set_times(row, out);
    set_words(row, out);
    set_quantity(row, out);
    set_costs(row, out);
  }

 private:
  using Role = Pairing::Role;

  // What a charge is, in both exports: all but its costs and prices.
  Hash128 charge_of(const NativeRow& row) {
    HashBuilder hash;
    const std::string_view day =
        dates_.find(row[kAzDate], [](std::string_view cell) { return utc_text(cell); });
    hash.add(day).add(folded_word(row[kAzResource])).add(folded_word(row[kAzSubscription]));
    for (const size_t column : {kAzMeter, kAzPart, kAzProduct, kAzUnit, kAzChargeType, kAzTags,
                                kAzInfo, kAzOrder, kAzCostCenter, kAzPublisher}) {
      hash.add(row[column]);
    }
    const Amount quantity = amount_of(row[kAzQuantity]);
    hash.add(quantity.money ? to_text(*quantity.money) : std::string(row[kAzQuantity]));
    return hash.finish();
  }

  bool waits_for_its_pair(const NativeRow& row) {
    if (pairing_.role != Role::kCollect && pairing_.role != Role::kLeftOver) return false;
    const Amount cost = amount_of(row[kAzCost]);
    if (!cost.money) return pairing_.role == Role::kCollect;  // left over, to be quarantined
    if (pairing_.role == Role::kLeftOver) return !pairing_.take_left(charge_of(row), *cost.money);
    pairing_.add(charge_of(row), *cost.money);
    return true;
  }

  // Some exports end with a row, or begin with one, in which nothing but the date stands.
  static bool says_nothing(const NativeRow& row) {
    for (const size_t column : {kAzCost, kAzQuantity, kAzMeter, kAzMeterCategory, kAzResource,
                                kAzProduct, kAzSubscription}) {
      if (!row[column].empty()) return false;
    }
    return true;
  }

  void set_times(const NativeRow& row, Charges& out) {
    const std::string_view start =
        dates_.find(row[kAzDate], [](std::string_view cell) { return utc_text(cell); });
    if (start.empty()) {
      out.set(BillColumn::kChargePeriodStart, row[kAzDate]);
    } else {
      out.set(BillColumn::kChargePeriodStart, start);
      out.set(BillColumn::kChargePeriodEnd,
              ends_.find(start, [](std::string_view text) { return next_day_text(text); }));
    }
    const std::string_view month = months_.find(
        row[kAzPeriodStart], [](std::string_view cell) { return month_start_text(cell); });
    out.set(BillColumn::kBillingPeriodStart, month.empty() ? row[kAzPeriodStart] : month);
  }

  static bool is_unused(std::string_view charge_type) {
    return charge_type == "unusedreservation" || charge_type == "unusedsavingsplan";
  }

  static std::string_view category_of(std::string_view charge_type) {
    if (charge_type.empty() || charge_type == "usage" || is_unused(charge_type)) return "Usage";
    if (charge_type == "purchase") return "Purchase";
    if (charge_type == "tax") return "Tax";
    if (charge_type == "credit") return "Credit";
    if (charge_type == "adjustment" || charge_type == "roundingadjustment") return "Adjustment";
    return {};
  }

  static std::string_view service_category_of(const NativeRow& row) {
    if (row[kAzMeterCategory] == "Virtual Machines") return "Compute";
    const std::string_view family = row[kAzFamily];
    return family == "AI + Machine Learning" ? std::string_view("AI and Machine Learning") : family;
  }

  void set_words(const NativeRow& row, Charges& out) {
    out.set(BillColumn::kBillingCurrency, row[kAzCurrency]);
    out.set(BillColumn::kBillingAccountId, row[kAzBillingAccount]);
    out.set(BillColumn::kSubAccountId, row[kAzSubscription]);
    out.set(BillColumn::kInvoiceId, row[kAzInvoice]);
    out.set(BillColumn::kInvoiceIssuerName, "Microsoft");
    out.set(BillColumn::kProviderName, "Microsoft");
    out.set(BillColumn::kServiceName, row[kAzMeterCategory]);
    out.set(BillColumn::kServiceCategory, service_category_of(row));
    out.set(BillColumn::kResourceId, row[kAzResource]);
    out.set(BillColumn::kResourceType, row[kAzResourceType]);
    out.set(BillColumn::kRegionId, row[kAzLocation]);
    out.set(BillColumn::kSkuId, row[kAzMeter]);
    out.set(BillColumn::kSkuPriceId, row[kAzPart]);
    if (row[kAzProduct].empty()) {
      out.set(BillColumn::kChargeDescription, row[kAzMeterName]);
    } else {
      out.set(BillColumn::kChargeDescription, row[kAzProduct]);
    }
    out.set(BillColumn::kSkuPriceDetails, details_.find(row[kAzInfo], details_text));
    out.set(BillColumn::kTags,
            tags_.find(row[kAzTags], [](std::string_view cell) { return with_braces(cell); }));
    set_charge(row, out);
  }

  void set_charge(const NativeRow& row, Charges& out) {
    const std::string type = folded_word(row[kAzChargeType]);
    const bool refund = type == "refund";
    const std::string_view commitment =
        row[kAzBenefit].empty() ? row[kAzReservation] : row[kAzBenefit];
    std::string_view category = category_of(type);
    if (refund) category = commitment.empty() ? "Adjustment" : "Purchase";
    out.set(BillColumn::kChargeCategory, category.empty() ? row[kAzChargeType] : category);
    out.set(BillColumn::kCommitmentDiscountId, commitment);
    if (is_unused(type)) {
      out.set(BillColumn::kCommitmentDiscountStatus, "Unused");
    } else if (category == "Usage" && !commitment.empty()) {
      out.set(BillColumn::kCommitmentDiscountStatus, "Used");
    }
    const std::string model = folded_word(row[kAzPricingModel]);
    if (model == "ondemand") out.set(BillColumn::kPricingCategory, "Standard");
    if (model == "spot") out.set(BillColumn::kPricingCategory, "Dynamic");
    if (is_benefit(model)) out.set(BillColumn::kPricingCategory, "Committed");
    const std::string frequency = folded_word(row[kAzFrequency]);
    if (frequency == "onetime") out.set(BillColumn::kChargeFrequency, "One-Time");
    if (frequency == "recurring") out.set(BillColumn::kChargeFrequency, "Recurring");
    if (frequency == "usagebased") out.set(BillColumn::kChargeFrequency, "Usage-Based");
  }

  static bool is_benefit(std::string_view model) {
    return model == "reservation" || model == "savingsplan";
  }

  // {"ServiceType":"Standard_NC24ads_A100_v4","VCPUs":24,"VMName":"x"}
  static std::string details_text(std::string_view cell) {
    const auto records = json_records(cell);
    if (!records || records->empty()) return "";
    const JsonRecord& info = records->front();
    return json_details({{"InstanceType", std::string(member(info, "ServiceType"))},
                         {"CoreCount", std::string(member(info, "VCPUs"))},
                         {"x_VMName", std::string(member(info, "VMName"))}});
  }

  void set_quantity(const NativeRow& row, Charges& out) {
    const std::string type = folded_word(row[kAzChargeType]);
    if (!type.empty() && type != "usage") return;
    const Block block = block_of(row[kAzUnit]);
    if (!is_hours(block.unit)) {
      out.set(BillColumn::kConsumedQuantity, row[kAzQuantity]);
      out.set(BillColumn::kConsumedUnit, row[kAzUnit]);
      return;
    }
    out.set(BillColumn::kConsumedUnit, "Hours");
    const Amount quantity = amount_of(row[kAzQuantity]);
    if (quantity.money && counts_blocks(row, block)) {
      out.keep(BillColumn::kConsumedQuantity, times(*quantity.money, block.size));
    } else {
      out.set(BillColumn::kConsumedQuantity, row[kAzQuantity]);
    }
  }

  // R10. The unit price is of a block. Where the price that was charged is near to it, that is of a
  // block too, and so is the quantity; where it is the block's part of it, or nothing says, they
  // are of an hour.
  static bool counts_blocks(const NativeRow& row, const Block& block) {
    if (block.size == Money::from_atto(Money::kAttoPerUnit)) return false;
    const Amount charged = amount_of(row[kAzPrice]), of_block = amount_of(row[kAzUnitPrice]);
    const auto is_positive = [](const Amount& price) {
      return price.money && !price.money->is_negative() && !price.money->is_zero();
    };
    if (!is_positive(charged) || !is_positive(of_block)) return false;
    return !is_nearer_to_block(*of_block.money, *charged.money, block.size);
  }

  static Money times(Money quantity, Money whole) {
    return Money::from_atto(quantity.atto() * (whole.atto() / Money::kAttoPerUnit));
  }

  // Of the actual export the cost is what is billed; what is effective it can't say where a benefit
  // covers use. Of the amortised one it is the effective cost, and billed only where no benefit
  // stands behind it (R09).
  void set_costs(const NativeRow& row, Charges& out) {
    out.set(BillColumn::kListCost, row[kAzListCost]);
    const Amount cost = amount_of(row[kAzCost]);
    if (pairing_.role == Role::kLeftOver) {
      out.set(BillColumn::kBilledCost, cost.money ? std::string_view("0") : row[kAzCost]);
      out.set(BillColumn::kEffectiveCost, row[kAzCost]);
      return;
    }
    if (view_ == View::kActual) {
      out.set(BillColumn::kBilledCost, row[kAzCost]);
      if (pairing_.role != Role::kActual || !cost.money) return;
      out.keep(BillColumn::kEffectiveCost,
               pairing_.take(charge_of(row), *cost.money).value_or(Money()));
      return;
    }
    const bool benefit =
        is_benefit(folded_word(row[kAzPricingModel])) || is_unused(folded_word(row[kAzChargeType]));
    out.set(BillColumn::kEffectiveCost, row[kAzCost]);
    out.set(BillColumn::kBilledCost, benefit && cost.money ? std::string_view("0") : row[kAzCost]);
  }

  View view_;
  Pairing& pairing_;
  MadeTexts dates_, ends_, months_, details_, tags_, quantities_;
};

template <View kView>
constexpr NativeFormat kAzureNative = {
    .columns = kAzureColumnTable,
    .needed = kAzureNeeded,
    .tag_prefixes = {},
    .origins = kAzureOrigins,
    .kept = kAzureKept,
    .make = [](const NativeColumns&, NativeShared& shared) -> std::unique_ptr<NativeMapper> {
      return std::make_unique<AzureMapper>(kView, shared.pairing);
    }};

}  // namespace

const BillFormat kAzureActualFormat = {.name = "azure-actual",
                                       .native = &kAzureNative<View::kActual>};
const BillFormat kAzureAmortizedFormat = {.name = "azure-amortized",
                                          .native = &kAzureNative<View::kAmortized>};

}  // namespace tare::sources
