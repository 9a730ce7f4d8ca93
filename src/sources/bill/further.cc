#include "sources/bill/further.h"

#include <algorithm>

#include "sources/bill/cell_hash.h"
#include "sources/bill/tags.h"

namespace tare::sources {
namespace {

constexpr size_t kSlots = 4096;
constexpr size_t kLongestKept = 16'384;  // bounds what the slots hold

Hash128 raw_hash(const Cells& cells) {
  CellHash hash;
  for (const FurtherColumn& column : cells.columns.further) {
    if (const auto cell = cells.raw(column.stream)) {
      hash.add(*cell);
    } else {
      hash.add(UINT64_MAX);
    }
  }
  return hash.finish();
}

}  // namespace

FurtherColumns::FurtherColumns() : slots_(kSlots) {}

void FurtherColumns::make(const Cells& cells, bool with_category, FurtherText& out) const {
  out = FurtherText();
  std::vector<std::pair<std::string_view, std::string_view>> members;
  const auto& further = cells.columns.further;
  for (size_t i = 0; i < further.size(); ++i) {
    const auto cell = cells.raw(further[i].stream);
    if (!cell || cell->empty()) continue;
    if (is_unknown(*cell)) {
      out.literal_null = true;
      continue;
    }
    members.emplace_back(further[i].name, *cell);
    if (further[i].unprefixed) out.unprefixed.push_back(static_cast<uint32_t>(i));
  }
  const auto category = cells.raw(cells.columns[DimColumn::kChargeCategory].stream);
  if (with_category && category && !is_unknown(*category)) {
    members.emplace_back("ChargeCategory", *category);
    std::sort(members.begin(), members.end());
  }
  if (members.empty()) return;
  for (const auto& [name, value] : members) {
    out.text += out.text.empty() ? '{' : ',';
    append_json_string(out.text, name);
    out.text += ':';
    append_json_string(out.text, value);
  }
  out.text += '}';
  out.hash = hash128(out.text);
}

const FurtherText& FurtherColumns::find(const Cells& cells, const DimEntry& dim) {
  if (dim.findings.has(BillFinding::kChargeCategoryUnknown)) {
    make(cells, true, own_);
    return own_;
  }
  if (cells.columns.further.empty()) {
    own_ = FurtherText();
    return own_;
  }
  const Hash128 key = raw_hash(cells);
  Slot& slot = slots_[key.hi % kSlots];
  if (slot.used && slot.key == key) return slot.text;
  make(cells, false, slot.text);
  slot.key = key;
  slot.used = slot.text.text.size() <= kLongestKept;
  return slot.text;
}

}  // namespace tare::sources
