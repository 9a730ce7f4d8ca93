// Normal rows: what sources make of files, and what the stages after them read back. Text that was
// absent, empty or NULL is an empty optional or "" as said; unknown numbers are empty optionals.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/decimal_text.h"
#include "base/hash128.h"
#include "base/instant.h"
#include "base/money.h"
#include "base/word.h"

namespace tare {

enum class CostColumn : uint8_t { kBilled, kEffective, kList, kContracted };
inline constexpr size_t kCostColumns = 4;
using Costs = std::array<std::optional<Money>, kCostColumns>;

enum class ChargeCategory : uint8_t { kUsage, kPurchase, kTax, kCredit, kAdjustment };

// The texts of a bill line that many lines share ("dimension"). Null is an empty optional.
enum class DimColumn : uint8_t {
  kBillingCurrency,
  kBillingAccountId,
  kSubAccountId,
  kInvoiceId,
  kInvoiceIssuerName,
  kChargeCategory,
  kChargeClass,
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
  kCapacityReservationId,
  kCapacityReservationStatus,
  kConsumedUnit,
  kPricingUnit,
  kChargeDescription,
  kChargeFrequency,
  kTags,
  kRunId,
  kCount
};
inline constexpr size_t kDimColumns = static_cast<size_t>(DimColumn::kCount);
// snake_case column names of the store, in the enum's order.
extern const std::array<const char*, kDimColumns> kDimColumnNames;

// A text of a dim, or none, which an empty text is too: eight bytes, as dims share most of their
// texts.
class DimText {
 public:
  DimText() = default;  // none
  DimText& operator=(std::string_view text) {
    word_ = Word(text);
    return *this;
  }
  bool has_value() const { return !word_.empty(); }
  explicit operator bool() const { return has_value(); }
  const std::string& operator*() const { return word_.text(); }
  const std::string* operator->() const { return &word_.text(); }
  std::string value_or(std::string_view other) const {
    return has_value() ? word_.text() : std::string(other);
  }

 private:
  Word word_;
};

struct BillDim {
  int32_t id = 0;
  std::array<DimText, kDimColumns> text;
  const DimText& operator[](DimColumn column) const { return text[static_cast<size_t>(column)]; }
};

// One bill line, as stored. billing period and source are the file's.
struct BillLine {
  Hash128 id;  // R04
  int32_t dim = 0;
  int64_t charge_start_ns = 0, charge_end_ns = 0;
  Costs costs;  // billed is never empty
  std::optional<Money> consumed_quantity, pricing_quantity;
};

struct RunRow {
  std::string run_id;
  int32_t attempt = 0;
  std::string parent_run_id, name;
  Word model, stage, team, experiment, state, exit_reason, cost_center;
  int64_t start_ns = 0;
  std::optional<int64_t> end_ns, last_checkpoint_ns, rows_in;
  Word source;
};

struct HoldRow {
  std::string run_id;
  int32_t attempt = 0;
  Word resource_id;  // as delivered; aliases are applied by the timeline
  std::optional<std::string> device;
  std::optional<int64_t> device_count;
  int64_t start_ns = 0;
  std::optional<int64_t> end_ns;
  std::optional<Fraction> weight;
  std::optional<Fraction> cpus;
  Word model;  // replicas: the model of endpoint/<name>; else ""
  Word source;
};

struct ResourceRow {
  std::string resource_id;
  std::string pool, team, device_model;
  std::optional<int64_t> devices, memory_bytes;
  std::optional<Fraction> cpus;
  std::optional<int64_t> from_ns, to_ns;
  std::string source;
};

struct AliasRow {
  std::string alias, resource_id;
  std::optional<std::string> device;
  std::optional<int64_t> from_ns, to_ns;
  std::string source;
};

struct DeviceUsageRow {
  Word resource_id, device;
  int64_t start_ns = 0, end_ns = 0;
  // Parts per 1e9, rounded half even from decimal text; empty where unknown or impossible.
  std::optional<int64_t> busy_ppb, sm_active_ppb, tensor_active_ppb, dram_active_ppb;
  std::optional<int64_t> memory_used_bytes;
  std::optional<Money> power_watts;
  std::string source;
};

struct OutcomeRow {
  std::string model, outcome;
  int64_t day_ns = 0;
  Money count;
  std::optional<Money> count_low, count_high;
  std::optional<int64_t> labelled_until_ns;
  std::string source;
};

struct InvoiceRow {
  std::string invoice_id, currency, issuer;
  Money total;
  std::optional<int64_t> billing_period_start_ns;
  std::string source;
};

// One unit of from_currency is `rate` units of to_currency.
struct RateRow {
  std::string from_currency, to_currency;
  int64_t day_ns = 0;
  Money rate;
  std::string source;
};

// A price of machines: per_hour, or capex and life_years, power_watts and per_kwh, staff_per_year.
struct RateCardRow {
  std::string pattern, pool, team, currency;  // pattern: a glob of resource ids
  int64_t from_ns = 0;
  std::optional<int64_t> to_ns;
  std::optional<Money> per_hour, capex, life_years, power_watts, per_kwh, pue, staff_per_year;
  std::string source;
};
// Tags of a bill line that a rate card made: what the card says of the machine.
inline constexpr std::string_view kCardPoolTag = "rate-card-pool";
inline constexpr std::string_view kCardTeamTag = "rate-card-team";

struct RequestRow {
  std::string model;
  int64_t arrival_ns = 0;
  std::optional<Money> service_ms, queue_ms;
  std::optional<std::string> key, status, replica;
  std::optional<int64_t> size, tokens_in, tokens_out;
  std::string source;
};

struct RetrainDataRow {
  std::string model;
  int64_t day_ns = 0;
  int64_t rows_changed = 0;
  std::optional<int64_t> rows_total;
  std::string source;
};

}  // namespace tare
