// AWS Cost and Usage Reports: the legacy one (slashes in CSV, underscores in Parquet) and 2.0
// (maps). What a row costs by its line item type follows AWS's own summary view of amortised costs
// (aws-solutions-library-samples, cloud-intelligence-dashboards, summary_view): usage that a plan
// or reservation covers counts at its effective cost, what covers counts as a purchase, and what of
// it was not used is usage of the commitment itself.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/instant.h"
#include "sources/bill/formats.h"
#include "sources/bill/native/aws_columns.h"
#include "sources/bill/native/cells.h"
#include "sources/bill/native/native.h"

namespace tare::sources {
namespace {

constexpr auto kCurNeeded =
    std::to_array<size_t>({kCurType, kCurStart, kCurEnd, kCurCost, kCurPeriod});

// Tags of resources and of accounts begin with "user:" and "aws:"; Parquet and maps write that with
// an underscore.
std::string cur_tag_key(std::string_view name) {
  for (const std::string_view owner : {"user", "aws"}) {
    if (name.size() > owner.size() && name.starts_with(owner) && name[owner.size()] == '_') {
      return std::string(owner) + ':' + std::string(name.substr(owner.size() + 1));
    }
  }
  return std::string(name);
}
std::string cost_category_key(std::string_view name) { return "costCategory/" + std::string(name); }
constexpr auto kCurTagColumns = std::to_array<NativeFormat::TagColumns>({
    {"resourceTags/", cur_tag_key},
    {"resource_tags_", cur_tag_key},
    {"costCategory/", cost_category_key},
    {"cost_category_", cost_category_key},
});
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

// "USE1-Cluster:ml.p4d.24xlarge" names the machine after the colon, and so does "BoxUsage:";
// "EBS:VolumeUsage.gp3" and "EBSOptimized:p4d.24xlarge" are no machine's time.
std::string_view type_in_usage(std::string_view usage_type) {
  static constexpr std::string_view kMachineWords[] = {
      "BoxUsage",  "SpotUsage", "HeavyUsage",   "DedicatedUsage", "HostBoxUsage",
      "UnusedBox", "UnusedDed", "DedicatedRes", "Reservation",    "SchedUsage"};
  const size_t colon = usage_type.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view type = usage_type.substr(colon + 1);
  if (type.find('.') == std::string_view::npos) return {};
  if (type.starts_with("ml.")) return type;
  const std::string_view before = usage_type.substr(0, colon);
  const std::string_view word = before.substr(before.rfind('-') + 1);
  const auto* known = std::find(std::begin(kMachineWords), std::end(kMachineWords), word);
  return known == std::end(kMachineWords) ? std::string_view() : type;
}

// What 2.0 keeps in a map.
struct CurProductWords {
  std::string name, family, type, gpu, vcpu, memory, region, sku;
};

CurProductWords product_words(std::string_view cell) {
  const auto records = json_records(cell);
  if (!records || records->empty()) return {};
  const auto word = [&](std::string_view key) {
    return std::string(member(records->front(), key));
  };
  return {word("product_name"), word("product_family"), word("instance_type"), word("gpu"),
          word("vcpu"),         word("memory"),         word("region"),        word("sku")};
}

// Of 2.0's maps of tags and cost categories, as one object; a map that can't be read stands as it
// is, so that this is said.
std::string tag_text(std::string_view tags, std::string_view categories) {
  JsonRecord all;
  for (const auto& [cell, key_of] :
       {std::pair(tags, &cur_tag_key), std::pair(categories, &cost_category_key)}) {
    const auto records = json_records(cell);
    if (!records) return std::string(cell);
    if (records->empty()) continue;
    for (const auto& [name, value] : records->front()) all.emplace_back(key_of(name), value);
  }
  return json_object(all);
}

class CurMapper : public NativeMapper {
 public:
  CurMapper(const NativeColumns& columns, Netting& netting)
      : netting_(netting), currency_(columns.currency) {}

