// The further columns of a row as one JSON object (`x`): keys sorted, values as the file's text,
// unknown ones left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sources/bill/dims.h"

namespace tare::sources {

struct FurtherText {
  Hash128 hash;      // of the text; zero where there is none
  std::string text;  // "" where all are unknown
  bool literal_null = false;
  std::vector<uint32_t> unprefixed;  // indexes of BillColumns::further with a value
};

class FurtherColumns {
 public:
  FurtherColumns();
  // Valid until the next call. `category` is kept where it was none of FOCUS's.
  const FurtherText& find(const Cells& cells, const DimEntry& dim);

 private:
  struct Slot {
    Hash128 key;
    bool used = false;
    FurtherText text;
  };
  void make(const Cells& cells, bool with_category, FurtherText& out) const;

  // Most rows look like one of few others; the last text of each slot is kept.
  std::vector<Slot> slots_;
  FurtherText own_;
};

}  // namespace tare::sources
