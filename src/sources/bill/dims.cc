#include "sources/bill/dims.h"

#include <algorithm>
#include <cctype>

#include "sources/bill/cell_hash.h"
#include "sources/bill/currencies.h"
#include "sources/bill/tags.h"

namespace tare::sources {
namespace {

constexpr size_t kMostRawEntries = size_t{1} << 20;

constexpr std::array<std::string_view, 5> kCategories = {"Usage", "Purchase", "Tax", "Credit",
                                                         "Adjustment"};

bool same_folded(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

// Columns whose values FOCUS names, as far as later stages compare them.
struct NamedValues {
  DimColumn column;
  std::vector<std::string_view> values;
};
const std::vector<NamedValues>& named_values() {
  static const std::vector<NamedValues> kValues = {
      {DimColumn::kCommitmentDiscountStatus, {"Used", "Unused"}},
      {DimColumn::kCapacityReservationStatus, {"Used", "Unused"}},
      {DimColumn::kPricingCategory, {"Standard", "Dynamic", "Committed", "Other"}},
      {DimColumn::kChargeFrequency, {"One-Time", "Recurring", "Usage-Based"}},
  };
  return kValues;
}

// Makes the normal texts of one row, and notes what was wrong with them.
class TextMaker {
 public:
  TextMaker(const Cells& cells, const BillRow& row, const BillDefaults& defaults)
      : cells_(cells), row_(row), defaults_(defaults) {}

  DimTexts texts;
  ChargeCategory category = ChargeCategory::kUsage;
  FindingBits findings;

  void make() {
    for (size_t i = 0; i < kDimColumns; ++i) {
      texts[i] = known(cells_.columns[static_cast<DimColumn>(i)].stream);
    }
    if (auto provider = known(cells_.columns[BillColumn::kServiceProvider].stream)) {
      at(DimColumn::kProviderName) = std::move(provider);
    }
    make_currency();
    make_category();
    make_class();
    make_tags();
    for (const NamedValues& named : named_values()) make_named(named);
    if (defaults_.is_plain) make_plain();
  }

 private:
  std::optional<std::string>& at(DimColumn column) { return texts[static_cast<size_t>(column)]; }

  std::optional<std::string> known(int stream) {
    const auto cell = cells_.raw(stream);
    if (!cell || cell->empty()) return std::nullopt;
    if (is_unknown(trim(*cell))) {
      findings.set_if(!trim(*cell).empty(), BillFinding::kLiteralNull);
      return std::nullopt;
    }
    return std::string(*cell);
  }

  void make_currency() {
    const std::string currency = currency_of(cells_, defaults_);
    at(DimColumn::kBillingCurrency) = currency;
    findings.set_if(!is_iso_4217(currency), BillFinding::kUnknownCurrency);
    findings.set_if(!defaults_.project_currency.empty() && currency != defaults_.project_currency,
                    BillFinding::kCurrencyMixed);
  }

  // What is none of FOCUS's categories is no usage that we may count time from, and no purchase,
  // tax or credit either: an adjustment still goes to its resource where it has one.
  void make_category() {
    std::optional<std::string>& text = at(DimColumn::kChargeCategory);
    if (!text && defaults_.is_plain) text = kCategories.front();
    const std::string delivered = text.value_or("");
    for (size_t i = 0; i < kCategories.size(); ++i) {
      if (!same_folded(trim(delivered), kCategories[i])) continue;
      category = static_cast<ChargeCategory>(i);
      findings.set_if(delivered != kCategories[i], BillFinding::kChargeCategoryCase);
      text = kCategories[i];
      return;
    }
    category = ChargeCategory::kAdjustment;
    text = kCategories[static_cast<size_t>(category)];
    findings.set(BillFinding::kChargeCategoryUnknown);
  }

  void make_class() {
    std::optional<std::string>& text = at(DimColumn::kChargeClass);
    if (!text) return;
    if (same_folded(trim(*text), "Correction")) {
      text = "Correction";
    } else {
      findings.set(BillFinding::kChargeClassUnknown);
    }
  }

  void make_tags() {
    std::optional<std::string>& text = at(DimColumn::kTags);
    if (!text) return;
    const auto normal = normalise_tags(*text);
    findings.set_if(!normal, BillFinding::kTagsUnreadable);
    if (normal) {
      text = normal->text;
      findings.set_if(normal->untrimmed_key, BillFinding::kTagKeyUntrimmed);
    } else {
      text.reset();
    }
  }

  void make_named(const NamedValues& named) {
    std::optional<std::string>& text = at(named.column);
    if (!text) return;
    for (const std::string_view value : named.values) {
      if (same_folded(trim(*text), value)) text = value;
    }
  }

  void make_plain() {
    if (row_.consumed) at(DimColumn::kConsumedUnit) = "Hours";
    if (row_.devices) {
      at(DimColumn::kSkuPriceDetails) = "{\"GpuCount\":" + std::to_string(*row_.devices) + "}";
    }
  }

  const Cells& cells_;
  const BillRow& row_;
  const BillDefaults& defaults_;
};

Hash128 hash_of(const DimTexts& texts) {
  HashBuilder hash;
  for (const auto& text : texts) {
    if (text) {
      hash.add(*text);
    } else {
      hash.add_null();
    }
  }
  return hash.finish();
}

// 0 where nothing names what was charged: then only the whole row tells it from others.
uint64_t delivery_key_of(const DimTexts& texts) {
  bool named = false;
  for (const DimColumn column : {DimColumn::kBillingAccountId, DimColumn::kResourceId,
                                 DimColumn::kServiceName, DimColumn::kSkuId}) {
    named = named || texts[static_cast<size_t>(column)].has_value();
  }
  if (!named) return 0;
  HashBuilder hash;
  for (const DimColumn column :
       {DimColumn::kBillingAccountId, DimColumn::kSubAccountId, DimColumn::kResourceId,
        DimColumn::kServiceName, DimColumn::kSkuId, DimColumn::kSkuPriceId,
        DimColumn::kChargeCategory, DimColumn::kChargeClass, DimColumn::kPricingCategory,
        DimColumn::kCommitmentDiscountId}) {
    hash.add(texts[static_cast<size_t>(column)].value_or(""));
  }
  return hash.finish().lo | 1;
}

}  // namespace

std::string currency_code(std::string_view text) {
  std::string currency(text);
  if (currency.size() == 3) {
    std::transform(currency.begin(), currency.end(), currency.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }
  return currency;
}

std::string currency_of(const Cells& cells, const BillDefaults& defaults) {
  const auto cell = cells.raw(cells.columns[DimColumn::kBillingCurrency].stream);
  const std::string_view text = cell ? trim(*cell) : std::string_view();
  return currency_code(is_unknown(text) ? std::string_view(defaults.currency) : text);
}

Hash128 DimTable::begin_find(const Cells& cells, const BillRow& row) const {
  CellHash hash;
  for (const BillColumns::Text& text : cells.columns.texts) {
    const auto cell = cells.raw(text.stream);
    if (!cell) continue;
    hash.add(text.column);
    hash.add(*cell);
  }
  if (defaults_.is_plain) {
    hash.add(row.consumed ? uint64_t{1} : uint64_t{0});
    hash.add(static_cast<uint64_t>(row.devices.value_or(-1)));
  }
  const Hash128 begun = hash.finish();
  __builtin_prefetch(by_raw_.place_of(begun));
  return begun;
}

const DimEntry& DimTable::find(Hash128 begun, const Cells& cells, const BillRow& row) {
  if (by_raw_.size() == kMostRawEntries) by_raw_.clear();
  const auto [entry, is_new] = by_raw_.insert(begun);
  if (is_new) *entry = make_entry(cells, row);
  return *entry;
}

DimEntry DimTable::make_entry(const Cells& cells, const BillRow& row) {
  TextMaker maker(cells, row, defaults_);
  maker.make();
  const auto text = [&](DimColumn column) -> const std::optional<std::string>& {
    return maker.texts[static_cast<size_t>(column)];
  };
  DimEntry entry;
  entry.category = maker.category;
  entry.has_commitment = text(DimColumn::kCommitmentDiscountId).has_value();
  entry.is_correction = text(DimColumn::kChargeClass) == "Correction";
  entry.currency = currency_index(text(DimColumn::kBillingCurrency).value_or(""));
  LineSums::Words words;
  for (size_t i = 0; i < words.size(); ++i) words[i] = text(LineSums::kWords[i]).value_or("");
  entry.sum_key = sums_->key_of(words);
  entry.delivery_key = delivery_key_of(maker.texts);
  entry.hash = hash_of(maker.texts);
  entry.findings = maker.findings;
  const auto next = static_cast<int32_t>(ids_.size());
  const auto [id, is_new] = ids_.insert(entry.hash);
  if (is_new) {
    *id = next;
    write(next, maker.texts);
  }
  entry.id = *id;
  return entry;
}

void DimTable::write(int32_t id, const DimTexts& texts) {
  out_->set_i32(0, id);
  for (size_t i = 0; i < kDimColumns; ++i) {
    out_->set_known_text(i + 1, texts[i].value_or(""));
  }
  out_->end_row();
}

uint32_t DimTable::currency_index(const std::string& currency) {
  const auto at = std::find(currencies_.begin(), currencies_.end(), currency);
  const auto index = static_cast<uint32_t>(at - currencies_.begin());
  if (at == currencies_.end()) currencies_.push_back(currency);
  return index;
}

}  // namespace tare::sources