  void begin_chunk() override {
    for (MadeTexts* texts : {&times_, &details_, &maps_}) texts->trim_to_size();
    tags_.trim_to_size();
    product_ = nullptr;
    if (products_.size() > kMostProducts) products_.clear();
  }

  void map(const NativeRow& row, Charges& out) override {
    const CurKind kind = kind_of(row[kCurType]);
    const bool is_net = !row[kCurNetCost].empty();
    const std::string_view billed = row[is_net ? kCurNetCost : kCurCost];
    const Amount cost = amount_of(billed);
    if (only_repeats(row, cost)) return;
    find_product(row);
    const bool nets = kind == CurKind::kNegation || kind == CurKind::kPlanned;
    const bool netted = nets && cost.money && net(row, *cost.money);
    if (netted && kind == CurKind::kNegation) return;
    out.add(row);
    if (is_net) out.set_cost_column(kCurNetCost);
    set_words(row, kind, out);
    set_quantity(row, kind, out);
    out.set(BillColumn::kResourceId, row[kCurResource]);
    out.set(BillColumn::kBilledCost, netted ? std::string_view("0") : billed);
    if (cost.money) set_costs(row, kind, billed, out);
  }

 private:
  static constexpr size_t kMostProducts = 100'000;

  // What costs nothing and counts again what other rows count: shares of an instance that is billed
  // whole beside them, and all hours of a capacity reservation, whose used and unused ones are rows
  // too.
  static bool only_repeats(const NativeRow& row, const Amount& cost) {
    if (!cost.ok || !cost.or_zero().is_zero()) return false;
    return !row[kCurSplitParent].empty() || is_word(row[kCurCapacityStatus], "reserved");
  }

  static std::string_view commitment_of(const NativeRow& row) {
    return row[kCurPlan].empty() ? row[kCurReservation] : row[kCurPlan];
  }

  std::string_view time(const NativeRow& row, size_t column) {
    return times_.find(row[column], [](std::string_view cell) { return utc_text(cell); });
  }

  // Whether the row's money nets with others' of its plan, period and usage type. Not where
  // something that a line needs can't be read: then it is quarantined with its own money.
  bool net(const NativeRow& row, Money amount) {
    const std::string_view from = time(row, kCurStart), to = time(row, kCurEnd);
    const std::string_view currency = row[kCurCurrency].empty() ? currency_ : row[kCurCurrency];
    const InstantResult start = parse_instant(from), end = parse_instant(to);
    if (!start.ok || !end.ok || end.ns < start.ns || currency.empty()) return false;
    const auto month = parse_month(time(row, kCurPeriod).substr(0, 7)).value_or(month_of(start.ns));
    if (month != month_) {
      month_ = month;
      month_text_ = to_text(month) + "-01T00:00:00Z";
    }
    key_.clear();
    key_.add(BillColumn::kBillingPeriodStart, month_text_);
    key_.add(BillColumn::kChargePeriodStart, from);
    key_.add(BillColumn::kChargePeriodEnd, to);
    key_.add(BillColumn::kBillingCurrency, currency);
    key_.add(BillColumn::kBillingAccountId, row[kCurPayer]);
    key_.add(BillColumn::kSubAccountId, row[kCurAccount]);
    key_.add(BillColumn::kInvoiceId, row[kCurInvoice]);
    key_.add(BillColumn::kInvoiceIssuerName, row[kCurIssuer]);
    key_.add(BillColumn::kProviderName, "AWS");
    key_.add(BillColumn::kServiceName, row[kCurProductCode]);
    key_.add(BillColumn::kSkuId, row[kCurUsageType]);
    key_.add(BillColumn::kCommitmentDiscountId, row[kCurPlan]);
    key_.add(BillColumn::kChargeDescription, "usage that a plan covers, and what takes it back");
    netting_.add(month, key_, currency, amount);
    return true;
  }

