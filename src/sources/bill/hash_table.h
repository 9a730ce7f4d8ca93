// An open-addressing table from 128-bit hashes, which are as good as random already, to small
// values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash128.h"

namespace tare::sources {

template <typename Value>
class HashTable {
 public:
  // The value of `key`, and whether it is new (then a default one). Valid until the next insertion.
  std::pair<Value*, bool> insert(Hash128 key) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    Slot& slot = find(key);
    if (slot.used) return {&slot.value, false};
    slot = {key, Value(), true};
    ++size_;
    return {&slot.value, true};
  }
  // Where insert() will look first, to be prefetched by the caller: GCC drops a call of a function
  // that does nothing else. May be null.
  const void* place_of(Hash128 key) const {
    return slots_.empty() ? nullptr : &slots_[key.hi & (slots_.size() - 1)];
  }
  size_t size() const { return size_; }
  void clear() {
    slots_.clear();
    size_ = 0;
  }

 private:
  struct Slot {
    Hash128 key;
    Value value{};
    bool used = false;
  };
  static constexpr size_t kFirstSlots = 64;

  Slot& find(Hash128 key) {
    const size_t mask = slots_.size() - 1;
    size_t at = key.hi & mask;
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old =
        std::exchange(slots_, std::vector<Slot>(slots_.empty() ? kFirstSlots : slots_.size() * 2));
    for (Slot& slot : old) {
      if (slot.used) find(slot.key) = std::move(slot);
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace tare::sources
