#include "store/files.h"

#include <random>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "store/test_support.h"

namespace tare::store {
namespace {

constexpr size_t kHeaderBytes = 12'288;

const std::vector<ColumnSpec> kEveryType = {
    {"b", Type::kBoolean}, {"u", Type::kUtinyint},     {"i", Type::kInteger},
    {"n", Type::kBigint},  {"t", Type::kVarchar},      {"h", Type::kUuid},
    {"d", Type::kDecimal}, {"m_units", Type::kBigint}, {"m_atto", Type::kBigint}};

Hash128 some_hash(int64_t row) {
  return {static_cast<uint64_t>(row) * 0x9E3779B97F4A7C15U, ~static_cast<uint64_t>(row)};
}

std::string some_text(int64_t row) {
  return row % 5 == 0 ? "" : "text of more than twelve bytes " + std::to_string(row);
}

Money some_money(int64_t row) {
  return Money::from_atto((int128{row} - 1500) * 987'654'321'987'654'321);
}

// Every third cell is null, in another pattern a column.
void write_rows(FileWriter& file, const std::string& name, int64_t rows) {
  TableWriter table = file.table(name, kEveryType);
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < 7; ++column) {
      if ((row + static_cast<int64_t>(column)) % 3 == 0) {
        table.set_null(column);
        continue;
      }
      switch (column) {
        case 0:
          table.set_bool(0, row % 2 == 0);
          break;
        case 1:
          table.set_u8(1, static_cast<uint8_t>(row % 256));
          break;
        case 2:
          table.set_i32(2, static_cast<int32_t>(-row));
          break;
        case 3:
          table.set_i64(3, row * 1'000'000'007);
          break;
        case 4:
          table.set_text(4, some_text(row));
          break;
        case 5:
          table.set_uuid(5, some_hash(row));
          break;
        default:
          table.set_decimal(6, some_money(row));
          break;
      }
    }
    table.set_money(7, row % 3 == 1 ? std::nullopt : std::optional(some_money(row)));
    table.end_row();
  }
  EXPECT_EQ(table.rows(), rows);
  table.close();
}

std::string write_file(const TemporaryFolder& folder, const std::string& name, int64_t rows) {
  FileWriter file(folder.path(), name);
  write_rows(file, "t", rows);
  return folder.file(file.seal());
}

// All rows of the tables of a file as one text, or "" where it can't be read.
std::string contents(const std::string& path) {
  Database database({.threads = 1});
  Connection connection = database.connect();
  try {
    attach_file(connection, path, "f");
  } catch (const UserError&) {
    return "";
  }
  QueryError error;
  std::string all;
  for (const char* table : {"t", "u"}) {
    auto rows = connection.try_query(
        std::string("SELECT count(*), md5(string_agg(x::VARCHAR, ';' ORDER BY rowid)) FROM f.") +
            table + " AS x",
        &error);
    if (rows) all += rows->text(0, 0) + " " + rows->text_or_empty(0, 1) + "\n";
  }
  return all;
}

void expect_row(const Chunk& chunk, size_t at, int64_t row) {
  for (size_t column = 0; column < 7; ++column) {
    ASSERT_EQ(chunk.valid(column, at), (row + static_cast<int64_t>(column)) % 3 != 0);
  }
  if (chunk.valid(0, at)) {
    ASSERT_EQ(chunk.u8(0, at), row % 2 == 0 ? 1 : 0);
  }
  if (chunk.valid(1, at)) {
    ASSERT_EQ(chunk.u8(1, at), row % 256);
  }
  if (chunk.valid(2, at)) {
    ASSERT_EQ(chunk.i32(2, at), -row);
  }
  if (chunk.valid(3, at)) {
    ASSERT_EQ(chunk.i64(3, at), row * 1'000'000'007);
  }
  if (chunk.valid(4, at)) {
    ASSERT_EQ(chunk.text(4, at), some_text(row));
  }
  if (chunk.valid(5, at)) {
    ASSERT_EQ(chunk.uuid(5, at), some_hash(row));
  }
  if (chunk.valid(6, at)) {
    ASSERT_TRUE(chunk.i128(6, at) == some_money(row).atto());
  }
  ASSERT_EQ(chunk.valid(7, at), row % 3 != 1);
  ASSERT_EQ(chunk.valid(8, at), row % 3 != 1);
  if (chunk.valid(7, at)) {
    ASSERT_EQ(Money::from_stored(chunk.i64(7, at), chunk.i64(8, at)), some_money(row));
  }
}

TEST(Files, RowsComeBackAsWritten) {
  TemporaryFolder folder;
  for (int64_t count : {0, 1, 2047, 2048, 2049, 10'000}) {
    const std::string path = write_file(folder, "rows-" + std::to_string(count), count);
    Database database;
    Connection connection = database.connect();
    attach_file(connection, path, "f");
    Stream stream = connection.stream_store("SELECT b, u, i, n, t, h, d, m_units, m_atto FROM f.t");
    int64_t row = 0;
    while (const Chunk* chunk = stream.next()) {
      for (size_t at = 0; at < chunk->rows(); ++at)
        ASSERT_NO_FATAL_FAILURE(expect_row(*chunk, at, row++));
    }
    EXPECT_EQ(row, count);
  }
}

TEST(Files, UuidIsTheHashInHex) {
  TemporaryFolder folder;
  FileWriter file(folder.path(), "uuid");
  TableWriter table = file.table("t", {{"h", Type::kUuid}});
  table.set_uuid(0, {0x0123456789abcdefU, 0xfedcba9876543210U});
  table.end_row();
  table.close();
  EXPECT_EQ(file.query("SELECT h FROM t").text(0, 0), "01234567-89ab-cdef-fedc-ba9876543210");
}

TEST(Files, TextThatIsNotUtf8IsReplaced) {
  TemporaryFolder folder;
  FileWriter file(folder.path(), "utf8");
  TableWriter table = file.table("t", {{"t", Type::kVarchar}});
  for (const char* text :
       {"na\xC3\xAFve caf\xC3\xA9 \xE2\x82\xAC", "bad \xFF\xC3 end", "\xED\xA0\x80"}) {
    table.set_text(0, text);
    table.end_row();
  }
  table.set_text(0, std::string_view("nul\0inside", 10));
  table.end_row();
  table.close();
  const Result result = file.query("SELECT t FROM t");
  EXPECT_EQ(result.text(0, 0), "na\xC3\xAFve caf\xC3\xA9 \xE2\x82\xAC");
  EXPECT_EQ(result.text(1, 0), "bad \xEF\xBF\xBD\xEF\xBF\xBD end");
  EXPECT_EQ(result.text(2, 0), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(result.text(3, 0), std::string("nul\0inside", 10));
}

TEST(Files, SeveralTablesAreOpenAtOnceAndSummarised) {
  TemporaryFolder folder;
  FileWriter file(folder.path(), "several");
  TableWriter numbers = file.table("numbers", {{"n", Type::kBigint}});
  TableWriter texts = file.table("texts", {{"t", Type::kVarchar}});
  for (int64_t row = 0; row < 300'000; ++row) {
    numbers.set_i64(0, row);
    numbers.end_row();
    if (row % 3 == 0) {
      texts.set_text(0, "row " + std::to_string(row));
      texts.end_row();
    }
  }
  numbers.close();
  texts.close();
  file.query("CREATE TABLE summary AS SELECT sum(n)::BIGINT AS total FROM numbers");
  Stream stream = file.stream("SELECT total FROM summary");
  ASSERT_NE(stream.next(), nullptr);
  EXPECT_EQ(stream.next(), nullptr);
  const std::string path = folder.file(file.seal());

  Database database;
  Connection connection = database.connect();
  attach_file(connection, path, "f");
  const Result result =
      connection.query("SELECT total, (SELECT count(*) FROM f.texts) FROM f.summary");
  EXPECT_EQ(result.i64(0, 0), 300'000LL * 299'999 / 2);
  EXPECT_EQ(result.i64(0, 1), 100'000);
  // One transaction a table: full row groups, but the last.
  EXPECT_EQ(
      connection
          .query("SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('f.main.numbers')")
          .i64(0, 0),
      3);
}

TEST(Files, SealedFilesAreImmutable) {
  TemporaryFolder folder;
  const std::string path = write_file(folder, "sealed", 100);
  EXPECT_EQ(std::filesystem::path(path).filename(), "sealed.duckdb");
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  EXPECT_FALSE(std::filesystem::exists(path + ".wal"));
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0222U, 0U);
  const std::string before = read_bytes(path);
  Database database;
  Connection connection = database.connect();
  attach_file(connection, path, "f");
  QueryError error;
  EXPECT_FALSE(connection.try_query("DELETE FROM f.t", &error));
  EXPECT_FALSE(connection.try_query("CREATE TABLE f.more (i INTEGER)", &error));
  EXPECT_EQ(connection.query("SELECT count(*) FROM f.t").i64(0, 0), 100);
  connection.query("DETACH f");
  EXPECT_EQ(read_bytes(path), before);
}

TEST(Files, AReplacedFileStaysReadableWhereItIsOpen) {
  TemporaryFolder folder;
  const std::string path = write_file(folder, "same", 100);
  Database database;
  Connection connection = database.connect();
  attach_file(connection, path, "f");
  EXPECT_EQ(connection.query("SELECT count(*) FROM f.t").i64(0, 0), 100);
  write_file(folder, "same", 7);
  EXPECT_EQ(connection.query("SELECT count(n) FROM f.t").i64(0, 0), 66);
  Database second;
  Connection later = second.connect();
  attach_file(later, path, "f");
  EXPECT_EQ(later.query("SELECT count(*) FROM f.t").i64(0, 0), 7);
}

TEST(Files, WhatIsNotSealedLeavesNothing) {
  TemporaryFolder folder;
  {
    FileWriter file(folder.path(), "given-up");
    write_rows(file, "t", 5000);
    TableWriter open = file.table("u", {{"n", Type::kBigint}});
    open.set_i64(0, 1);
    open.end_row();
    EXPECT_TRUE(std::filesystem::exists(folder.file("given-up.duckdb.part")));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Files, LeftoversOfADeadWriterAreNoObstacle) {
  TemporaryFolder folder;
  write_bytes(folder.file("again.duckdb.part"), "half a file");
  write_bytes(folder.file("again.duckdb.part.wal"), "half a log");
  const std::string path = write_file(folder, "again", 10);
  EXPECT_TRUE(verify_file(path));
}

TEST(FilesDeathTest, MisuseIsABug) {
  TemporaryFolder folder;
  EXPECT_DEATH(
      {
        FileWriter file(folder.path(), "death");
        TableWriter table = file.table("t", {{"a", Type::kBigint}, {"b", Type::kBigint}});
        table.set_i64(0, 1);
        table.end_row();
      },
      "without all its columns");
  EXPECT_DEATH(
      {
        FileWriter file(folder.path(), "death");
        TableWriter table = file.table("t", {{"a", Type::kBigint}});
        table.set_text(0, "1");
      },
      "text for a");
  EXPECT_DEATH(
      {
        FileWriter file(folder.path(), "death");
        TableWriter table = file.table("t", {{"a", Type::kBigint}});
        file.seal();
      },
      "while a table of it is open");
}

TEST(Files, VerifyFindsWhatIsNotAFile) {
  TemporaryFolder folder;
  EXPECT_FALSE(verify_file(folder.file("missing.duckdb")));
  write_bytes(folder.file("empty.duckdb"), "");
  EXPECT_FALSE(verify_file(folder.file("empty.duckdb")));
  write_bytes(folder.file("text.duckdb"),
              "not a database, but longer than a header would be" + std::string(20'000, 'x'));
  EXPECT_FALSE(verify_file(folder.file("text.duckdb")));
  Database database;
  Connection connection = database.connect();
  EXPECT_EQ(error_code_of([&] { attach_file(connection, folder.file("text.duckdb"), "f"); }),
            "store-file-damaged");
  EXPECT_EQ(error_code_of([&] { attach_file(connection, folder.file("missing.duckdb"), "f"); }),
            "store-file-damaged");
}

// A flipped byte anywhere is either where nothing is kept, and the rows are the same, or is found.
TEST(Files, AFlippedByteNeverChangesRowsInSilence) {
  TemporaryFolder folder;
  FileWriter file(folder.path(), "flip");
  write_rows(file, "t", 3000);
  write_rows(file, "u", 3);
  const std::string path = folder.file(file.seal());
  const std::string before = read_bytes(path);
  const std::string rows = contents(path);
  ASSERT_NE(rows, "");
  ASSERT_TRUE(verify_file(path));

  std::vector<size_t> offsets;
  for (size_t offset = 0; offset < kHeaderBytes; offset += 409)
    offsets.push_back(offset);  // the headers
  for (size_t block = kHeaderBytes; block < before.size();
       block += 262'144) {  // each block's front
    for (size_t offset = 0; offset < 64; offset += 21) offsets.push_back(block + offset);
  }
  std::mt19937 random(20260801);
  for (int flip = 0; flip < 40; ++flip) offsets.push_back(random() % before.size());
  const std::string damaged = folder.file("damaged.duckdb");
  write_bytes(damaged, before);
  ASSERT_TRUE(verify_file(damaged)) << "a whole copy is as good";
  size_t found = 0;
  for (size_t offset : offsets) {
    std::string bytes = before;
    bytes[offset] = static_cast<char>(bytes[offset] ^ (1 << (random() % 8)));
    write_bytes(damaged, bytes);
    const bool verified = verify_file(damaged);
    const std::string read = contents(damaged);
    found += verified ? 0 : 1;
    if (verified) {
      EXPECT_EQ(read, rows) << "in silence, at byte " << offset;
    }
  }
  EXPECT_GT(found, offsets.size() / 4);
}

TEST(Files, ACutFileIsFound) {
  TemporaryFolder folder;
  const std::string path = write_file(folder, "cut", 3000);
  const std::string before = read_bytes(path);
  const std::string damaged = folder.file("damaged.duckdb");
  for (size_t part = 0; part < 16; ++part) {
    write_bytes(damaged, before.substr(0, before.size() * part / 16));
    EXPECT_FALSE(verify_file(damaged)) << part << "/16";
  }
  write_bytes(damaged, before.substr(0, before.size() - 1));
  EXPECT_FALSE(verify_file(damaged));
}

// Run by AFullDiskIsTheUsersMatter in a process of its own, as the limit stays.
TEST(FilesChild, WritesToAFullDisk) {
  if (child_step() != "full-disk") GTEST_SKIP();
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {1 << 20, 1 << 20};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string code = error_code_of([] {
    FileWriter file(child_folder(), "large");
    TableWriter table = file.table("t", {{"h", Type::kUuid}});
    for (int64_t row = 0; row < 400'000; ++row) {
      table.set_uuid(0, some_hash(row * row));
      table.end_row();
    }
    table.close();
    file.seal();
  });
  EXPECT_EQ(code, "input-output");
}

TEST(Files, AFullDiskIsTheUsersMatter) {
  TemporaryFolder folder;
  Child child("FilesChild.WritesToAFullDisk", "full-disk", folder.path());
  const int status = child.wait();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace tare::store
