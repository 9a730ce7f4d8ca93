#include "synth/dims.h"

#include <fmt/format.h>

namespace tare::synth {

constinit const std::array<std::string_view, kTexts> kTextNames = {
    "BillingAccountId",
    "SubAccountId",
    "InvoiceId",
    "InvoiceIssuerName",
    "ChargeCategory",
    "ChargeClass",
    "ChargeDescription",
    "ChargeFrequency",
    "ServiceName",
    "ServiceCategory",
    "ResourceId",
    "ResourceType",
    "RegionId",
    "ProviderName",
    "SkuId",
    "SkuPriceId",
    "SkuPriceDetails",
    "PricingCategory",
    "CommitmentDiscountId",
    "CommitmentDiscountStatus",
    "ConsumedUnit",
    "Tags",
};

namespace {

constexpr int64_t kMicros = 1'000'000;

Dim seller_dim(Seller seller) {
  const SellerNames& names = names_of(seller);
  Dim dim;
  dim.seller = seller;
  dim[Text::kBillingAccountId] = names.billing_account;
  dim[Text::kInvoiceId] = names.invoice_prefix;
  dim[Text::kInvoiceIssuerName] = names.issuer;
  dim[Text::kProviderName] = names.provider;
  dim[Text::kChargeCategory] = "Usage";
  dim[Text::kChargeFrequency] = "Usage-Based";
  return dim;
}

std::string price_text(int64_t micros) {
  return fmt::format("${}.{:06}", micros / kMicros, micros % kMicros);
}

std::string details_of(const Shape& shape) {
  const std::string devices =
      shape.devices == 0 ? "" : fmt::format(R"("GpuCount":{},)", shape.devices);
  return fmt::format(R"({{"CoreCount":{},{}"InstanceType":"{}","OperatingSystem":"Linux"}})",
                     shape.cpus, devices, shape.instance_type);
}

// What a charge beside the machine is called.
struct Beside {
  std::string_view sku, description, service, category, type, unit;
};
const Beside& beside_of(ChargeKind kind) {
  static constexpr Beside kLicence = {"RHEL-8-LIC",
                                      "per hour Red Hat Enterprise Linux license",
                                      "Amazon Elastic Compute Cloud",
                                      "Compute",
                                      "License",
                                      "Hours"};
  static constexpr Beside kDisk = {"EBS-GP3-01",
                                   "per GB-hour of gp3 volume storage",
                                   "Amazon Elastic Block Store",
                                   "Storage",
                                   "Volume",
                                   "GB-Hours"};
  static constexpr Beside kAddress = {"PUBLIC-IP4",
                                      "per hour public IPv4 address",
                                      "Amazon Virtual Private Cloud",
                                      "Networking",
                                      "IP Address",
                                      "Hours"};
  static constexpr Beside kThroughput = {"EBS-TPUT-1",
                                         "per MiBps-month provisioned throughput",
                                         "Amazon Elastic Block Store",
                                         "Storage",
                                         "Volume",
                                         "MiBps-Mo"};
  switch (kind) {
    case ChargeKind::kLicence:
      return kLicence;
    case ChargeKind::kDisk:
      return kDisk;
    case ChargeKind::kAddress:
      return kAddress;
    default:
      return kThroughput;
  }
}

class DimTable {
 public:
  explicit DimTable(World* world) : world_(*world) {}

  Dims make() {
    make_commitments();
    make_own_charges();
    make_fill();
    for (size_t i = 0; i < world_.machines.size(); ++i) make_machine(i);
    name_accounts();
    return std::move(dims_);
  }

 private:
  int32_t add(Dim dim) {
    dims_.all.push_back(std::move(dim));
    return static_cast<int32_t>(dims_.all.size() - 1);
  }

  // One a seller, and one for each that is planted.
  void make_commitments() {
    std::vector<Seller> sellers = {Seller::kAws, Seller::kGcp};
    dims_.commitments = {fmt::format("sp-{:08x}", static_cast<uint32_t>(world_.wanted.seed)),
                         fmt::format("cud-{:08x}", static_cast<uint32_t>(world_.wanted.seed))};
    for (size_t i = 0; i < world_.wanted.plants.size(); ++i) {
      if (world_.wanted.plants[i].plant != Plant::kCommitmentUnused) continue;
      dims_.commitments.push_back(fmt::format("sp-planted-{}", i));
      sellers.push_back(Seller::kAws);
    }
    for (size_t i = 0; i < dims_.commitments.size(); ++i) {
      Dim dim = seller_dim(sellers[i]);
      dim[Text::kServiceName] = "Compute Savings Plans";
      dim[Text::kServiceCategory] = "Compute";
      dim[Text::kSkuId] = "SAVINGS-1Y";
      dim[Text::kPricingCategory] = "Committed";
      dim[Text::kCommitmentDiscountId] = dims_.commitments[i];
      dim[Text::kCommitmentDiscountStatus] = "Unused";
      dim[Text::kChargeDescription] = "unused part of the commitment";
      dims_.unused.push_back(add(dim));
      dim[Text::kCommitmentDiscountStatus] = "";
      dim[Text::kChargeCategory] = "Purchase";
      dim[Text::kChargeFrequency] = "Recurring";
      dim[Text::kChargeDescription] = "monthly fee of the commitment";
      dims_.fee.push_back(add(dim));
    }
  }

