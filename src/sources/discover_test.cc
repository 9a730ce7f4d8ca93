#include "sources/discover.h"

#include <gtest/gtest.h>

#include "sources/test_support.h"

namespace tare::sources {
namespace {

class DiscoverTest : public testing::Test {
 protected:
  DiscoverTest() {
    project.directory = folder.path();
    source.name = "bill/focus";
    source.place.file = "tare.yaml";
    source.place.line = 4;
    for (const char* name :
         {"bill/b.csv", "bill/a.csv.gz", "bill/sub/c.parquet", "bill/_manifest.json",
          "bill/.hidden.csv", "bill/_old/d.csv", "bill/readme.md", "one.dat"}) {
      folder.write(name, "x");
    }
  }
  std::vector<std::string> found(const std::string& path) {
    source.path = path;
    std::vector<std::string> names;
    for (const FoundFile& file : find_files(project, source)) names.push_back(file.shown);
    return names;
  }
  using Names = std::vector<std::string>;

  TestFolder folder;
  Project project;
  Source source;
};

TEST_F(DiscoverTest, AFileAFolderOrAPattern) {
  EXPECT_EQ(found("one.dat"), Names{"one.dat"});
  EXPECT_EQ(found("./bill/b.csv"), Names{"bill/b.csv"});
  EXPECT_EQ(found("bill"), (Names{"bill/a.csv.gz", "bill/b.csv", "bill/sub/c.parquet"}));
  EXPECT_EQ(found("bill/*.csv*"), (Names{"bill/a.csv.gz", "bill/b.csv"}));
  EXPECT_EQ(found("bill/?.csv"), Names{"bill/b.csv"});
  EXPECT_EQ(found("b*/s*/c.parquet"), Names{"bill/sub/c.parquet"});
  EXPECT_EQ(found("**/*.parquet"), Names{"bill/sub/c.parquet"});
  EXPECT_EQ(found(folder.file("one.dat")), Names{"one.dat"});
}

TEST_F(DiscoverTest, NothingFoundNamesTheEntry) {
  for (const char* path : {"absent.csv", "absent/", "bill/*.xlsx", "bill/_old"}) {
    const std::string refusal = refusal_of([&] { found(path); });
    EXPECT_EQ(refusal, path == std::string("bill/_old") ? "" : "file-missing tare.yaml:4") << path;
  }
  EXPECT_EQ(refusal_of([&] { found("bill/sub/none/"); }), "file-missing tare.yaml:4");
}

TEST_F(DiscoverTest, AnInputIsUnchangedBySizeAndTimesOrByItsBytes) {
  source.path = "one.dat";
  const FoundFile file = find_files(project, source).front();
  store::InputFile known = input_of(source, file, "reader");
  known.sha256 = file_sha256(file);
  EXPECT_TRUE(is_unchanged(file, known, "reader", false));
  EXPECT_TRUE(is_unchanged(file, known, "reader", true));
  EXPECT_FALSE(is_unchanged(file, known, "another reader", false));
  known.sha256 = "0";
  EXPECT_TRUE(is_unchanged(file, known, "reader", false));
  EXPECT_FALSE(is_unchanged(file, known, "reader", true));
  known.mtime_ns += 1;
  EXPECT_FALSE(is_unchanged(file, known, "reader", false));
}

}  // namespace
}  // namespace tare::sources
