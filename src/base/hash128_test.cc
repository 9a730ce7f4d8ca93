#include "base/hash128.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/sha256_blocks.h"

namespace tare {
namespace {

// Vectors of Appleby's MurmurHash3_x64_128, as its ports publish them.
TEST(Hash128, KnownVectors) {
  EXPECT_EQ(to_text(hash128("")), "00000000000000000000000000000000");
  EXPECT_EQ(to_text(hash128("hello")), "cbd8a7b341bd9b025b1e906a48ae1d19");
  EXPECT_EQ(to_text(hash128("hello, world")), "342fac623a5ebc8e4cdcbc079642414d");
  EXPECT_EQ(to_text(hash128("The quick brown fox jumps over the lazy dog.")),
            "cd99481f9ee902c9695da1a38987b6e7");
  EXPECT_EQ(to_text(hash128("", 1)), "4610abe56eff5cb551622daa78f83583");
}

// SMHasher's verification: the hashes of 256 keys {0}, {0, 1}, ... with seeds 256 - length, hashed.
TEST(Hash128, SmhasherVerification) {
  std::string keys;
  std::string hashes;
  const auto append = [](std::string& bytes, Hash128 hash) {
    for (const uint64_t word : {hash.hi, hash.lo}) {
      for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift);
    }
  };
  for (uint64_t length = 0; length < 256; ++length) {
    append(hashes, hash128(keys, 256 - length));
    keys += static_cast<char>(length);
  }
  EXPECT_EQ(hash128(hashes).hi & 0xffffffff, 0x6384BA69U);
}

TEST(HashBuilder, FieldsAreKeptApart) {
  const auto two = [](std::string_view a, std::string_view b) {
    return HashBuilder().add(a).add(b).finish();
  };
  EXPECT_NE(two("a", "bc"), two("ab", "c"));
  EXPECT_NE(two("", "a"), two("a", ""));
  EXPECT_NE(HashBuilder().add("").finish(), HashBuilder().add_null().finish());
  EXPECT_NE(HashBuilder().add(int64_t{1}).finish(), HashBuilder().add("1").finish());
  EXPECT_NE(HashBuilder().finish(), HashBuilder().add_null().finish());
  EXPECT_NE(HashBuilder().add(int64_t{-1}).finish(), HashBuilder().add(int64_t{1}).finish());
  EXPECT_EQ(two("a", "b"), two("a", "b"));
}

// What the store keeps must never change: these values are a promise.
TEST(HashBuilder, IsStable) {
  EXPECT_EQ(to_text(HashBuilder().add("node-7").add_null().add(int64_t{42}).finish()),
            "a0eb69ae3f6bf48ceca2ced39cdb467a");
  EXPECT_EQ(to_text(combine(hash128("a"), hash128("b"))), "f934ab9bb72913ae2ff9f71567ece291");
}

TEST(Hash128, CombineKeepsOrder) {
  EXPECT_NE(combine(hash128("a"), hash128("b")), combine(hash128("b"), hash128("a")));
}

TEST(Sha256, KnownVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

RC_GTEST_PROP(Sha256, AnyPiecesMakeTheSameHash, ()) {
  const auto text = *rc::gen::container<std::string>(*rc::gen::inRange<size_t>(0, 400),
                                                     rc::gen::arbitrary<char>());
  Sha256 hash;
  for (size_t at = 0; at < text.size();) {
    const auto taken = *rc::gen::inRange<size_t>(1, 130);
    hash.update(std::string_view(text).substr(at, taken));
    at += taken;
  }
  RC_ASSERT(hash.finish_hex() == sha256_hex(text));
}

// Both compression functions, over lengths on each side of every block edge.
TEST(Sha256, InstructionsMatchThePlainCode) {
  if (!sha256_instructions_present()) GTEST_SKIP() << "this processor has no SHA instructions";
  std::string bytes;
  for (int i = 0; i < 64 * 9; ++i) bytes += static_cast<char>(i * 37 + i / 64);
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  for (size_t blocks = 0; blocks <= 9; ++blocks) {
    std::array<uint32_t, 8> plain = {1, 2, 3, 4, 0xffffffff, 6, 7, 8};
    std::array<uint32_t, 8> fast = plain;
    sha256_blocks_plain(plain, data, blocks);
    sha256_blocks_x86(fast, data, blocks);
    EXPECT_EQ(plain, fast) << blocks;
  }
}

}  // namespace
}  // namespace tare
