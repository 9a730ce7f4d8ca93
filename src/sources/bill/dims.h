// The texts of bill lines, written once each ("dimension"). In memory stay hash -> id and what of
// the texts decides about a row; the texts themselves go to the store when they are first seen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sources/bill/columns.h"
#include "sources/bill/hash_table.h"
#include "sources/bill/line_sums.h"
#include "sources/bill/row.h"
#include "store/store.h"

namespace tare::sources {

// What a source adds to its rows.
struct BillDefaults {
  bool is_plain = false;
  std::string currency;          // of rows without one; "" none
  std::string project_currency;  // rows in another one are a finding; "" none
};

struct DimEntry {
  int32_t id = 0;
  ChargeCategory category = ChargeCategory::kUsage;
  bool has_commitment = false;
  bool is_correction = false;
  uint32_t currency = 0;      // index of DimTable::currencies()
  uint32_t sum_key = 0;       // of LineSums
  uint64_t delivery_key = 0;  // of the columns by which deliveries are compared (R08)
  Hash128 hash;               // of the normal texts
  FindingBits findings;
};

// Cells of a chunk's row, as the file has them.
struct Cells {
  const store::Chunk& chunk;
  size_t row;
  const BillColumns& columns;

  std::optional<std::string_view> raw(int stream) const {
    const auto column = static_cast<size_t>(stream);
    if (stream < 0 || !chunk.valid(column, row)) return std::nullopt;
    return chunk.text(column, row);
  }
};

using DimTexts = std::array<std::optional<std::string>, kDimColumns>;

class DimTable {
 public:
  DimTable(const BillDefaults& defaults, store::TableWriter* out, LineSums* sums)
      : defaults_(defaults), out_(out), sums_(sums) {}

  // Of the cells as they stand, whatever columns their file has. The look-up goes in two steps, so
  // that a caller can begin those of many rows before it needs the first.
  Hash128 begin_find(const Cells& cells, const BillRow& row) const;
  const DimEntry& find(Hash128 begun, const Cells& cells,
                       const BillRow& row);  // until the next call
  const std::vector<std::string>& currencies() const { return currencies_; }
  int64_t size() const { return static_cast<int64_t>(ids_.size()); }

 private:
  DimEntry make_entry(const Cells& cells, const BillRow& row);
  void write(int32_t id, const DimTexts& texts);
  uint32_t currency_index(const std::string& currency);

  BillDefaults defaults_;
  store::TableWriter* out_;
  LineSums* sums_;
  HashTable<DimEntry> by_raw_;  // rows that look alike; emptied when it grows too large
  HashTable<int32_t> ids_;      // texts that are alike
  std::vector<std::string> currencies_;
};

std::string currency_code(std::string_view text);  // upper-case where it is a code of three letters
// The currency of a row, upper-case where it is a code of three letters; "" where it has none.
std::string currency_of(const Cells& cells, const BillDefaults& defaults);

}  // namespace tare::sources
