// 128-bit content hashes that are kept in the store: ids of lines and rows. They must be the same
// in every version and on every machine, so the function is our own and never changes: MurmurHash3
// x64 128 (A. Appleby, public domain), little-endian reads; `hi` is its first word. Not
// cryptographic: bytes of files are proven by base/sha256.h.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/sha256.h"  // IWYU pragma: export

namespace tare {

struct Hash128 {
  uint64_t hi = 0;
  uint64_t lo = 0;
  auto operator<=>(const Hash128&) const = default;
};

Hash128 hash128(std::string_view bytes, uint64_t seed = 0);
Hash128 combine(Hash128 a, Hash128 b);  // of both, in this order
std::string to_text(Hash128 hash);      // 32 lower-case hex digits

// Incremental, length-prefixed fields: ("a", "bc") and ("ab", "c") differ, null and "" differ.
class HashBuilder {
 public:
  HashBuilder& add(std::string_view field);
  HashBuilder& add_null();
  HashBuilder& add(int64_t value);
  Hash128 finish() const;

 private:
  std::string bytes_;
};

}  // namespace tare