  void make_own_charges() {
    for (const Seller seller : {Seller::kAws, Seller::kGcp}) {
      Dim dim = seller_dim(seller);
      dim[Text::kChargeFrequency] = "Recurring";
      dim[Text::kChargeCategory] = "Tax";
      dim[Text::kServiceName] = "Tax";
      dim[Text::kServiceCategory] = "Other";
      dim[Text::kChargeDescription] = "value added tax";
      dims_.tax[static_cast<size_t>(seller)] = add(dim);
      dim[Text::kChargeCategory] = "Credit";
      dim[Text::kServiceName] = names_of(seller).compute;
      dim[Text::kServiceCategory] = "Compute";
      dim[Text::kChargeFrequency] = "One-Time";
      dim[Text::kChargeDescription] = "promotional credit";
      dims_.credit[static_cast<size_t>(seller)] = add(dim);
    }
    Dim dim = seller_dim(Seller::kAws);
    dim[Text::kChargeFrequency] = "Recurring";
    dim[Text::kServiceName] = "AWS Support (Business)";
    dim[Text::kServiceCategory] = "Other";
    dim[Text::kChargeDescription] = "support plan";
    dims_.support = add(dim);
    dim[Text::kChargeCategory] = "Adjustment";
    dim[Text::kServiceName] = names_of(Seller::kAws).compute;
    dim[Text::kServiceCategory] = "Compute";
    dim[Text::kChargeFrequency] = "One-Time";
    dim[Text::kChargeDescription] = "rounding of a former month";
    dims_.adjustment = add(dim);
  }

  void make_fill() {
    struct Words {
      std::string_view service, category, sku, description;
    };
    constexpr std::array<Words, 4> kWords = {{
        {"AWS Data Transfer", "Networking", "XFER-OUT-1", "per GB transferred out"},
        {"Amazon Simple Storage Service", "Storage", "S3-STD-001", "per GB-hour stored"},
        {"AmazonCloudWatch", "Management and Governance", "CW-METRICS", "per metric-hour"},
        {"AWS Lambda", "Compute", "LAMBDA-GBS", "per GB-second of functions"},
    }};
    for (size_t i = 0; i < kWords.size(); ++i) {
      Dim dim = seller_dim(Seller::kAws);
      dim[Text::kServiceName] = kWords[i].service;
      dim[Text::kServiceCategory] = kWords[i].category;
      dim[Text::kSkuId] = kWords[i].sku;
      dim[Text::kChargeDescription] = kWords[i].description;
      dim[Text::kPricingCategory] = "Standard";
      dim[Text::kConsumedUnit] = "GB-Hours";
      dim[Text::kRegionId] = names_of(Seller::kAws).region;
      if (i < static_cast<size_t>(Fill::kTagged)) {
        dims_.fill.push_back(add(dim));
        continue;
      }
      for (size_t model = 0; model < kCommonModels; ++model) {
        dim[Text::kTags] =
            fmt::format(R"({{"model":"{}","stage":"batch"}})", company_models()[model].name);
        dims_.fill.push_back(add(dim));
      }
    }
  }

  std::string tags_of(const Machine& machine) const {
    const CompanyModel& model = company_models()[machine.model];
    std::string tags;
    auto put = [&](std::string_view key, std::string_view value) {
      tags += fmt::format(R"({}"{}":"{}")", tags.empty() ? "" : ",", key, value);
    };
    if (machine.tagged) put("env", "prod");
    if (machine.use == Use::kTagRule) put("model", model.name);
    if (machine.pool_by == NamedBy::kPoolTag) put("pool", machine.pool);
    if (machine.use == Use::kTaggedRun)
      put("run_id", world_.run_id(world_.holders[machine.holder].run));
    if (machine.use == Use::kTagRule) put("stage", "batch");
    if (machine.tagged) put("team", model.team);
    return tags.empty() ? "" : "{" + tags + "}";
  }

