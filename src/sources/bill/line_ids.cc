#include "sources/bill/line_ids.h"

#include <bit>
#include <cstring>
#include <utility>

namespace tare::sources {
namespace {

constexpr size_t kFirstKeys = 4096;

// The bytes that are hashed are little-endian on every machine that we build for.
static_assert(std::endian::native == std::endian::little);

class Bytes {
 public:
  void add(const void* data, size_t size) {
    std::memcpy(bytes_ + used_, data, size);
    used_ += size;
  }
  void add(uint64_t value) { add(&value, sizeof(value)); }
  void add(Hash128 hash) {
    add(hash.hi);
    add(hash.lo);
  }
  void add(const std::optional<Money>& amount) {
    const char known = amount ? 1 : 0;
    add(&known, 1);
    const int128 atto = amount ? amount->atto() : 0;
    add(&atto, sizeof(atto));
  }
  Hash128 hash() const { return hash128({bytes_, used_}); }

 private:
  char bytes_[256];
  size_t used_ = 0;
};

}  // namespace

LineIds::LineIds(std::string_view source, Month period)
    : scope_(HashBuilder().add("bill_line").add(source).add(int64_t{period.index}).finish()) {}

Hash128 LineIds::content(Hash128 dim, Hash128 further, const BillRow& row) const {
  Bytes bytes;
  bytes.add(scope_);
  bytes.add(dim);
  bytes.add(further);
  bytes.add(static_cast<uint64_t>(row.start_ns));
  bytes.add(static_cast<uint64_t>(row.end_ns));
  for (const auto& cost : row.costs) bytes.add(cost);
  bytes.add(row.consumed);
  bytes.add(row.pricing);
  return bytes.hash();
}

void LineIds::grow() {
  const std::vector<uint64_t> old =
      std::exchange(keys_, std::vector<uint64_t>(keys_.empty() ? kFirstKeys : keys_.size() * 2));
  const size_t mask = keys_.size() - 1;
  for (const uint64_t key : old) {
    if (key == 0) continue;
    size_t at = key & mask;
    while (keys_[at] != 0) at = (at + 1) & mask;
    keys_[at] = key;
  }
}

bool LineIds::seen_before(uint64_t key) {
  if ((size_ + 1) * 5 > keys_.size() * 4) grow();
  key |= uint64_t{key == 0};
  const size_t mask = keys_.size() - 1;
  size_t at = key & mask;
  while (keys_[at] != 0 && keys_[at] != key) at = (at + 1) & mask;
  if (keys_[at] == key) return true;
  keys_[at] = key;
  ++size_;
  return false;
}

// Two different lines share 64 bits once in 10^6 bills of 10^7 lines; then one of them gets the
// ordinal of a repeat, and ids still differ.
Hash128 LineIds::next(Hash128 content) {
  if (!seen_before(content.lo)) return content;
  int64_t& repeats = *repeats_.insert(content).first;
  ++repeats;
  return HashBuilder()
      .add(static_cast<int64_t>(content.hi))
      .add(static_cast<int64_t>(content.lo))
      .add(repeats)
      .finish();
}

}  // namespace tare::sources
