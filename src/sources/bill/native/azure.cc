// Azure's cost exports, actual and amortised, of enterprise agreements, customer agreements and
// pay-as-you-go: one table of columns under all the names that they go by. Charges are of a day,
// dates are written month first.
#include <array>

#include "base/decimal_text.h"
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
  kAzPayGPrice,
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
    {"PayGPrice", "of a block or of a unit, which it does not say: kept and not used"},
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
    {"x_PayGPrice", kAzPayGPrice},
    {"x_ProductOrderName", kAzOrder},
    {"x_PublisherName", kAzPublisher},
    {"x_ResourceGroup", kAzGroup},
    {"x_Term", kAzTerm},
});

// "10 Hours" is ten of "Hours".
struct Block {
  uint64_t size = 1;
  std::string_view unit;
};

Block block_of(std::string_view unit) {
  const size_t space = unit.find(' ');
  if (space == std::string_view::npos) return {1, unit};
  const auto size = parse_integer(unit.substr(0, space));
  if (!size || *size < 1 || *size > 1'000'000'000) return {1, unit};
  return {static_cast<uint64_t>(*size), trim(unit.substr(space))};
}

bool is_hours(std::string_view unit) {
  return is_word(unit, "hour") || is_word(unit, "hours") || is_word(unit, "hrs");
}

uint128 size_of(Money amount) {
  const int128 atto = amount.atto();
  return static_cast<uint128>(atto < 0 ? -atto : atto);
}

// Whether price × quantity is the cost, up to a hundredth of it: all three are rounded.
bool is_product(Money price, Money quantity, Money cost) {
  const Uint256 product = multiply(size_of(price), size_of(quantity));
  const Uint256 whole = multiply(size_of(cost), static_cast<uint128>(Money::kAttoPerUnit));
  const Uint256 off = product > whole ? subtract(product, whole) : subtract(whole, product);
  return off <= multiply(size_of(cost), static_cast<uint128>(Money::kAttoPerUnit / 100));
}

// Whether `price` is nearer to `of_block` than to the part of it that is one of `size`, by ratios:
// (of_block ÷ price)² < size. Neither is zero.
bool is_of_block(Money price, Money of_block, uint64_t size) {
  // Prices beyond a million of millions say nothing, and their squares would not fit.
  constexpr uint128 kMost = static_cast<uint128>(Money::kAttoPerUnit) * 1'000'000'000'000;
  const uint128 one = size_of(price), other = size_of(of_block);
  if (one > kMost || other > kMost) return false;
  const Uint256 square = multiply(one, one), low = multiply(square.lo, size);
  const Uint256 bound = {square.hi * size + low.hi, low.lo};
  return multiply(other, other) < bound;
}

enum class View : uint8_t { kActual, kAmortized };

class AzureMapper : public NativeMapper {
 public:
  AzureMapper(View view, Pairing& pairing) : view_(view), pairing_(pairing) {}

  void begin_chunk() override {
    for (MadeTexts* texts : {&dates_, &ends_, &months_, &details_, &tags_}) texts->trim_to_size();
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

  std::string_view day_of(const NativeRow& row) {
    return dates_.find(row[kAzDate], [](std::string_view cell) { return utc_text(cell); });
  }

  // What a charge is, in both exports: all but its costs and prices.
  Hash128 charge_of(const NativeRow& row) {
    HashBuilder hash;
    hash.add(day_of(row)).add(folded_word(row[kAzResource]));
    hash.add(folded_word(row[kAzSubscription])).add(folded_word(row[kAzCurrency]));
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
    pairing_.add(charge_of(row), day_of(row), *cost.money);
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

  static bool is_unused(std::string_view type) {
    return is_word(type, "unusedreservation") || is_word(type, "unusedsavingsplan");
  }
  static bool is_use(std::string_view type) { return type.empty() || is_word(type, "usage"); }

  static std::string_view commitment_of(const NativeRow& row) {
    return row[row[kAzBenefit].empty() ? kAzReservation : kAzBenefit];
  }

  static std::string_view category_of(const NativeRow& row) {
    static constexpr std::pair<std::string_view, std::string_view> kCategories[] = {
        {"purchase", "Purchase"},
        {"tax", "Tax"},
        {"credit", "Credit"},
        {"adjustment", "Adjustment"},
        {"roundingadjustment", "Adjustment"}};
    const std::string_view type = row[kAzChargeType];
    if (is_use(type) || is_unused(type)) return "Usage";
    if (is_word(type, "refund")) return commitment_of(row).empty() ? "Adjustment" : "Purchase";
    for (const auto& [word, category] : kCategories) {
      if (is_word(type, word)) return category;
    }
    return type;
  }

  // Usage that a reservation or plan covers; the id says so where the pricing model does not.
  static bool is_covered(const NativeRow& row) {
    return is_use(row[kAzChargeType]) &&
           (!commitment_of(row).empty() || is_benefit(row[kAzPricingModel]));
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

  static void set_charge(const NativeRow& row, Charges& out) {
    const bool unused = is_unused(row[kAzChargeType]), covered = is_covered(row);
    out.set(BillColumn::kChargeCategory, category_of(row));
    out.set(BillColumn::kCommitmentDiscountId, commitment_of(row));
    if (unused) out.set(BillColumn::kCommitmentDiscountStatus, "Unused");
    if (covered && !commitment_of(row).empty()) {
      out.set(BillColumn::kCommitmentDiscountStatus, "Used");
    }
    const std::string_view model = row[kAzPricingModel];
    if (is_word(model, "ondemand")) out.set(BillColumn::kPricingCategory, "Standard");
    if (is_word(model, "spot")) out.set(BillColumn::kPricingCategory, "Dynamic");
    if (unused || covered || is_benefit(model)) {
      out.set(BillColumn::kPricingCategory, "Committed");
    }
    const std::string_view frequency = row[kAzFrequency];
    if (is_word(frequency, "onetime")) out.set(BillColumn::kChargeFrequency, "One-Time");
    if (is_word(frequency, "recurring")) out.set(BillColumn::kChargeFrequency, "Recurring");
    if (is_word(frequency, "usagebased")) out.set(BillColumn::kChargeFrequency, "Usage-Based");
  }

  static bool is_benefit(std::string_view model) {
    return is_word(model, "reservation") || is_word(model, "savingsplan");
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

  static void set_quantity(const NativeRow& row, Charges& out) {
    if (!is_use(row[kAzChargeType])) return;
    const Block block = block_of(row[kAzUnit]);
    out.set(BillColumn::kConsumedQuantity, row[kAzQuantity]);
    out.set(BillColumn::kConsumedUnit, is_hours(block.unit) ? "Hours" : row[kAzUnit]);
    if (!is_hours(block.unit) || block.size == 1 || !counts_blocks(row, block)) return;
    const int128 blocks = amount_of(row[kAzQuantity]).or_zero().atto();
    int128 hours = 0;
    const bool fits = !__builtin_mul_overflow(blocks, static_cast<int128>(block.size), &hours);
    if (fits && Money::from_atto(hours).fits_store()) {
      out.keep(BillColumn::kConsumedQuantity, Money::from_atto(hours));
    }
  }

  // R10. The unit price is of a block. Where what was charged for each of the quantity is near to
  // it, that is of a block too, and so is the quantity; where it is the block's part of it, or
  // nothing says, they are of an hour.
  static bool counts_blocks(const NativeRow& row, const Block& block) {
    const Amount charged = amount_of(row[kAzPrice]), of_block = amount_of(row[kAzUnitPrice]);
    const Amount quantity = amount_of(row[kAzQuantity]), cost = amount_of(row[kAzCost]);
    for (const Amount& each : {charged, of_block, quantity, cost}) {
      if (!each.money || each.money->is_zero()) return false;
    }
    return is_product(*charged.money, *quantity.money, *cost.money) &&
           is_of_block(*charged.money, *of_block.money, block.size);
  }

  // Of the actual export the cost is what is billed; what is effective it can't say where a benefit
  // covers use. Of the amortised one it is the effective cost, and billed only where no benefit
  // stands behind it (R09).
  void set_costs(const NativeRow& row, Charges& out) {
    out.set(BillColumn::kListCost, row[kAzListCost]);
    const Amount cost = amount_of(row[kAzCost]);
    // A charge in one export alone is nothing in the other, if that has its day at all.
    if (pairing_.role == Role::kLeftOver && pairing_.actual_knows(day_of(row))) {
      out.set(BillColumn::kBilledCost, cost.money ? std::string_view("0") : row[kAzCost]);
      out.set(BillColumn::kEffectiveCost, row[kAzCost]);
      return;
    }
    if (view_ == View::kActual && pairing_.role != Role::kLeftOver) {
      out.set(BillColumn::kBilledCost, row[kAzCost]);
      if (pairing_.role != Role::kActual || !cost.money) return;
      pairing_.note_actual(day_of(row));
      if (!pairing_.amortized_knows(day_of(row))) return;
      out.keep(BillColumn::kEffectiveCost,
               pairing_.take(charge_of(row), *cost.money).value_or(Money()));
      return;
    }
    const bool benefit =
        is_covered(row) || is_unused(row[kAzChargeType]) || is_benefit(row[kAzPricingModel]);
    out.set(BillColumn::kEffectiveCost, row[kAzCost]);
    out.set(BillColumn::kBilledCost, benefit && cost.money ? std::string_view("0") : row[kAzCost]);
  }

  View view_;
  Pairing& pairing_;
  MadeTexts dates_, ends_, months_, details_, tags_;
};

template <View kView>
constexpr NativeFormat kAzureNative = {
    .columns = kAzureColumnTable,
    .needed = kAzureNeeded,
    .currency = kAzCurrency,
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