  Dim machine_dim(const Machine& machine, size_t index) const {
    const Shape& shape = shape_of(machine.shape);
    Dim dim = seller_dim(shape.seller);
    dim[Text::kSubAccountId] = fmt::format("{:012}", 13370042000 + index % 16);
    dim[Text::kServiceName] = names_of(shape.seller).compute;
    dim[Text::kServiceCategory] = "Compute";
    dim[Text::kResourceId] = machine.id;
    dim[Text::kResourceType] = "Instance";
    dim[Text::kRegionId] = names_of(shape.seller).region;
    dim[Text::kSkuId] = shape.sku;
    dim[Text::kSkuPriceId] = fmt::format("{}.JRTCKXETXF", shape.sku);
    dim[Text::kSkuPriceDetails] = details_of(shape);
    dim[Text::kPricingCategory] = machine.pricing == Pricing::kSpot ? "Dynamic" : "Standard";
    dim[Text::kConsumedUnit] = machine.unit == TimeUnitOf::kDeviceHours ? "GPU-Hours"
                               : machine.unit == TimeUnitOf::kCoreHours ? "vCPU-Hours"
                                                                        : "Hours";
    dim[Text::kChargeDescription] = fmt::format("{} per Linux {} instance hour",
                                                price_text(shape.list_micros), shape.instance_type);
    dim[Text::kTags] = tags_of(machine);
    return dim;
  }

  void make_machine(size_t index) {
    Machine& machine = world_.machines[index];
    const Dim own = machine_dim(machine, index);
    for (Charge& charge : machine.charges) {
      Dim dim = own;
      const bool committed =
          machine.pricing == Pricing::kCommitted ||
          (machine.pricing == Pricing::kMixed && charge.kind == ChargeKind::kRest);
      if (charge.kind == ChargeKind::kInstance || charge.kind == ChargeKind::kRest) {
        if (committed) commit(&dim);
      } else {
        put_beside(charge, &dim);
      }
      charge.dim = add(std::move(dim));
    }
    dims_.correction.push_back(-1);
    if (machine.frequency != Frequency::kHourly || machine.plant >= 0) return;
    Dim dim = own;
    dim[Text::kChargeClass] = "Correction";
    dims_.correction.back() = add(std::move(dim));
  }

  void commit(Dim* dim) const {
    (*dim)[Text::kPricingCategory] = "Committed";
    (*dim)[Text::kCommitmentDiscountId] = dims_.commitments[static_cast<size_t>(dim->seller)];
    (*dim)[Text::kCommitmentDiscountStatus] = "Used";
  }

  static void put_beside(const Charge& charge, Dim* dim) {
    const Beside& beside = beside_of(charge.kind);
    (*dim)[Text::kSkuId] = beside.sku;
    (*dim)[Text::kSkuPriceId] = "";
    (*dim)[Text::kSkuPriceDetails] = "";
    (*dim)[Text::kPricingCategory] = "Standard";
    (*dim)[Text::kServiceName] = beside.service;
    (*dim)[Text::kServiceCategory] = beside.category;
    (*dim)[Text::kResourceType] = beside.type;
    (*dim)[Text::kConsumedUnit] = beside.unit;
    (*dim)[Text::kChargeDescription] =
        fmt::format("{} {}", price_text(charge.micros_per_hour), beside.description);
  }

  void name_accounts() {
    OwnAccounts& own = dims_.accounts;
    own.tax = world_.account_named("tax");
    own.credit = world_.account_named("credit");
    own.adjustment = world_.account_named("adjustment/Amazon Elastic Compute Cloud");
    own.storage = world_.account_named("shared/storage");
    own.network = world_.account_named("shared/network");
    own.support = world_.account_named("shared/support");
    for (const std::string& id : dims_.commitments) {
      own.fee.push_back(world_.account_named("commitment-fee/" + id));
      own.unused.push_back(world_.account_named("commitment-unused/" + id));
    }
    for (const CompanyModel& model : company_models()) {
      const std::string stem = fmt::format("model/{}/", model.name);
      own.network_of.push_back(world_.account_named(stem + "shared/network"));
      own.support_of.push_back(world_.account_named(stem + "shared/support"));
      own.batch_of.push_back(world_.account_named(stem + "batch/-"));
    }
    for (Dim& dim : dims_.all) {
      dim.unassigned = world_.account_named("unassigned/" + dim[Text::kServiceName]);
    }
  }

  World& world_;
  Dims dims_;
};

}  // namespace

Dims make_dims(World* world) { return DimTable(world).make(); }

}  // namespace tare::synth
