// SHA-256 (FIPS 180-4) of files and texts: what lineage shows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tare {

std::string sha256_hex(std::string_view bytes);  // 64 lower-case hex digits

class Sha256 {
 public:
  Sha256();
  void update(std::string_view bytes);
  std::string finish_hex();  // once; no update after it

 private:
  std::array<uint32_t, 8> state_;
  std::array<unsigned char, 64> buffer_{};
  size_t used_ = 0;     // bytes in buffer_
  uint64_t total_ = 0;  // bytes in all
};

}  // namespace tare
