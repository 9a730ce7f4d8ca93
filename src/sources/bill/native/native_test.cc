// What holds for every provider's format: its columns are in the documents, and are found whatever
// their names look like.
#include "sources/bill/native/native.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"
#include "sources/bill/formats.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const BillFormat* const kNativeFormats[] = {&kAwsCurFormat,      &kAwsCur2Format,
                                            &kAzureActualFormat, &kAzureAmortizedFormat,
                                            &kGcpDetailedFormat, &kOciFormat};

// "| `a`, else `b` | what it is |"
std::string document_row(const NativeColumn& column) {
  std::string names = "`";
  for (const char c : column.names) names += c == '|' ? std::string("`, else `") : std::string{c};
  return "| " + names + "` | " + (column.doc.empty() ? "-" : std::string(column.doc)) + " |\n";
}

TEST(NativeFormats, TheDocumentsListEveryColumn) {
  std::ifstream stream(TARE_SOURCE_DIR "/docs/sources.md");
  std::stringstream text;
  text << stream.rdbuf();
  const std::string document = text.str();
  for (const BillFormat* format : kNativeFormats) {
    for (const NativeColumn& column : format->native->columns) {
      EXPECT_NE(document.find(document_row(column)), std::string::npos) << document_row(column);
    }
  }
}

TEST(NativeFormats, KeptColumnsAreSortedByName) {
  for (const BillFormat* format : kNativeFormats) {
    const auto& kept = format->native->kept;
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
      return a.name < b.name;
    })) << format->name;
  }
}

// No name of a column may mean two of them.
TEST(NativeFormats, EveryNameIsOfOneColumn) {
  for (const BillFormat* format : kNativeFormats) {
    const auto& columns = format->native->columns;
    for (size_t i = 0; i < columns.size(); ++i) {
      std::string_view names = columns[i].names;
      while (!names.empty()) {
        const size_t end = std::min(names.find('|'), names.size());
        EXPECT_EQ(find_native_column(*format->native, names.substr(0, end)), i)
            << names.substr(0, end);
        names.remove_prefix(std::min(end + 1, names.size()));
      }
    }
  }
}

TEST(NativeFormats, AMappedColumnStandsBeforeTheFormatsOwn) {
  BillWorld world("oci");
  world.source().columns["cost/myCost"].column = "amount";
  world.write("a.csv",
              "lineItem/intervalUsageStart,lineItem/intervalUsageEnd,cost/myCost,cost/currencyCode,"
              "amount\n2026-08-03T10:00Z,2026-08-03T11:00Z,9,USD,1.5\n");
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost::DOUBLE FROM bill_line"), Texts{"1.5"});
  world.source().columns["cost/myCost"].column = "amuont";
  EXPECT_EQ(world.refusal({.full_refresh = true}), "missing-column");
}

TEST(NativeFormats, AFileOfAnotherKindIsRefusedWithWhatItLacks) {
  for (const BillFormat* format : kNativeFormats) {
    BillWorld world((std::string(format->name)));
    world.source().currency = "USD";
    world.write("a.csv", "a,b\n1,2\n");
    EXPECT_EQ(world.refusal(), "missing-column a.csv:1:1") << format->name;
  }
}

}  // namespace
}  // namespace tare::sources
