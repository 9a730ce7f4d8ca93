// Loading: what is read again, what is refused, and that no order of rows or files shows.
#include "sources/bill/bill.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const std::string kHeader = "start,end,cost,resource_id,service,tags\n";

// An hour of `resource` on a day of 2026.
std::string hour(const std::string& day, const std::string& cost, const std::string& resource) {
  return "2026-" + day + "T00:00:00Z,2026-" + day + "T01:00:00Z," + cost + "," + resource +
         ",gpu,\n";
}

// period -> name of its store file.
std::map<std::string, std::string> names_of(const SourceResult& result) {
  std::map<std::string, std::string> names;
  for (const store::StoreFile& file : result.files) names[file.period] = file.name;
  return names;
}

// --- ids and order (R04, R07)
// -----------------------------------------------------------------------

// A random bill with repeats, bad rows, several months, tags in any order.
std::vector<std::string> random_rows(std::mt19937_64& random, int count) {
  std::vector<std::string> rows;
  for (int i = 0; i < count; ++i) {
    const std::string day =
        std::to_string(7 + random() % 2) + "-" + std::to_string(10 + random() % 3);
    std::string row = "2026-0" + day + (random() % 10 == 0 ? " 00:00:00" : "T00:00:00Z") +
                      ",2026-0" + std::to_string(8 + random() % 2) + "-" +
                      std::to_string(10 + random() % 3) + "T05:00:00Z,";
    const std::vector<std::string> costs = {"1", "1.0", "-2.5", "1e-3", "", "oops", "0.1"};
    row += costs[random() % costs.size()] + ",vm-" + std::to_string(random() % 3) + ",";
    row += random() % 3 == 0 ? "NULL" : "gpu";
    const std::vector<std::string> tags = {"", "\"{\"\"a\"\":1,\"\"b\"\":2}\"",
                                           "\"{\"\"b\"\":2, \"\"a\"\":1}\"", "bad"};
    row += "," + tags[random() % tags.size()] + (random() % 20 == 0 ? ",ragged" : "") + "\n";
    rows.push_back(row);
  }
  return rows;
}

std::string joined(const std::vector<std::string>& rows, size_t first, size_t last) {
  std::string text = kHeader;
  for (size_t i = first; i < last; ++i) text += rows[i];
  return text;
}

struct Seen {
  Texts lines, findings, quarantine;
  bool operator==(const Seen&) const = default;
};
Seen seen(BillWorld& world) {
  world.load();
  return {world.lines(), world.findings(),
          world.sql("SELECT period, code, text, cost, currency FROM store_quarantine")};
}

TEST(BillLines, NoOrderOfRowsOrFilesShows) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 4; ++round) {
    std::vector<std::string> rows = random_rows(random, 60);
    BillWorld whole("bill"), shuffled("bill"), split("bill");
    whole.write("b.csv", joined(rows, 0, rows.size()));
    const Seen expected = seen(whole);
    std::shuffle(rows.begin(), rows.end(), random);
    shuffled.write("b.csv", joined(rows, 0, rows.size()));
    EXPECT_EQ(seen(shuffled), expected) << round;
    const size_t cut = 20 + random() % 20;
    // Repeats stand in both parts here, so the comparison of deliveries is not what is tested.
    std::vector<std::string> parts = rows;
    std::sort(parts.begin(), parts.end());
    split.write("z.csv", joined(parts, 0, cut)).write("a.csv", joined(parts, cut, parts.size()));
    EXPECT_EQ(seen(split), expected) << round;
  }
}

TEST(BillLines, IdenticalRowsAreLinesOfTheirOwn) {
  BillWorld world("bill");
  world.write("b.csv", kHeader + hour("08-01", "1", "a") + hour("08-01", "1.0", "a") +
                           hour("08-01", "1.00", "a") + hour("08-01", "2", "a"));
  world.load();
  EXPECT_EQ(world.sql("SELECT count(*), count(DISTINCT bill_line_id), sum(billed_cost)::INTEGER "
                      "FROM bill_line"),
            Texts{"4|4|5"});
}

TEST(BillLines, AnIdDependsOnTheSourceThePeriodAndTheContentOnly) {
  BillWorld one("bill"), two("bill"), other("bill");
  one.write("b.csv", kHeader + hour("08-01", "1", "a"));
  two.write("c.csv",
            "cost,tags,note,end,start,service,resource_id\n1.000,,,2026-08-01T01:00:00+00:00,"
            "2026-08-01T02:00:00+02:00,gpu,a\n");
  other.write("b.csv", kHeader + hour("08-01", "1", "a"));
  other.source().name = "another";
  for (BillWorld* world : {&one, &two, &other}) world->load();
  const std::string ids = "SELECT bill_line_id FROM bill_line";
  EXPECT_EQ(one.sql(ids), two.sql(ids));
  EXPECT_NE(one.sql(ids), other.sql(ids));
}

// --- what is read again
// -----------------------------------------------------------------------------

