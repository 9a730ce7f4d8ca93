#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/sha256_blocks.h"

namespace tare {
namespace {

constexpr size_t kBlock = 64;

void hash_blocks(std::array<uint32_t, 8>& state, const unsigned char* bytes, size_t blocks) {
  static const bool has_instructions = sha256_instructions_present();
  if (has_instructions) {
    sha256_blocks_x86(state, bytes, blocks);
  } else {
    sha256_blocks_plain(state, bytes, blocks);
  }
}

}  // namespace

Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

void Sha256::update(std::string_view bytes) {
  total_ += bytes.size();
  if (used_ > 0) {
    const size_t taken = std::min(bytes.size(), kBlock - used_);
    bytes.copy(reinterpret_cast<char*>(buffer_.data()) + used_, taken);
    used_ += taken;
    bytes.remove_prefix(taken);
    if (used_ < kBlock) return;
    hash_blocks(state_, buffer_.data(), 1);
    used_ = 0;
  }
  const size_t blocks = bytes.size() / kBlock;
  hash_blocks(state_, reinterpret_cast<const unsigned char*>(bytes.data()), blocks);
  bytes.remove_prefix(blocks * kBlock);
  used_ = bytes.copy(reinterpret_cast<char*>(buffer_.data()), bytes.size());
}

std::string Sha256::finish_hex() {
  const uint64_t bits = total_ * 8;
  buffer_[used_++] = 0x80;
  if (used_ > kBlock - sizeof(bits)) {
    std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(used_), buffer_.end(), 0);
    hash_blocks(state_, buffer_.data(), 1);
    used_ = 0;
  }
  std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(used_), buffer_.end(), 0);
  for (size_t i = 0; i < sizeof(bits); ++i) {
    buffer_[kBlock - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  }
  hash_blocks(state_, buffer_.data(), 1);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += kHex[(word >> shift) & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish_hex();
}

}  // namespace tare
