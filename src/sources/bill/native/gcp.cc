// Google Cloud's detailed usage cost export from BigQuery: JSON lines, CSV (of tables and of data
// frames), Parquet. A cost stands beside its credits: what is billed is the cost and the usage
// discounts, each other credit is a line.
#include <array>

#include "sources/bill/formats.h"
#include "sources/bill/native/cells.h"
#include "sources/bill/native/native.h"

namespace tare::sources {
namespace {

enum Gcp : size_t {
  kGcpAccount,
  kGcpMonth,
  kGcpCostType,
  kGcpService,
  kGcpSku,
  kGcpSkuText,
  kGcpStart,
  kGcpEnd,
  kGcpProject,
  kGcpProjectName,
  kGcpLabels,
  kGcpSystemLabels,
  kGcpTags,
  kGcpRegion,
  kGcpZone,
  kGcpLocation,
  kGcpResource,
  kGcpResourceName,
  kGcpCost,
  kGcpCostAtList,
  kGcpCurrency,
  kGcpAmount,
  kGcpUnit,
  kGcpPricingAmount,
  kGcpPricingUnit,
  kGcpCredits,
  kGcpSeller,
  kGcpTransaction,
  kGcpAdjustmentMode,
  kGcpAdjustmentType,
  kGcpAdjustmentText,
  kGcpColumns
};

constexpr auto kGcpColumnTable = std::to_array<NativeColumn>({
    {"billing_account_id", "the billing account"},
    {"invoice.month", "the billing period, whenever the use was"},
    {"cost_type", "regular is Usage, tax is Tax, adjustment and rounding_error are Adjustment"},
    {"service.description", "the service"},
    {"sku.id", "the SKU"},
    {"sku.description", "the charge's description: core, RAM, GPU"},
    {"usage_start_time", "UTC"},
    {"usage_end_time", "UTC, exclusive"},
    {"project.id", "the sub account"},
    {"project.name", ""},
    {"labels", "tags, as a list of key and value or as an object"},
    {"system_labels", "machine_spec, cores and memory, of the price details"},
    {"tags", "tags where there are no labels of that key"},
    {"location.region", "the region"},
    {"location.zone", ""},
    {"location.location", "the region where there is none"},
    {"resource.global_name", "the resource"},
    {"resource.name", "the resource where there is no global name"},
    {"cost", "before credits"},
    {"cost_at_list", "the list cost"},
    {"currency", "ISO 4217"},
    {"usage.amount", "the consumed quantity"},
    {"usage.unit", "its unit"},
    {"usage.amount_in_pricing_units", "the pricing quantity"},
    {"usage.pricing_unit", "its unit"},
    {"credits", "discounts of the use net into the row; the others are Credit lines"},
    {"seller_name", "the issuer where it is not Google"},
    {"transaction_type", ""},
    {"adjustment_info.mode", ""},
    {"adjustment_info.type", ""},
    {"adjustment_info.description", ""},
});
static_assert(kGcpColumnTable.size() == kGcpColumns);

constexpr auto kGcpNeeded = std::to_array<size_t>({kGcpCost, kGcpStart, kGcpEnd, kGcpCurrency});
constexpr auto kGcpOrigins = std::to_array<NativeFormat::Origin>({
    {BillColumn::kBilledCost, kGcpCost},
    {BillColumn::kEffectiveCost, kGcpCost},
    {BillColumn::kListCost, kGcpCostAtList},
    {BillColumn::kBillingCurrency, kGcpCurrency},
    {BillColumn::kBillingPeriodStart, kGcpMonth},
    {BillColumn::kChargePeriodStart, kGcpStart},
    {BillColumn::kChargePeriodEnd, kGcpEnd},
    {BillColumn::kChargeCategory, kGcpCostType},
    {BillColumn::kConsumedQuantity, kGcpAmount},
    {BillColumn::kTags, kGcpLabels},
});
constexpr auto kGcpKept = std::to_array<NativeFormat::Kept>({
    {"AvailabilityZone", kGcpZone},
    {"SubAccountName", kGcpProjectName},
    {"x_AdjustmentDescription", kGcpAdjustmentText},
    {"x_AdjustmentMode", kGcpAdjustmentMode},
    {"x_AdjustmentType", kGcpAdjustmentType},
    {"x_CostType", kGcpCostType},
    {"x_TransactionType", kGcpTransaction},
});

// Discounts of the use itself: commitments, sustained use, negotiated prices. Promotions, free
// tiers and margins are credits of the account.
bool is_usage_discount(std::string_view type) {
  return type == "COMMITTED_USAGE_DISCOUNT" || type == "COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE" ||
         type == "SUSTAINED_USAGE_DISCOUNT" || type == "DISCOUNT" ||
         type == "SUBSCRIPTION_BENEFIT" || type == "FEE_UTILIZATION_OFFSET";
}

bool holds(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// The SKU says what is counted (R12): "Nvidia Tesla A100 GPU ...", "A2 Instance Core ...", "...
// Instance Ram ...".
std::string_view consumed_unit(std::string_view sku, std::string_view unit) {
  if (unit != "seconds") return unit;
  const std::string folded = folded_word(sku);
  if (holds(folded, "gpu")) return "GPU-Seconds";
  if (holds(folded, "core") || holds(folded, "cpu")) return "vCPU-Seconds";
  return unit;
}

std::string_view service_category(std::string_view service) {
  if (service == "Compute Engine" || service == "Kubernetes Engine") return "Compute";
  if (service == "Vertex AI" || service == "Cloud AI Platform") return "AI and Machine Learning";
  if (service == "Cloud Storage") return "Storage";
  if (service == "Networking") return "Networking";
  return {};
}

// [{"key":"k","value":"v"}], {"k":"v"} or nothing to one list of members.
void append_labels(std::string_view cell, JsonRecord& labels) {
  const auto records = json_records(cell);
  if (!records) return;
  for (const JsonRecord& record : *records) {
    const std::string_view key = member(record, "key");
    if (!key.empty()) {
      labels.emplace_back(key, member(record, "value"));
    } else {
      for (const auto& each : record) labels.push_back(each);
    }
  }
}

std::string labels_text(std::string_view cell) {
  JsonRecord labels;
  append_labels(cell, labels);
  return json_object(labels);
}

std::string details_text(std::string_view cell) {
  JsonRecord labels;
  append_labels(cell, labels);
  return json_details(
      {{"InstanceType", std::string(member(labels, "compute.googleapis.com/machine_spec"))},
       {"CoreCount", std::string(member(labels, "compute.googleapis.com/cores"))},
       {"MemorySize", std::string(member(labels, "compute.googleapis.com/memory"))}});
}

class GcpMapper : public NativeMapper {
 public:
  void begin_chunk() override {
    for (MadeTexts* texts : {&times_, &months_, &labels_, &details_}) texts->trim_to_size();
  }

  void map(const NativeRow& row, Charges& out) override {
    const Amount cost = amount_of(row[kGcpCost]);
    Money net = cost.or_zero();
    std::vector<JsonRecord> others;  // credits that are lines of their own
    const bool readable = read_credits(row[kGcpCredits], net, others);
    out.add(row);
    set_words(row, out);
    set_category(row, out);
    set_usage(row, out);
    if (!readable) {
      // Credits are money too: the row can't be used without them.
      out.set(BillColumn::kBilledCost, row[kGcpCredits]);
    } else if (!cost.money) {
      out.set(BillColumn::kBilledCost, row[kGcpCost]);
    } else {
      out.keep(BillColumn::kBilledCost, net);
      out.keep(BillColumn::kEffectiveCost, net);
      out.set(BillColumn::kListCost, row[kGcpCostAtList]);
      out.keep(BillColumn::kContractedCost, *cost.money);
      for (const JsonRecord& credit : others) add_credit(row, credit, out);
    }
  }

 private:
  static bool read_credits(std::string_view cell, Money& net, std::vector<JsonRecord>& others) {
    if (cell.empty() || cell == "[]") return true;
    auto credits = json_records(cell);
    if (!credits) return false;
    for (JsonRecord& credit : *credits) {
      const Amount amount = amount_of(member(credit, "amount"));
      if (!amount.ok) return false;
      if (!amount.money) continue;
      if (is_usage_discount(member(credit, "type"))) {
        net = net + *amount.money;
      } else if (!amount.money->is_zero()) {
        others.push_back(std::move(credit));
      }
    }
    return true;
  }

  void set_words(const NativeRow& row, Charges& out) {
    const auto set_time = [&](BillColumn to, size_t column) {
      const std::string_view text =
          times_.find(row[column], [](std::string_view cell) { return utc_text(cell); });
      out.set(to, text.empty() ? row[column] : text);
    };
    set_time(BillColumn::kChargePeriodStart, kGcpStart);
    set_time(BillColumn::kChargePeriodEnd, kGcpEnd);
    const std::string_view month =
        months_.find(row[kGcpMonth], [](std::string_view cell) { return month_start_text(cell); });
    out.set(BillColumn::kBillingPeriodStart, month.empty() ? row[kGcpMonth] : month);
    out.set(BillColumn::kBillingCurrency, row[kGcpCurrency]);
    out.set(BillColumn::kBillingAccountId, row[kGcpAccount]);
    out.set(BillColumn::kSubAccountId, row[kGcpProject]);
    out.set(BillColumn::kInvoiceIssuerName,
            row[kGcpSeller].empty() ? std::string_view("Google Cloud") : row[kGcpSeller]);
    out.set(BillColumn::kProviderName, "Google Cloud");
    out.set(BillColumn::kServiceName, row[kGcpService]);
    out.set(BillColumn::kServiceCategory, service_category(row[kGcpService]));
    out.set(BillColumn::kResourceId,
            row[kGcpResource].empty() ? row[kGcpResourceName] : row[kGcpResource]);
    out.set(BillColumn::kRegionId, row[kGcpRegion].empty() ? row[kGcpLocation] : row[kGcpRegion]);
    out.set(BillColumn::kSkuId, row[kGcpSku]);
    const std::string_view labels = labels_.find(row[kGcpLabels], labels_text);
    out.set(BillColumn::kTags, labels.empty() ? labels_.find(row[kGcpTags], labels_text) : labels);
  }

  static void set_category(const NativeRow& row, Charges& out) {
    const std::string_view type = row[kGcpCostType];
    const bool adjusted = type == "adjustment" || type == "rounding_error";
    out.set(BillColumn::kChargeCategory, type.empty() || type == "regular" ? "Usage"
                                         : type == "tax"                   ? "Tax"
                                         : adjusted                        ? "Adjustment"
                                                                           : type);
  }

  void set_usage(const NativeRow& row, Charges& out) {
    out.set(BillColumn::kChargeDescription, row[kGcpSkuText]);
    out.set(BillColumn::kSkuPriceDetails, details_.find(row[kGcpSystemLabels], details_text));
    out.set(BillColumn::kConsumedQuantity, row[kGcpAmount]);
    out.set(BillColumn::kConsumedUnit, consumed_unit(row[kGcpSkuText], row[kGcpUnit]));
    out.set(BillColumn::kPricingQuantity, row[kGcpPricingAmount]);
    out.set(BillColumn::kPricingUnit, row[kGcpPricingUnit]);
    const std::string_view sku = row[kGcpSkuText];
    const bool spot = holds(sku, "Spot") || holds(sku, "Preemptible");
    out.set(BillColumn::kPricingCategory, spot ? "Dynamic" : "Standard");
  }

  void add_credit(const NativeRow& row, const JsonRecord& credit, Charges& out) {
    out.add(row);
    set_words(row, out);
    out.set(BillColumn::kChargeCategory, "Credit");
    const std::string_view full = member(credit, "full_name"), name = member(credit, "name");
    out.keep(BillColumn::kChargeDescription, std::string(full.empty() ? name : full));
    const Money amount = amount_of(member(credit, "amount")).or_zero();
    out.keep(BillColumn::kBilledCost, amount);
    out.keep(BillColumn::kEffectiveCost, amount);
  }

  MadeTexts times_, months_, labels_, details_;
};

constexpr NativeFormat kGcpNative = {
    .columns = kGcpColumnTable,
    .needed = kGcpNeeded,
    .tag_prefixes = {},
    .origins = kGcpOrigins,
    .kept = kGcpKept,
    .is_nested = true,
    .make = [](const NativeColumns&, NativeShared&) -> std::unique_ptr<NativeMapper> {
      return std::make_unique<GcpMapper>();
    }};

}  // namespace

const BillFormat kGcpDetailedFormat = {.name = "gcp-detailed", .native = &kGcpNative};

}  // namespace tare::sources