  void set_words(const NativeRow& row, CurKind kind, Charges& out) {
    // A time that can't be read stands as it is, so that the row is quarantined with it.
    const auto set_time = [&](BillColumn to, size_t column) {
      const std::string_view text = time(row, column);
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
    const std::string_view name = named(row, kCurProductName, &CurProductWords::name);
    out.set(BillColumn::kServiceName, name.empty() ? row[kCurProductCode] : name);
    out.set(BillColumn::kServiceCategory,
            category_of(named(row, kCurFamily, &CurProductWords::family), row[kCurProductCode]));
    out.set(BillColumn::kRegionId, named(row, kCurRegion, &CurProductWords::region));
    const std::string_view sku = named(row, kCurSku, &CurProductWords::sku);
    out.set(BillColumn::kSkuId, sku.empty() ? row[kCurUsageType] : sku);
    out.set(BillColumn::kSkuPriceId, row[kCurRateCode]);
    out.set(BillColumn::kChargeDescription, row[kCurDescription]);
    set_details(row, out);
    set_pricing(row, kind, out);
    set_capacity(row, out);
    set_tags(row, out);
  }

  void find_product(const NativeRow& row) {
    const std::string_view cell = row[kCurProduct];
    if (cell.empty()) {
      product_ = nullptr;
    } else if (product_ == nullptr || product_->first != cell) {
      const auto [at, is_new] = products_.try_emplace(std::string(cell));
      if (is_new) at->second = product_words(cell);
      product_ = &*at;
    }
  }
  std::string_view named(const NativeRow& row, size_t column,
                         std::string CurProductWords::* word) const {
    if (!row[column].empty() || product_ == nullptr) return row[column];
    return product_->second.*word;
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
    std::string_view type = named(row, kCurInstanceType, &CurProductWords::type);
    if (type.empty()) type = type_in_usage(row[kCurUsageType]);
    if (row[kCurUsageType].find("EBSOptimized") != std::string_view::npos) return;
    const std::string_view gpu = named(row, kCurGpu, &CurProductWords::gpu);
    const std::string_view vcpu = named(row, kCurVcpu, &CurProductWords::vcpu);
    const std::string_view memory = named(row, kCurMemory, &CurProductWords::memory);
    if (type.empty() && gpu.empty()) return;
    text_.clear();
    for (const std::string_view part : {type, gpu, vcpu, memory}) text_.append(part) += '\n';
    out.set(BillColumn::kSkuPriceDetails, details_.find(text_, [&](std::string_view) {
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
  }

  // R11: what the other types of rows count was counted by these.
  static void set_quantity(const NativeRow& row, CurKind kind, Charges& out) {
    if (kind != CurKind::kUsage && kind != CurKind::kReserved && kind != CurKind::kPlanned) return;
    out.set(BillColumn::kConsumedQuantity, row[kCurAmount]);
    out.set(BillColumn::kConsumedUnit, row[kCurUnit]);
    out.set(BillColumn::kPricingQuantity, row[kCurAmount]);
    out.set(BillColumn::kPricingUnit, row[kCurUnit]);
  }

  // Legacy reports say an unused reservation by the usage type alone.
  static void set_capacity(const NativeRow& row, Charges& out) {
    const std::string_view usage_type = row[kCurUsageType];
    const bool unused = usage_type.find("UnusedBox:") != std::string_view::npos ||
                        usage_type.find("UnusedDed:") != std::string_view::npos;
    const std::string_view id = row[kCurCapacity];
    out.set(BillColumn::kCapacityReservationId, id.empty() && unused ? row[kCurResource] : id);
    const std::string_view status = row[kCurCapacityStatus];
    out.set(BillColumn::kCapacityReservationStatus,
            status.empty() && unused ? std::string_view("Unused") : status);
  }

  void set_tags(const NativeRow& row, Charges& out) {
    const std::string_view tags = row[kCurTags], categories = row[kCurCostCategory];
    if (tags.empty() && categories.empty()) return out.set(BillColumn::kTags, tags_.find(row));
    text_.assign(tags) += '\n';
    text_ += categories;
    out.set(BillColumn::kTags,
            maps_.find(text_, [&](std::string_view) { return tag_text(tags, categories); }));
  }

  static std::string_view either(const NativeRow& row, size_t net, size_t gross) {
    return row[net].empty() ? row[gross] : row[net];
  }

  // The costs beside the billed one, of a row whose cost can be read.
  void set_costs(const NativeRow& row, CurKind kind, std::string_view billed, Charges& out) {
    switch (kind) {
      case CurKind::kUsage:
        out.set(BillColumn::kEffectiveCost, billed);
        out.set(BillColumn::kListCost, row[kCurListCost]);
        return out.set(BillColumn::kContractedCost, billed);
      case CurKind::kReserved:
        out.set(BillColumn::kListCost, row[kCurListCost]);
        return out.set(BillColumn::kEffectiveCost,
                       either(row, kCurNetReservationCost, kCurReservationCost));
      case CurKind::kPlanned:
        out.set(BillColumn::kListCost, row[kCurListCost]);
        out.set(BillColumn::kContractedCost, billed);
        return out.set(BillColumn::kEffectiveCost, either(row, kCurNetPlanCost, kCurPlanCost));
      case CurKind::kReservedFee:
        return add_unused(row, kind, either(row, kCurNetUnusedUpfront, kCurUnusedUpfront),
                          either(row, kCurNetUnusedRecurring, kCurUnusedRecurring), out);
      case CurKind::kPlannedFee:
        return add_unused(row, kind, row[kCurPlanCommitment], row[kCurPlanUsed], out);
      case CurKind::kUpfrontFee:
        return out.set(BillColumn::kEffectiveCost, "0");
      case CurKind::kFee:
      case CurKind::kRefund:
        return out.set(BillColumn::kEffectiveCost,
                       commitment_of(row).empty() ? billed : std::string_view("0"));
      case CurKind::kDiscount:  // no use of a price list
        out.set(BillColumn::kListCost, billed);
        out.set(BillColumn::kContractedCost, billed);
        return out.set(BillColumn::kEffectiveCost, billed);
      default:
        out.set(BillColumn::kEffectiveCost, billed);
    }
  }

  // The part of a commitment that nothing used is a charge of its own, beside the fee: upfront and
  // recurring parts of a reservation, commitment less use of a plan. It is no machine's. Of a
  // reservation one part alone may be all that there is; else what is not said leaves it unknown.
  void add_unused(const NativeRow& row, CurKind kind, std::string_view first,
                  std::string_view second, Charges& out) {
    const Amount one = amount_of(first), other = amount_of(second);
    if (!one.ok || !other.ok) return out.set(BillColumn::kEffectiveCost, "unreadable");
    out.set(BillColumn::kEffectiveCost, "0");
    const bool reserved = kind == CurKind::kReservedFee;
    const bool said = reserved ? one.money || other.money : one.money && other.money;
    const Money unused =
        reserved ? one.or_zero() + other.or_zero() : one.or_zero() - other.or_zero();
    if (said && unused.is_zero()) return;
    out.add(row);
    set_words(row, kind, out);
    out.set(BillColumn::kChargeCategory, "Usage");
    out.set(BillColumn::kCommitmentDiscountStatus, "Unused");
    out.set(BillColumn::kPricingCategory, "Committed");
    out.set(BillColumn::kBilledCost, "0");
    if (said) out.keep(BillColumn::kEffectiveCost, unused);
  }

  Netting& netting_;
  std::string_view currency_;  // of rows without one
  MadeTexts times_, details_, maps_;
  TagTexts tags_;
  std::unordered_map<std::string, CurProductWords> products_;
  const std::pair<const std::string, CurProductWords>* product_ = nullptr;  // of the row
  Netting::Key key_;
  Month month_;
  std::string month_text_ = "1970-01-01T00:00:00Z", text_;
};

constexpr NativeFormat kCurNative = {
    .columns = kCurColumnTable,
    .needed = kCurNeeded,
    .currency = kCurCurrency,
    .tag_columns = kCurTagColumns,
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
