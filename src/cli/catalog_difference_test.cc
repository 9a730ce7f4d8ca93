#include "cli/catalog_difference.h"

#include <gtest/gtest.h>

namespace tare::cli {
namespace {

store::Catalog sample() {
  store::Catalog catalog;
  catalog.tool_version = "1";
  catalog.generation = 3;
  store::InputFile& input = catalog.inputs.emplace_back();
  input.source = "bill";
  input.file = "a.csv";
  input.mtime_ns = 1;
  input.sha256 = "x";
  store::StoreFile& file = catalog.files.emplace_back();
  file.name = "bill-1.duckdb";
  file.kind = "bill";
  return catalog;
}

TEST(CatalogDifference, TellsTimesFromContent) {
  const store::Catalog before = sample();
  store::Catalog next = sample();
  EXPECT_EQ(difference_of(before, next), Difference::kNone);
  next.generation = 9;
  EXPECT_EQ(difference_of(before, next), Difference::kNone);
  next.inputs[0].mtime_ns = 2;
  EXPECT_EQ(difference_of(before, next), Difference::kTimes);
  next.inputs[0].sha256 = "y";
  EXPECT_EQ(difference_of(before, next), Difference::kContent);
}

TEST(CatalogDifference, SeesEveryPart) {
  const auto differs = [](auto change) {
    store::Catalog next = sample();
    change(next);
    return difference_of(sample(), next) == Difference::kContent;
  };
  EXPECT_TRUE(differs([](store::Catalog& c) { c.tool_version = "2"; }));
  EXPECT_TRUE(differs([](store::Catalog& c) { c.project = "p"; }));
  EXPECT_TRUE(differs([](store::Catalog& c) { c.policy_hash = "h"; }));
  EXPECT_TRUE(differs([](store::Catalog& c) { c.horizon_ns = 1; }));
  EXPECT_TRUE(differs([](store::Catalog& c) { c.inputs.clear(); }));
  EXPECT_TRUE(differs([](store::Catalog& c) { c.files.emplace_back(); }));
  EXPECT_TRUE(differs([](store::Catalog& c) { c.files[0].derived_from = "h"; }));
  EXPECT_TRUE(differs([](store::Catalog& c) { c.inputs[0].rows_quarantined = 1; }));
}

}  // namespace
}  // namespace tare::cli
