#include "store/catalog.h"

#include <chrono>
#include <fstream>
#include <set>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>

#include "store/test_support.h"

namespace tare::store {
namespace {

Catalog some_catalog(int64_t generation) {
  Catalog catalog;
  catalog.tool_version = "0.1.0";
  catalog.project = "a \"quoted\" name, caf\xC3\xA9";
  catalog.policy_hash = "0123";
  catalog.generation = generation;
  catalog.horizon_ns = 1'785'542'400'123'456'789;  // beyond what a double holds
  InputFile input;
  input.source = "bill/focus";
  input.kind = "bill";
  input.format = "focus";
  input.file = "bill/2026-08.csv";
  input.size = INT64_MAX;
  input.mtime_ns = -1;
  input.ctime_ns = 1'785'542'400'123'456'789;
  input.sha256 = std::string(64, 'a');
  input.reader_hash = "r1";
  input.rows_in = 10;
  input.rows_used = 8;
  input.rows_netted = 1;
  input.rows_quarantined = 1;
  input.lines_out = 9;
  input.sums_in = {{"billed_cost USD", "-0.000000000000000001"}, {"billed_cost EUR", "1e3"}};
  input.sums_out = {{"billed_cost USD", "99999999999999999999.999999999999999999"}};
  input.periods = {"2026-07", "2026-08"};
  catalog.inputs = {input};
  StoreFile file;
  file.name = "bill-focus-2026-08-00.duckdb";
  file.kind = "bill";
  file.source = "bill/focus";
  file.period = "2026-08";
  file.table = "line";
  file.derived_from = "00";
  file.span_start_ns = 1;
  file.span_end_ns = 2;
  file.rows = 9;
  catalog.files = {file};
  return catalog;
}

void expect_same(const Catalog& read, const Catalog& written) {
  EXPECT_EQ(read.schema_version, written.schema_version);
  EXPECT_EQ(read.tool_version, written.tool_version);
  EXPECT_EQ(read.project, written.project);
  EXPECT_EQ(read.policy_hash, written.policy_hash);
  EXPECT_EQ(read.generation, written.generation);
  EXPECT_EQ(read.horizon_ns, written.horizon_ns);
  ASSERT_EQ(read.inputs.size(), written.inputs.size());
  for (size_t at = 0; at < read.inputs.size(); ++at) {
    const InputFile& a = read.inputs[at];
    const InputFile& b = written.inputs[at];
    EXPECT_EQ(
        std::tie(a.source, a.kind, a.format, a.file, a.size, a.mtime_ns, a.ctime_ns, a.sha256),
        std::tie(b.source, b.kind, b.format, b.file, b.size, b.mtime_ns, b.ctime_ns, b.sha256));
    EXPECT_EQ(std::tie(a.reader_hash, a.rows_in, a.rows_used, a.rows_netted, a.rows_quarantined,
                       a.lines_out, a.sums_in, a.sums_out, a.periods),
              std::tie(b.reader_hash, b.rows_in, b.rows_used, b.rows_netted, b.rows_quarantined,
                       b.lines_out, b.sums_in, b.sums_out, b.periods));
  }
  ASSERT_EQ(read.files.size(), written.files.size());
  for (size_t at = 0; at < read.files.size(); ++at) {
    const StoreFile& a = read.files[at];
    const StoreFile& b = written.files[at];
    EXPECT_EQ(std::tie(a.name, a.kind, a.source, a.period, a.table, a.derived_from, a.span_start_ns,
                       a.span_end_ns, a.rows),
              std::tie(b.name, b.kind, b.source, b.period, b.table, b.derived_from, b.span_start_ns,
                       b.span_end_ns, b.rows));
  }
}

TEST(Catalog, ReadsBackAsWritten) {
  TemporaryFolder folder;
  EXPECT_EQ(read_catalog(folder.path()).generation, 0);
  EXPECT_EQ(read_catalog(folder.file("nowhere")).generation, 0);
  write_catalog(folder.path(), some_catalog(7));
  expect_same(read_catalog(folder.path()), some_catalog(7));
  EXPECT_FALSE(std::filesystem::exists(folder.file("catalog.json.part")));
}

TEST(Catalog, OrderOfItsPartsDoesNotMatter) {
  TemporaryFolder folder;
  Catalog catalog = some_catalog(1);
  InputFile other = catalog.inputs[0];
  other.file = "bill/2026-07.csv";
  catalog.inputs.push_back(other);
  StoreFile earlier = catalog.files[0];
  earlier.name = "bill-focus-2026-07-00.duckdb";
  catalog.files.push_back(earlier);
  write_catalog(folder.path(), catalog);
  const std::string once = read_bytes(folder.file("catalog.json"));
  std::swap(catalog.inputs[0], catalog.inputs[1]);
  std::swap(catalog.files[0], catalog.files[1]);
  write_catalog(folder.path(), catalog);
  EXPECT_EQ(read_bytes(folder.file("catalog.json")), once);
  EXPECT_EQ(read_catalog(folder.path()).inputs[0].file, "bill/2026-07.csv");
}

TEST(Catalog, NamesThatAreNotUtf8DoNotBreakIt) {
  TemporaryFolder folder;
  Catalog catalog = some_catalog(1);
  catalog.inputs[0].file = "bill/\xFF.csv";
  write_catalog(folder.path(), catalog);
  EXPECT_EQ(read_catalog(folder.path()).inputs[0].file, "bill/\xEF\xBF\xBD.csv");
}

TEST(Catalog, AnyDamageIsSaid) {
  TemporaryFolder folder;
  write_catalog(folder.path(), some_catalog(1));
  const std::string path = folder.file("catalog.json");
  const std::string before = read_bytes(path);
  const auto code_of_bytes = [&](const std::string& bytes) {
    write_bytes(path, bytes);
    return error_code_of([&] { read_catalog(folder.path()); });
  };
  EXPECT_EQ(code_of_bytes(""), "store-damaged");
  EXPECT_EQ(code_of_bytes("[]"), "store-damaged");
  EXPECT_EQ(code_of_bytes("{}"), "store-damaged");
  EXPECT_EQ(code_of_bytes("{\"schema_version\": \"1\"}"), "store-damaged");
  for (size_t length = 0; length + 2 < before.size(); length += 7) {
    EXPECT_EQ(code_of_bytes(before.substr(0, length)), "store-damaged") << length;
  }
  for (size_t offset = 0; offset < before.size(); ++offset) {
    std::string bytes = before;
    bytes[offset] = static_cast<char>(bytes[offset] ^ 1);
    const std::string code = code_of_bytes(bytes);
    if (code.empty()) {
      expect_same(read_catalog(folder.path()), some_catalog(1));  // white space
    }
  }
  EXPECT_EQ(code_of_bytes(before), "");
}

TEST(Catalog, OtherVersions) {
  TemporaryFolder folder;
  Catalog catalog = some_catalog(5);
  catalog.schema_version = kSchemaVersion + 1;
  write_catalog(folder.path(), catalog);
  EXPECT_EQ(error_code_of([&] { read_catalog(folder.path()); }), "store-newer");
  catalog.schema_version = kSchemaVersion - 1;
  write_catalog(folder.path(), catalog);
  EXPECT_EQ(read_catalog(folder.path()).generation, 0);
}

TEST(Catalog, OnlyWhatItNamesStays) {
  TemporaryFolder folder;
  const Catalog catalog = some_catalog(1);
  write_catalog(folder.path(), catalog);
  const std::string named = catalog.files[0].name;
  for (const std::string& name :
       {named, std::string("bill-focus-2026-08-01.duckdb"), named + ".part", named + ".part.wal",
        std::string("catalog.json.part"), std::string("lock"), std::string("notes.txt")}) {
    write_bytes(folder.file(name), "x");
  }
  std::filesystem::create_directories(folder.file(named + ".part.tmp/spill"));
  std::filesystem::create_directories(folder.file("snapshots"));
  remove_unreferenced(folder.path(), catalog);
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    left.insert(entry.path().filename());
  EXPECT_EQ(left, (std::set<std::string>{"catalog.json", named, "lock", "notes.txt", "snapshots"}));
  remove_unreferenced(folder.file("nowhere"), catalog);
}

// --- children of LoadLock and Crash tests
// -----------------------------------------------------------

void signal_reached() { write_bytes(child_folder() + "/reached", "x"); }

bool wait_for_reached(const TemporaryFolder& folder) {
  for (int tries = 0; tries < 6000; ++tries) {
    if (std::filesystem::exists(folder.file("reached"))) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::string write_store_file(const std::string& folder, int64_t generation, bool seal) {
  FileWriter file(folder, "facts-" + std::to_string(generation));
  TableWriter table = file.table("alias", alias_columns());
  for (int64_t row = 0; row < 5000; ++row) {
    table.set_text(0, "alias " + std::to_string(row));
    table.set_text(1, "generation " + std::to_string(generation));
    table.set_null(2);
    table.set_null(3);
    table.set_null(4);
    table.set_text(5, "s");
    table.end_row();
    if (!seal && row == 3000) raise(SIGKILL);
  }
  table.close();
  return file.seal();
}

void write_generation(const std::string& folder, int64_t generation) {
  Catalog catalog;
  catalog.generation = generation;
  StoreFile file;
  file.name = write_store_file(folder, generation, true);
  file.kind = "facts";
  file.rows = 5000;
  catalog.files = {file};
  write_catalog(folder, catalog);
  remove_unreferenced(folder, catalog);
}

TEST(CatalogChild, DiesAtItsStep) {
  const std::string step = child_step();
  if (step.empty() || step == "full-disk") GTEST_SKIP();
  const std::string folder = child_folder() + "/.tare";
  LoadLock lock(folder);
  if (step == "hold-lock") {
    signal_reached();
    pause();
  }
  if (step == "while-appending") write_store_file(folder, 2, false);
  if (step == "before-sealing") {
    FileWriter file(folder, "facts-2");
    file.table("alias", alias_columns()).close();
    file.query("CHECKPOINT");
    raise(SIGKILL);
  }
  if (step == "before-the-catalog") {
    write_store_file(folder, 2, true);
    raise(SIGKILL);
  }
  if (step == "before-the-rename") {
    write_store_file(folder, 2, true);
    write_bytes(folder + "/catalog.json.part", "{\"schema_version\": 1, \"half");
    raise(SIGKILL);
  }
  if (step == "for-ever") {
    for (int64_t generation = read_catalog(folder).generation + 1;; ++generation) {
      write_generation(folder, generation);
      if (generation % 2 == 0) signal_reached();
    }
  }
}

TEST(LoadLock, OneLoaderAtATime) {
  TemporaryFolder folder;
  const std::string store = store_directory(folder.path());
  Child child("CatalogChild.DiesAtItsStep", "hold-lock", folder.path());
  ASSERT_TRUE(wait_for_reached(folder));
  std::string message;
  try {
    LoadLock lock(store);
  } catch (const UserError& error) {
    message = error.message();
    EXPECT_EQ(error.code(), "store-locked");
    EXPECT_NE(error.hint(), "");
  }
  EXPECT_EQ(message,
            "another tare load (pid " + std::to_string(child.pid()) + ") is writing this store");
  child.kill_and_wait();
  LoadLock lock(store);  // a dead loader holds nothing
  EXPECT_EQ(read_bytes(store + "/lock"), std::to_string(getpid()) + "\n");
  EXPECT_EQ(error_code_of([&] { LoadLock second(store); }), "store-locked");
}

TEST(LoadLock, SaysWhatStandsInItsWay) {
  TemporaryFolder folder;
  const std::string store = store_directory(folder.path());
  const auto message_of = [&] {
    try {
      LoadLock lock(store);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), "write-failed");
      EXPECT_NE(error.hint(), "");
      return error.message();
    }
    return std::string();
  };
  std::ofstream(store) << "notes\n";
  EXPECT_EQ(message_of(), "'" + store + "' is a file, where the store's folder must be");
  std::filesystem::remove(store);
  std::filesystem::create_directories(store + "/lock");
  EXPECT_EQ(message_of(), "'" + store + "/lock' is a folder, where a file must be");
  std::filesystem::remove(store + "/lock");
  EXPECT_EQ(message_of(), "");
}

// The store's only file and its rows, as one catalog names them.
void expect_whole_store(const TemporaryFolder& folder, int64_t generation) {
  Store store = Store::open(folder.path());
  EXPECT_EQ(store.catalog().generation, generation);
  const Result rows = store.connection().query(
      "SELECT count(*), min(resource_id), max(resource_id) FROM store_alias_raw");
  EXPECT_EQ(rows.i64(0, 0), 5000);
  EXPECT_EQ(rows.text(0, 1), "generation " + std::to_string(generation));
  EXPECT_EQ(rows.text(0, 2), "generation " + std::to_string(generation));
}

TEST(Crash, AKilledLoadLeavesTheStoreAsBefore) {
  for (const char* step :
       {"while-appending", "before-sealing", "before-the-catalog", "before-the-rename"}) {
    TemporaryFolder folder;
    const std::string store = store_directory(folder.path());
    std::filesystem::create_directories(store);
    write_generation(store, 1);
    Child child("CatalogChild.DiesAtItsStep", step, folder.path());
    const int status = child.wait();
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << step << ": " << status;
    expect_whole_store(folder, 1);
    LoadLock lock(store);
    write_generation(store, 2);
    expect_whole_store(folder, 2);
    size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(store)) ++entries;
    EXPECT_EQ(entries, 3U) << step << " left something behind";  // catalog, lock, one file
  }
}

TEST(Crash, KilledAtAnyMomentOneWholeGenerationIsThere) {
  TemporaryFolder folder;
  const std::string store = store_directory(folder.path());
  std::filesystem::create_directories(store);
  write_generation(store, 1);
  int64_t last = 1;
  for (int round = 0; round < 8; ++round) {
    std::filesystem::remove(folder.file("reached"));
    Child child("CatalogChild.DiesAtItsStep", "for-ever", folder.path());
    ASSERT_TRUE(wait_for_reached(folder));
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * round));
    child.kill_and_wait();
    const Catalog catalog = read_catalog(store);
    EXPECT_GT(catalog.generation, last);
    last = catalog.generation;
    ASSERT_EQ(catalog.files.size(), 1U);
    EXPECT_TRUE(verify_file(store + "/" + catalog.files[0].name));
    expect_whole_store(folder, last);
  }
}

TEST(Crash, AReaderSeesOneCatalogWhileALoaderReplacesIt) {
  TemporaryFolder folder;
  const std::string store = store_directory(folder.path());
  std::filesystem::create_directories(store);
  write_generation(store, 1);
  Child child("CatalogChild.DiesAtItsStep", "for-ever", folder.path());
  ASSERT_TRUE(wait_for_reached(folder));
  for (int round = 0; round < 20; ++round) {
    Store open = Store::open(folder.path());
    const Result rows = open.connection().query(
        "SELECT count(*), count(DISTINCT resource_id), max(resource_id) FROM store_alias_raw");
    EXPECT_EQ(rows.i64(0, 0), 5000);
    EXPECT_EQ(rows.i64(0, 1), 1);
    EXPECT_EQ(rows.text(0, 2), "generation " + std::to_string(open.catalog().generation));
  }
}

}  // namespace
}  // namespace tare::store