TEST(BillLoad, TheSameBytesDoNothing) {
  BillWorld world("bill");
  world.write("b.csv", kHeader + hour("08-01", "1", "a"));
  EXPECT_EQ(world.load().will_read, Texts{"bill/b.csv"});
  const SourceResult again = world.load();
  EXPECT_EQ(again.will_read, Texts{});
  EXPECT_EQ(again.files.size(), 1U);
  // New times on the same bytes, too.
  world.write("b.csv", kHeader + hour("08-01", "1", "a"));
  EXPECT_EQ(world.load().will_read, Texts{});
  EXPECT_EQ(world.load({.full_refresh = true}).will_read, Texts{"bill/b.csv"});
  EXPECT_EQ(names_of(world.load()), names_of(again));
}

TEST(BillLoad, VerifyComparesBytesWhereTimesSayNothing) {
  BillWorld world("bill");
  world.write("b.csv", kHeader + hour("08-01", "1", "a"));
  world.load();
  const auto time = std::filesystem::last_write_time(world.project().directory + "/bill/b.csv");
  world.write("b.csv", kHeader + hour("08-01", "2", "a"));
  std::filesystem::last_write_time(world.project().directory + "/bill/b.csv", time);
  EXPECT_EQ(world.load({.verify = true}).will_read, Texts{"bill/b.csv"});
  EXPECT_EQ(world.sql("SELECT billed_cost::INTEGER FROM bill_line"), Texts{"2"});
}

TEST(BillLoad, ADryRunOnlySays) {
  BillWorld world("bill");
  world.write("b.csv", kHeader + hour("08-01", "1", "a"));
  EXPECT_EQ(world.load({.dry_run = true}).will_read, Texts{"bill/b.csv"});
  EXPECT_FALSE(std::filesystem::exists(world.store_path("")));
}

TEST(BillLoad, ARestatementTouchesOnlyItsMonth) {
  BillWorld world("bill");
  world.write("7.csv", kHeader + hour("07-01", "1", "a"))
      .write("78.csv", kHeader + hour("07-02", "2", "b") + hour("08-02", "3", "b"))
      .write("8.csv", kHeader + hour("08-01", "4", "a"));
  const auto before = names_of(world.load());
  const auto stamp = [&](const std::string& name) {
    return std::filesystem::last_write_time(world.store_path(name));
  };
  const auto july = stamp(before.at("2026-07"));
  world.write("8.csv", kHeader + hour("08-01", "4.5", "a"));
  const SourceResult result = world.load();
  EXPECT_EQ(result.will_read, Texts{"bill/8.csv"});
  const auto after = names_of(result);
  EXPECT_EQ(after.at("2026-07"), before.at("2026-07"));
  EXPECT_EQ(stamp(after.at("2026-07")), july);
  EXPECT_NE(after.at("2026-08"), before.at("2026-08"));
  EXPECT_EQ(world.sql("SELECT period, billed_cost::DOUBLE FROM bill_line JOIN store_line ON "
                      "bill_line_id = CAST(id AS VARCHAR)"),
            (Texts{"2026-07|1.0", "2026-07|2.0", "2026-08|3.0", "2026-08|4.5"}));
}

// A file of three good rows of any months, perhaps with bad ones.
std::string random_file(std::mt19937_64& random, const std::string& name) {
  const std::vector<std::string> months = {"06", "07", "08"};
  std::string text = kHeader;
  for (int i = 0; i < 3; ++i) {
    const std::string day = months[random() % 3] + "-0" + std::to_string(1 + random() % 9);
    text += hour(day, std::to_string(random() % 50 + 1), name + std::to_string(i));
  }
  if (random() % 2 == 0) text.append("soon,later,7,").append(name).append(",,\n");
  if (random() % 3 == 0) text.append("2026-06-01,2026-06-02,oops,").append(name).append(",,\n");
  return text;
}

Texts file_names(const store::Catalog& catalog) {
  Texts names;
  for (const store::StoreFile& file : catalog.files) names.push_back(file.name);
  return names;
}

// Whatever the steps, the store is the one that the files as they are now give.
TEST(BillLoad, AnyStepsLeadToTheSameStore) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 4; ++round) {
    BillWorld steps("bill"), fresh("bill");
    std::map<std::string, std::string> files;
    for (int step = 0; step < 6; ++step) {
      const std::string name = std::string(1, static_cast<char>('a' + random() % 4)) + ".csv";
      if (random() % 4 == 0 && files.size() > 1 && files.contains(name)) {
        files.erase(name);
        steps.remove(name);
      } else {
        files[name] = random_file(random, name);
        steps.write(name, files[name]);
      }
      steps.load();
    }
    for (const auto& [name, text] : files) fresh.write(name, text);
    fresh.load();
    const std::string quarantine = "SELECT * EXCLUDE (file) FROM store_quarantine";
    EXPECT_EQ(steps.lines(), fresh.lines());
    EXPECT_EQ(steps.findings(), fresh.findings());
    EXPECT_EQ(steps.sql(quarantine), fresh.sql(quarantine));
    EXPECT_EQ(file_names(steps.catalog()), file_names(fresh.catalog()));
  }
}

