// The texts of bill lines: FOCUS columns that many lines share. A line names its set by index.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "synth/world.h"

namespace tare::synth {

enum class Text : uint8_t {
  kBillingAccountId,
  kSubAccountId,
  kInvoiceId,  // without the month, which is put after it
  kInvoiceIssuerName,
  kChargeCategory,
  kChargeClass,
  kChargeDescription,
  kChargeFrequency,
  kServiceName,
  kServiceCategory,
  kResourceId,
  kResourceType,
  kRegionId,
  kProviderName,
  kSkuId,
  kSkuPriceId,
  kSkuPriceDetails,
  kPricingCategory,
  kCommitmentDiscountId,
  kCommitmentDiscountStatus,
  kConsumedUnit,
  kTags,
  kCount
};
inline constexpr size_t kTexts = static_cast<size_t>(Text::kCount);
extern const std::array<std::string_view, kTexts> kTextNames;  // FOCUS's names

struct Dim {
  std::array<std::string, kTexts> text;  // "": null
  Seller seller = Seller::kAws;
  uint32_t unassigned = kNone;  // the account where nothing names a model
  std::string& operator[](Text column) { return text[static_cast<size_t>(column)]; }
  const std::string& operator[](Text column) const { return text[static_cast<size_t>(column)]; }
};

// Lines without a machine.
enum class Fill : uint8_t { kNetwork, kStorage, kUnassigned, kTagged, kCount };

// Accounts that are not of one run: where the other lines go.
struct OwnAccounts {
  uint32_t tax, credit, adjustment, storage;
  uint32_t network, support;                               // where nobody takes part
  std::vector<uint32_t> fee, unused;                       // by commitment
  std::vector<uint32_t> network_of, support_of, batch_of;  // by model
};

struct Dims {
  std::vector<Dim> all;
  // By seller: the months' own charges.
  std::array<int32_t, 2> tax = {}, credit = {};
  int32_t support = 0, adjustment = 0;
  std::vector<int32_t> fee, unused;      // by commitment
  std::vector<int32_t> fill;             // kNetwork, kStorage, kUnassigned, then kTagged by model
  std::vector<int32_t> correction;       // by machine; -1: it has none
  std::vector<std::string> commitments;  // ids
  OwnAccounts accounts;
};

// Sets `dim` of every charge of the world's machines, and names the accounts that are no run's.
Dims make_dims(World* world);

}  // namespace tare::synth
