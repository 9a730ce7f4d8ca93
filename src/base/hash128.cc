#include "base/hash128.h"

#include <bit>

namespace tare {
namespace {

constexpr uint64_t kFirst = 0x87c37b91114253d5;
constexpr uint64_t kSecond = 0x4cf5ad432745937f;

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  if constexpr (std::endian::native == std::endian::little) {
    if (bytes.size() == sizeof(value)) {
      __builtin_memcpy(&value, bytes.data(), sizeof(value));
      return value;
    }
  }
  for (size_t i = bytes.size(); i > 0; --i) {
    value = (value << 8) | static_cast<unsigned char>(bytes[i - 1]);
  }
  return value;
}

uint64_t mix_first(uint64_t word) { return std::rotl(word * kFirst, 31) * kSecond; }
uint64_t mix_second(uint64_t word) { return std::rotl(word * kSecond, 33) * kFirst; }

uint64_t finish(uint64_t word) {
  word ^= word >> 33;
  word *= 0xff51afd7ed558ccd;
  word ^= word >> 33;
  word *= 0xc4ceb9fe1a85ec53;
  return word ^ (word >> 33);
}

void append_little_endian(std::string& bytes, uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(value >> shift);
}

// What kind of field follows, so that no field reads as another.
constexpr char kNull = 0;
constexpr char kText = 1;
constexpr char kInteger = 2;

}  // namespace

Hash128 hash128(std::string_view bytes, uint64_t seed) {
  const uint64_t length = bytes.size();
  uint64_t first = seed;
  uint64_t second = seed;
  for (; bytes.size() >= 16; bytes.remove_prefix(16)) {
    first ^= mix_first(little_endian(bytes.substr(0, 8)));
    first = (std::rotl(first, 27) + second) * 5 + 0x52dce729;
    second ^= mix_second(little_endian(bytes.substr(8, 8)));
    second = (std::rotl(second, 31) + first) * 5 + 0x38495ab5;
  }
  if (bytes.size() > 8) second ^= mix_second(little_endian(bytes.substr(8)));
  if (!bytes.empty()) first ^= mix_first(little_endian(bytes.substr(0, 8)));
  first ^= length;
  second ^= length;
  first += second;
  second += first;
  first = finish(first);
  second = finish(second);
  first += second;
  second += first;
  return {first, second};
}

Hash128 combine(Hash128 a, Hash128 b) {
  std::string bytes;
  for (const uint64_t word : {a.hi, a.lo, b.hi, b.lo}) append_little_endian(bytes, word);
  return hash128(bytes);
}

std::string to_text(Hash128 hash) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const uint64_t word : {hash.hi, hash.lo}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kHex[(word >> shift) & 15];
  }
  return text;
}

HashBuilder& HashBuilder::add(std::string_view field) {
  bytes_ += kText;
  append_little_endian(bytes_, field.size());
  bytes_ += field;
  return *this;
}

HashBuilder& HashBuilder::add_null() {
  bytes_ += kNull;
  return *this;
}

HashBuilder& HashBuilder::add(int64_t value) {
  bytes_ += kInteger;
  append_little_endian(bytes_, static_cast<uint64_t>(value));
  return *this;
}

Hash128 HashBuilder::finish() const { return hash128(bytes_); }

}  // namespace tare