TEST(BillLoad, AnotherReadingReadsAgain) {
  BillWorld world("bill");
  world.write("b.csv", kHeader + hour("08-01", "1", "a"));
  world.load();
  world.source().currency = "EUR";
  EXPECT_EQ(world.load().will_read, Texts{"bill/b.csv"});
  EXPECT_EQ(world.sql("SELECT billing_currency FROM bill_line"), Texts{"EUR"});
}

TEST(BillLoad, ALostStoreFileIsMadeAgain) {
  BillWorld world("bill");
  world.write("b.csv", kHeader + hour("08-01", "1", "a"));
  const SourceResult first = world.load();
  std::filesystem::remove(world.store_path(first.files[0].name));
  EXPECT_EQ(world.load().will_read, Texts{"bill/b.csv"});
}

TEST(BillLoad, ProgressIsToldWithTheRowsThereAre) {
  BillWorld world("bill");
  world.write("b.csv", kHeader + hour("08-01", "1", "a") + hour("08-02", "1", "a"));
  std::vector<ProgressEvent> events;
  load_source(world.project(), world.source(), {}, {},
              [&](const ProgressEvent& event) { events.push_back(event); });
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().stage, "reading bill/b.csv");
  EXPECT_EQ(events.back().done, 2);
  EXPECT_EQ(events.back().total, 2);
}

// --- deliveries (R08)
// -------------------------------------------------------------------------------

std::string days(int first, int last, const std::string& cost) {
  std::string text = kHeader;
  for (int day = first; day <= last; ++day) {
    text += hour((day < 10 ? "08-0" : "08-") + std::to_string(day), cost, "vm");
  }
  return text;
}

TEST(Deliveries, PartsOfAMonthAreOneDelivery) {
  BillWorld world("bill");
  world.write("1.csv", days(1, 10, "1")).write("2.csv", days(11, 20, "1"));
  EXPECT_EQ(world.refusal(), "");
  world.write("3.csv", days(18, 27, "1"));  // three days again: not more than half
  EXPECT_EQ(world.refusal(), "");
}

TEST(Deliveries, AMonthToDateFileBesideALaterOneIsRefused) {
  BillWorld world("bill");
  world.write("2026-08-10.csv", days(1, 10, "1")).write("2026-08-20.csv", days(1, 20, "1.1"));
  EXPECT_EQ(world.refusal(), "two-deliveries tare.yaml:3");
  try {
    world.load();
    FAIL();
  } catch (const UserError& error) {
    for (const char* part : {"'bill/2026-08-10.csv'", "'bill/2026-08-20.csv'", "2026-08"}) {
      EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
    }
    EXPECT_NE(error.hint().find("'path:'"), std::string::npos) << error.hint();
  }
  // The way out that the hint names.
  world.source().path = "bill/2026-08-20.csv";
  EXPECT_EQ(world.refusal(), "");
}

TEST(Deliveries, ANewFileIsComparedWithWhatWasLoaded) {
  BillWorld world("bill");
  world.write("a.csv", days(1, 10, "1"));
  EXPECT_EQ(world.refusal(), "");
  world.write("b.csv", days(1, 10, "2"));
  EXPECT_EQ(world.refusal(), "two-deliveries tare.yaml:3");
  world.remove("a.csv");
  EXPECT_EQ(world.refusal(), "");
  EXPECT_EQ(world.sql("SELECT sum(billed_cost)::INTEGER FROM bill_line"), Texts{"20"});
}

TEST(Deliveries, RowsThatNothingNamesAreComparedWhole) {
  const std::string header = "start,end,cost\n",
                    hour_of = "2026-08-01T00:00:00Z,2026-08-01T01:00:00Z,";
  BillWorld world("bill");
  world.write("team-a.csv", header + hour_of + "1\n").write("team-b.csv", header + hour_of + "2\n");
  EXPECT_EQ(world.refusal(), "");
  world.write("team-b.csv", header + hour_of + "1.00\n");
  EXPECT_EQ(world.refusal(), "two-deliveries tare.yaml:3");
}

TEST(Deliveries, TheSameBytesTwiceAreRefusedInOneSourceOrTwo) {
  BillWorld world("bill", "bill/a.csv");
  world.write("a.csv", days(1, 3, "1")).write("copy.csv", days(1, 3, "1"));
  EXPECT_EQ(world.refusal(), "");
  world.add_source("bill", "bill/copy.csv");
  EXPECT_EQ(world.refusal({.full_refresh = true}), "two-deliveries tare.yaml:3");
  BillWorld one("bill");
  one.write("a.csv", days(1, 3, "1")).write("copy.csv", days(1, 3, "1"));
  EXPECT_EQ(one.refusal(), "two-deliveries tare.yaml:3");
}

}  // namespace
}  // namespace tare::sources
