// Splits worked out by hand.
#include "synth/exact_shares.h"

#include <gtest/gtest.h>

namespace tare::synth {
namespace {

std::vector<int64_t> shared(int128 total, std::vector<uint128> weights) {
  std::vector<int128> parts;
  share_exactly(total, weights, &parts);
  return {parts.begin(), parts.end()};
}

TEST(ExactShares, WhatIsLeftGoesToTheLargestRemainders) {
  EXPECT_EQ(shared(10, {1, 1, 1}), (std::vector<int64_t>{4, 3, 3}));
  EXPECT_EQ(shared(-10, {1, 1, 1}), (std::vector<int64_t>{-4, -3, -3}));
  EXPECT_EQ(shared(10, {1, 2, 4}), (std::vector<int64_t>{1, 3, 6}));  // 1 3/7, 2 6/7, 5 5/7
  EXPECT_EQ(shared(1, {0, 5, 5}), (std::vector<int64_t>{0, 1, 0}));
}

TEST(ExactShares, ProductsWiderThan128Bits) {
  const uint128 large = uint128{1} << 90;
  std::vector<int128> parts;
  const int128 total = (int128{1} << 100) + 1;
  share_exactly(total, std::vector<uint128>{large, large}, &parts);
  EXPECT_EQ(parts[0] - parts[1], 1);
  EXPECT_EQ(parts[0] + parts[1], total);
}

}  // namespace
}  // namespace tare::synth
