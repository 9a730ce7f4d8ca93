// Oracle Cloud's cost reports.
#include <array>

#include "sources/bill/formats.h"
#include "sources/bill/native/cells.h"
#include "sources/bill/native/native.h"

namespace tare::sources {
namespace {

enum Oci : size_t {
  kOciTenant,
  kOciStart,
  kOciEnd,
  kOciService,
  kOciCompartment,
  kOciCompartmentName,
  kOciRegion,
  kOciDomain,
  kOciResource,
  kOciQuantity,
  kOciSubscription,
  kOciSku,
  kOciDescription,
  kOciCost,
  kOciCurrency,
  kOciUnit,
  kOciOverage,
  kOciCorrection,
  kOciBackReference,
  kOciColumns
};

constexpr auto kOciColumnTable = std::to_array<NativeColumn>({
    {"lineItem/tenantId", "the billing account"},
    {"lineItem/intervalUsageStart", "UTC; its month is the billing period"},
    {"lineItem/intervalUsageEnd", "UTC, exclusive"},
    {"product/service", "the service"},
    {"product/compartmentId", "the sub account"},
    {"product/compartmentName", ""},
    {"product/region", "the region"},
    {"product/availabilityDomain", ""},
    {"product/resourceId", ""},
    {"usage/billedQuantity", "the consumed quantity"},
    {"cost/subscriptionId", ""},
    {"cost/productSku", "the SKU"},
    {"product/Description", "the charge's description"},
    {"cost/myCost", "the billed and effective cost"},
    {"cost/currencyCode", "ISO 4217"},
    {"cost/skuUnitDescription", "of the consumed quantity"},
    {"cost/overageFlag", ""},
    {"lineItem/isCorrection", "true makes a Correction"},
    {"lineItem/backreferenceNo", "the corrected line, of corrections only"},
});
static_assert(kOciColumnTable.size() == kOciColumns);

constexpr auto kOciNeeded = std::to_array<size_t>({kOciStart, kOciEnd, kOciCost});
constexpr auto kOciTagColumns = std::to_array<NativeFormat::TagColumns>(
    {{"tags/", [](std::string_view name) { return std::string(name); }}});
constexpr auto kOciOrigins = std::to_array<NativeFormat::Origin>({
    {BillColumn::kBilledCost, kOciCost},
    {BillColumn::kEffectiveCost, kOciCost},
    {BillColumn::kBillingCurrency, kOciCurrency},
    {BillColumn::kChargePeriodStart, kOciStart},
    {BillColumn::kChargePeriodEnd, kOciEnd},
    {BillColumn::kConsumedQuantity, kOciQuantity},
});
constexpr auto kOciKept = std::to_array<NativeFormat::Kept>({
    {"AvailabilityZone", kOciDomain},
    {"SubAccountName", kOciCompartmentName},
    {"x_BackReferenceNo", kOciBackReference, true},
    {"x_OverageFlag", kOciOverage},
    {"x_SubscriptionId", kOciSubscription},
});

constexpr size_t kOciKeptBackReference = 2;
static_assert(kOciKept[kOciKeptBackReference].native == kOciBackReference);

// Hours of a database are no machine's.
std::string_view oci_category_of(std::string_view service) {
  if (service.empty()) return {};
  if (service == "COMPUTE") return "Compute";
  const bool learns = service == "DATA_SCIENCE" || service == "DATASCIENCE" ||
                      service.starts_with("GENERATIVE_AI") || service.starts_with("AI_");
  return learns ? std::string_view("AI and Machine Learning") : std::string_view("Other");
}

// "GPU Per Hour" counts GPU-hours; "OCPU Per Hour" is no machine's time.
std::string_view unit_of(std::string_view unit) {
  const bool counts_gpus =
      is_word(unit, "gpu per hour") || is_word(unit, "gpu hours") || is_word(unit, "gpu hour");
  return counts_gpus ? std::string_view("GPU-Hours") : unit;
}

class OciMapper : public NativeMapper {
 public:
  void begin_chunk() override {
    for (MadeTexts* texts : {&times_, &months_}) texts->trim_to_size();
    tags_.trim_to_size();
  }

  void map(const NativeRow& row, Charges& out) override {
    out.add(row);
    const auto set_time = [&](BillColumn to, size_t column) {
      const std::string_view text =
          times_.find(row[column], [](std::string_view cell) { return utc_text(cell); });
      out.set(to, text.empty() ? row[column] : text);
    };
    set_time(BillColumn::kChargePeriodStart, kOciStart);
    set_time(BillColumn::kChargePeriodEnd, kOciEnd);
    out.set(
        BillColumn::kBillingPeriodStart,
        months_.find(row[kOciStart], [](std::string_view cell) { return month_start_text(cell); }));
    out.set(BillColumn::kBilledCost, row[kOciCost]);
    out.set(BillColumn::kEffectiveCost, row[kOciCost]);
    out.set(BillColumn::kContractedCost, row[kOciCost]);
    out.set(BillColumn::kBillingCurrency, row[kOciCurrency]);
    out.set(BillColumn::kBillingAccountId, row[kOciTenant]);
    out.set(BillColumn::kSubAccountId, row[kOciCompartment]);
    out.set(BillColumn::kInvoiceIssuerName, "Oracle");
    out.set(BillColumn::kProviderName, "Oracle");
    out.set(BillColumn::kChargeCategory, "Usage");
    out.set(BillColumn::kServiceName, row[kOciService]);
    out.set(BillColumn::kServiceCategory, oci_category_of(row[kOciService]));
    out.set(BillColumn::kResourceId, row[kOciResource]);
    out.set(BillColumn::kRegionId, row[kOciRegion]);
    out.set(BillColumn::kSkuId, row[kOciSku]);
    out.set(BillColumn::kChargeDescription, row[kOciDescription]);
    out.set(BillColumn::kConsumedQuantity, row[kOciQuantity]);
    out.set(BillColumn::kConsumedUnit, unit_of(row[kOciUnit]));
    // A back reference stands on ordinary lines too, and means nothing there (R13).
    if (is_word(row[kOciCorrection], "true")) {
      out.set(BillColumn::kChargeClass, "Correction");
      out.set_kept(kOciKeptBackReference, row[kOciBackReference]);
    }
    out.set(BillColumn::kTags, tags_.find(row));
  }

 private:
  MadeTexts times_, months_;
  TagTexts tags_;
};

constexpr NativeFormat kOciNative = {
    .columns = kOciColumnTable,
    .needed = kOciNeeded,
    .currency = kOciCurrency,
    .tag_columns = kOciTagColumns,
    .origins = kOciOrigins,
    .kept = kOciKept,
    .make = [](const NativeColumns&, NativeShared&) -> std::unique_ptr<NativeMapper> {
      return std::make_unique<OciMapper>();
    }};

}  // namespace

const BillFormat kOciFormat = {.name = "oci", .native = &kOciNative};

}  // namespace tare::sources
