// Ids of bill lines (R04): a 128-bit hash over source, billing period and normal columns, and the
// ordinal among identical lines. Lines that are identical are interchangeable, so no order shows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash128.h"
#include "base/instant.h"
#include "sources/bill/hash_table.h"
#include "sources/bill/row.h"

namespace tare::sources {

class LineIds {
 public:
  LineIds(std::string_view source, Month period);

  // Of the line's content alone, without an ordinal.
  Hash128 content(Hash128 dim, Hash128 further, const BillRow& row) const;
  // Where next() will look first, to be prefetched by the caller (hash_table.h). May be null.
  const void* place_of(Hash128 content) const {
    return keys_.empty() ? nullptr : &keys_[content.lo & (keys_.size() - 1)];
  }
  // The line's id; the lines so far decide its ordinal.
  Hash128 next(Hash128 content);

 private:
  bool seen_before(uint64_t key);
  void grow();

  Hash128 scope_;
  std::vector<uint64_t> keys_;  // 0: free; open addressing, 8 to 16 bytes a line
  size_t size_ = 0;
  HashTable<int64_t> repeats_;  // of content seen before: how often
};

}  // namespace tare::sources
