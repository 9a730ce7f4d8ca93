// The compression function of SHA-256, twice: in plain C++ and with the instructions that x86
// processors have for it (several times faster: a first load hashes every byte of the bill).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tare {

bool sha256_instructions_present();

// Each takes `blocks` blocks of 64 bytes into `state`.
void sha256_blocks_plain(std::array<uint32_t, 8>& state, const unsigned char* bytes, size_t blocks);
// Requires sha256_instructions_present().
void sha256_blocks_x86(std::array<uint32_t, 8>& state, const unsigned char* bytes, size_t blocks);

}  // namespace tare
