// The table of wastes: what docs/synth.md says of it, and the words of --plant.
#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/errors.h"
#include "synth/synth.h"

namespace tare::synth {
namespace {

std::string table_of_plants() {
  std::string table = "| waste | default size | shows as | what |\n|---|---|---|---|\n";
  for (const PlantKind& kind : plant_kinds()) {
    table += fmt::format("| `{}` | {} | `{}` | {} |\n", kind.name, kind.default_size, kind.shows_as,
                         kind.meaning);
  }
  return table;
}

TEST(Plants, AreWhatThePageSays) {
  std::ifstream file("docs/synth.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_NE(page.find("-->\n" + table_of_plants() + "<!-- end -->"), std::string::npos)
      << table_of_plants();
}

TEST(Plants, AreInTheOrderOfTheirNumbers) {
  size_t place = 0;
  for (const PlantKind& kind : plant_kinds()) EXPECT_EQ(static_cast<size_t>(kind.plant), place++);
}

TEST(Plants, AWordWithASizeOrWithout) {
  EXPECT_EQ(parse_plant("no-run").size, 24);
  const Planted planted = parse_plant("idle-replica=200");
  EXPECT_EQ(planted.plant, Plant::kIdleReplica);
  EXPECT_EQ(planted.size, 200);
}

TEST(Plants, OtherWordsAndSizesAreRefused) {
  for (const char* text : {"", "idle", "no-run=", "no-run=0", "no-run=1.5", "no-run=-3"}) {
    EXPECT_THROW(parse_plant(text), UserError) << text;
  }
}

}  // namespace
}  // namespace tare::synth
