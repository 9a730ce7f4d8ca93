// Google Cloud's detailed usage cost export from BigQuery: JSON lines, CSV (of tables and of data
// frames), Parquet. A cost stands beside its credits: what is billed is the cost and the usage
// discounts, each other credit is a line.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <unordered_map>

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
    {"cost_type",
     "regular is Usage, of SKUs of commitments Purchase; tax is Tax, adjustment and rounding_error "
     "are Adjustment"},
    {"service.description", "the service"},
    {"sku.id", "the SKU"},
    {"sku.description", "the charge's description: core, RAM, GPU"},
    {"usage_start_time", "UTC"},
    {"usage_end_time", "UTC, exclusive"},
    {"project.id", "the sub account"},
    {"project.name", ""},
    {"labels", "tags, as a list of key and value or as an object"},
    {"system_labels", "machine_spec, cores and memory, of the price details"},
    {"tags", "tags where there is no label of that key"},
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

constexpr auto kGcpNeeded = std::to_array<size_t>({kGcpCost, kGcpStart, kGcpEnd});
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

// Whether a word of the text, whose letters are lower case, is one of them.
bool has_word(std::string_view text, std::initializer_list<std::string_view> words) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    at = end + 1;
  }
  return false;
}

// What the SKU's description says.
struct GcpSku {
  bool is_commitment = false;  // "Commitment v1: A2 Cpu in Iowa for 1 Year"
  bool is_spot = false;
  std::string_view seconds_unit;  // of what seconds are counted
};

// The SKU says what is counted (R12): "Nvidia Tesla A100 GPU ...", "A2 Instance Core ...", "...
// Instance Ram ...". A licence is sold by the machine's GPUs or cores, and is neither.
GcpSku sku_of(std::string_view text) {
  const std::string folded = folded_word(text);
  GcpSku sku;
  sku.is_commitment = folded.starts_with("commitment");
  sku.is_spot = has_word(folded, {"spot", "preemptible"});
  if (has_word(folded, {"license", "licence", "licensing", "licencing"})) {
    sku.seconds_unit = "licence-seconds";
  } else if (has_word(folded, {"gpu", "gpus"})) {
    sku.seconds_unit = "GPU-Seconds";
  } else if (has_word(folded, {"core", "cores", "cpu", "cpus", "vcpu", "vcpus"})) {
    sku.seconds_unit = "vCPU-Seconds";
  }
  return sku;
}

