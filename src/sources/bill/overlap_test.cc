#include "sources/bill/overlap.h"

#include <gtest/gtest.h>

#include "base/hash128.h"

namespace tare::sources {
namespace {

uint64_t hashed(int64_t value) { return HashBuilder().add(value).finish().lo; }

// Adds rows first..last (exclusive), each with its own key and line.
void add(DeliveryFiles& files, const std::string& name, int64_t first, int64_t last,
         int64_t version) {
  files.begin_file(name);
  for (int64_t i = first; i < last; ++i) files.add(hashed(i), hashed(i * 1000 + version));
}

using Pair = std::pair<std::string, std::string>;

TEST(Overlap, MoreThanHalfOfTheSmallerFile) {
  DeliveryFiles apart, half, more;
  add(apart, "a", 0, 100, 1);
  add(apart, "b", 100, 150, 1);
  EXPECT_FALSE(apart.find_overlap());
  add(half, "a", 0, 100, 1);
  add(half, "b", 75, 125, 2);
  EXPECT_FALSE(half.find_overlap());
  add(more, "b", 74, 124, 2);
  add(more, "a", 0, 100, 1);
  EXPECT_EQ(more.find_overlap(), Pair("a", "b"));
}

TEST(Overlap, KeysThatTellNothingApartGiveWayToLines) {
  DeliveryFiles files, same;
  for (DeliveryFiles* at : {&files, &same}) {
    for (const int64_t file : {1, 2}) {
      at->begin_file(std::to_string(file));
      for (int64_t i = 0; i < 50; ++i)
        at->add(hashed(0), hashed(at == &same ? i : i + 1000 * file));
    }
  }
  EXPECT_FALSE(files.find_overlap());
  EXPECT_EQ(same.find_overlap(), Pair("1", "2"));
}

TEST(Overlap, ASmallFileInAVeryLargeOneIsFound) {
  DeliveryFiles files;
  add(files, "large", 0, 9'000'000, 1);
  add(files, "small", 4'000'000, 4'001'000, 2);
  add(files, "other", 9'000'000, 9'001'000, 2);
  EXPECT_EQ(files.find_overlap(), Pair("large", "small"));
}

TEST(Overlap, ManyFilesOfOneMonthDoNotOverlap) {
  DeliveryFiles files;
  for (int64_t file = 0; file < 300; ++file) {
    add(files, std::to_string(file), file * 100, file * 100 + 100, 1);
  }
  EXPECT_FALSE(files.find_overlap());
}

}  // namespace
}  // namespace tare::sources