std::string_view service_category(std::string_view service) {
  static constexpr std::pair<std::string_view, std::string_view> kServices[] = {
      {"Compute Engine", "Compute"},
      {"Kubernetes Engine", "Compute"},
      {"Cloud TPU", "AI and Machine Learning"},
      {"Vertex AI", "AI and Machine Learning"},
      {"Cloud AI Platform", "AI and Machine Learning"},
      {"Cloud Machine Learning Engine", "AI and Machine Learning"},
      {"Cloud Storage", "Storage"},
      {"Cloud SQL", "Databases"},
      {"Networking", "Networking"},
  };
  for (const auto& [name, category] : kServices) {
    if (service == name) return category;
  }
  return service.empty() ? service : std::string_view("Other");
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

// A label outranks a tag of its key. Labels that can't be read stand as they are, so that this is
// said.
std::string tags_text(std::string_view labels, std::string_view tags) {
  if (!json_records(labels)) return std::string(labels);
  JsonRecord all, more;
  append_labels(labels, all);
  append_labels(tags, more);
  for (auto& [key, value] : more) {
    const bool labelled =
        std::any_of(all.begin(), all.end(), [&](const auto& label) { return label.first == key; });
    if (!labelled) all.emplace_back(std::move(key), std::move(value));
  }
  return json_object(all);
}

std::string system_details(std::string_view cell) {
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
    for (MadeTexts* texts : {&times_, &months_, &tags_, &details_}) texts->trim_to_size();
    sku_ = nullptr;
    if (skus_.size() > kMostSkus) skus_.clear();
  }

  void map(const NativeRow& row, Charges& out) override {
    const Amount cost = amount_of(row[kGcpCost]);
    others_.clear();
    Money net = cost.or_zero();
    const bool readable = read_credits(row[kGcpCredits], net);
    out.add(row);
    set_words(row, out);
    set_category(row, out);
    set_usage(row, out);
    if (!readable) {
      // Credits are money too: the row can't be used without them.
      out.keep(BillColumn::kBilledCost, "credits " + std::string(row[kGcpCredits]));
      out.set_cost_column(kGcpCredits);
      return;
    }
    out.set(BillColumn::kBilledCost, row[kGcpCost]);
    if (!cost.money) return;
    if (net != *cost.money) out.keep(BillColumn::kBilledCost, net);
    if (net != *cost.money) out.keep(BillColumn::kEffectiveCost, net);
    if (net == *cost.money) out.set(BillColumn::kEffectiveCost, row[kGcpCost]);
    out.set(BillColumn::kListCost, row[kGcpCostAtList]);
    out.set(BillColumn::kContractedCost, row[kGcpCost]);
    for (const JsonRecord& credit : others_) add_credit(row, credit, out);
  }

 private:
  static constexpr size_t kMostSkus = 100'000;

  // Adds to the net cost what belongs to the use; others_ are the credits that are lines of their
  // own. False where an amount is missing or can't be read.
  bool read_credits(std::string_view cell, Money& net) {
    if (cell.empty() || cell == "[]") return true;
    auto credits = json_records(cell);
    if (!credits) return false;
    for (JsonRecord& credit : *credits) {
      const Amount amount = amount_of(member(credit, "amount"));
      if (!amount.money) {
        if (credit.empty()) continue;
        return false;
      }
      if (is_usage_discount(member(credit, "type"))) {
        net = net + *amount.money;
        if (!net.fits_store()) return false;
      } else if (!amount.money->is_zero()) {
        others_.push_back(std::move(credit));
      }
    }
    return true;
  }

  const GcpSku& sku(const NativeRow& row) {
    const std::string_view text = row[kGcpSkuText];
    if (sku_ == nullptr || sku_->first != text) {
      const auto [at, is_new] = skus_.try_emplace(std::string(text));
      if (is_new) at->second = sku_of(text);
      sku_ = &*at;
    }
    return sku_->second;
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
    const std::string_view labels = row[kGcpLabels], tags = row[kGcpTags];
    if (labels.empty() && tags.empty()) return;
    text_.assign(labels) += '\n';
    text_ += tags;
    out.set(BillColumn::kTags,
            tags_.find(text_, [&](std::string_view) { return tags_text(labels, tags); }));
  }

  void set_category(const NativeRow& row, Charges& out) {
    const std::string_view type = row[kGcpCostType];
    const bool use = type.empty() || type == "regular";
    std::string_view category = type;
    if (use) category = sku(row).is_commitment ? "Purchase" : "Usage";
    if (type == "tax") category = "Tax";
    if (type == "adjustment" || type == "rounding_error") category = "Adjustment";
    out.set(BillColumn::kChargeCategory, category);
  }

  void set_usage(const NativeRow& row, Charges& out) {
    const GcpSku& what = sku(row);
    out.set(BillColumn::kChargeDescription, row[kGcpSkuText]);
    out.set(BillColumn::kSkuPriceDetails, details_.find(row[kGcpSystemLabels], system_details));
    out.set(BillColumn::kPricingQuantity, row[kGcpPricingAmount]);
    out.set(BillColumn::kPricingUnit, row[kGcpPricingUnit]);
    out.set(BillColumn::kPricingCategory, what.is_commitment ? "Committed"
                                          : what.is_spot     ? "Dynamic"
                                                             : "Standard");
    if (what.is_commitment) return;  // what is bought, and not what is used
    const std::string_view unit = row[kGcpUnit];
    const bool counts = unit == "seconds" && !what.seconds_unit.empty();
    out.set(BillColumn::kConsumedQuantity, row[kGcpAmount]);
    out.set(BillColumn::kConsumedUnit, counts ? what.seconds_unit : unit);
  }

  void add_credit(const NativeRow& row, const JsonRecord& credit, Charges& out) {
    out.add(row);
    set_words(row, out);
    out.set(BillColumn::kChargeCategory, "Credit");
    const std::string_view full = member(credit, "full_name"), name = member(credit, "name");
    out.keep(BillColumn::kChargeDescription, full.empty() ? name : full);
    const Money amount = amount_of(member(credit, "amount")).or_zero();
    out.keep(BillColumn::kBilledCost, amount);
    out.keep(BillColumn::kEffectiveCost, amount);
  }

  MadeTexts times_, months_, tags_, details_;
  std::unordered_map<std::string, GcpSku> skus_;
  const std::pair<const std::string, GcpSku>* sku_ = nullptr;  // of the row
  std::vector<JsonRecord> others_;
  std::string text_;
};

constexpr NativeFormat kGcpNative = {
    .columns = kGcpColumnTable,
    .needed = kGcpNeeded,
    .currency = kGcpCurrency,
    .origins = kGcpOrigins,
    .kept = kGcpKept,
    .is_nested = true,
    .make = [](const NativeColumns&, NativeShared&) -> std::unique_ptr<NativeMapper> {
      return std::make_unique<GcpMapper>();
    }};

}  // namespace

const BillFormat kGcpDetailedFormat = {.name = "gcp-detailed", .native = &kGcpNative};

}  // namespace tare::sources
