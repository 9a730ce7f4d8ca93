#include "store/database.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "store/test_support.h"

namespace tare::store {
namespace {

TEST(Database, TextsAreWhatDuckDbPrints) {
  Database database;
  Connection connection = database.connect();
  const char* const expressions[] = {"true",
                                     "false",
                                     "5::UTINYINT",
                                     "(-128)::TINYINT",
                                     "(-32768)::SMALLINT",
                                     "65535::USMALLINT",
                                     "4294967295::UINTEGER",
                                     "18446744073709551615::UBIGINT",
                                     "(-9223372036854775808)::BIGINT",
                                     "'-170141183460469231731687303715884105728'::HUGEINT",
                                     "1.5::DOUBLE",
                                     "'-0.0'::DOUBLE",
                                     "1e20::DOUBLE",
                                     "1e-7::DOUBLE",
                                     "123456789.0::DOUBLE",
                                     "0.1::FLOAT",
                                     "1e15::DOUBLE",
                                     "1e16::DOUBLE",
                                     "'nan'::DOUBLE",
                                     "'-inf'::DOUBLE",
                                     "0.0001::DOUBLE",
                                     "(-1.5)::DECIMAL(9,3)",
                                     "(-0.001)::DECIMAL(4,3)",
                                     "5::DECIMAL(3,0)",
                                     "'-99999999999999999999.999999999999999999'::DECIMAL(38,18)",
                                     "'a''b'",
                                     "'a text that is longer than twelve bytes'",
                                     "''",
                                     "UUID '00000000-0000-0000-0000-000000000000'",
                                     "UUID 'ffffffff-1234-5678-9abc-def012345678'",
                                     "make_timestamp_ns(1754006400000000000)",
                                     "make_timestamp_ns(-1)",
                                     "make_timestamp_ns(1754006400500000000)",
                                     "DATE '2026-08-01'",
                                     "TIMESTAMP '2026-08-01 01:02:03.5'",
                                     "INTERVAL 3 DAY",
                                     "[1, 2]",
                                     "{'a': [NULL, 'x']}",
                                     "TIME '12:00:00'",
                                     "'\\xAA'::BLOB"};
  for (const char* expression : expressions) {
    const Result result = connection.query(std::string("SELECT ") + expression + " AS v, CAST(" +
                                           expression + " AS VARCHAR) AS t");
    EXPECT_EQ(result.text(0, 0), result.text(0, 1)) << expression;
    EXPECT_EQ(result.column_name(0), "v");
  }
}

TEST(Database, NumbersAreExact) {
  Database database;
  const Result result = database.connect().query(
      "SELECT (-5)::TINYINT, 18446744073709551615::UBIGINT, 1.25::DECIMAL(4,2), 7::DECIMAL(20,0), "
      "0.5::DOUBLE, NULL::DECIMAL(38,18), true, "
      "'-99999999999999999999.999999999999999999'::DECIMAL(38,18)");
  EXPECT_EQ(result.i64(0, 0), -5);
  EXPECT_EQ(result.column_type(0), Type::kBigint);
  EXPECT_TRUE(result.i128(0, 1) == static_cast<int128>(UINT64_MAX));
  EXPECT_EQ(to_text(result.money(0, 2)), "1.25");
  EXPECT_EQ(to_text(result.money(0, 3)), "7");
  EXPECT_EQ(result.f64(0, 4), 0.5);
  EXPECT_FALSE(result.optional_money(0, 5).has_value());
  EXPECT_EQ(result.text_or_empty(0, 5), "");
  EXPECT_EQ(result.i64(0, 6), 1);
  EXPECT_EQ(to_text(result.money(0, 7)), "-99999999999999999999.999999999999999999");
}

TEST(Database, AnswersOfManyChunksKeepTheirRows) {
  Database database;
  const Result result = database.connect().query(
      "SELECT i, CASE WHEN i % 3 = 0 THEN NULL ELSE 'row ' || i END FROM range(10000) t(i)");
  ASSERT_EQ(result.rows(), 10000U);
  for (size_t row = 0; row < result.rows(); ++row) {
    ASSERT_EQ(result.i64(row, 0), static_cast<int64_t>(row));
    ASSERT_EQ(result.text_or_empty(row, 1), row % 3 == 0 ? "" : "row " + std::to_string(row));
  }
}

TEST(Database, TheLastOfSeveralStatementsAnswers) {
  Database database;
  Connection connection = database.connect();
  EXPECT_EQ(
      connection.query("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (4); SELECT i FROM t")
          .i64(0, 0),
      4);
  EXPECT_EQ(connection.query("SELECT [1] AS list -- a comment").text(0, 0), "[1]");
  EXPECT_EQ(connection.query("SELECT [1] AS list; -- a comment").text(0, 0), "[1]");
}

TEST(Database, WrongSqlOfAUserIsAnError) {
  Database database;
  Connection connection = database.connect();
  QueryError error;
  EXPECT_FALSE(connection.try_query("SELEC 1", &error));
  EXPECT_NE(error.message.find("syntax error"), std::string::npos);
  EXPECT_EQ(error.message.find('\n'), std::string::npos);
  EXPECT_NE(error.full.find('^'), std::string::npos);
  EXPECT_FALSE(connection.try_query("SELECT * FROM nothing", &error));
  EXPECT_FALSE(connection.try_query("SELECT 'x'::INTEGER", &error));
  EXPECT_FALSE(connection.try_query("", &error));
  EXPECT_TRUE(connection.try_query("SELECT 1", &error));
}

TEST(DatabaseDeathTest, WrongSqlOfOursIsABug) {
  Database database({.threads = 1});  // a fork among threads is not safe
  Connection connection = database.connect();
  EXPECT_DEATH(connection.query("SELECT * FROM nothing"), "SQL of tare failed");
}

TEST(Database, NothingIsFetchedOrReadOutside) {
  Database database({.allow_external_files = false});
  Connection connection = database.connect();
  QueryError error;
  EXPECT_FALSE(connection.try_query("SELECT * FROM read_text('/etc/hostname')", &error));
  EXPECT_EQ(connection
                .query("SELECT current_setting('autoinstall_known_extensions'), "
                       "current_setting('autoload_known_extensions')")
                .text(0, 0),
            "false");
}

TEST(Stream, HundredThousandRowsWithNullsAndLongTexts) {
  Database database;
  Connection connection = database.connect();
  Stream stream = connection.stream(
      "SELECT i, CASE WHEN i % 7 = 0 THEN NULL WHEN i % 2 = 0 THEN 'short' || i % 10 "
      "ELSE 'a text longer than twelve bytes, ' || i END AS t, (i % 251)::UTINYINT, i::INTEGER, "
      "i / 4.0::DOUBLE, i::HUGEINT * -1000000000000000000000 FROM range(100000) r(i)");
  ASSERT_EQ(stream.columns(), 6U);
  EXPECT_EQ(stream.column_name(1), "t");
  EXPECT_EQ(stream.column_type(0), Type::kBigint);
  EXPECT_EQ(stream.column_type(1), Type::kVarchar);
  EXPECT_EQ(stream.column_type(2), Type::kUtinyint);
  EXPECT_EQ(stream.column_type(5), Type::kHugeint);
  int64_t next = 0;
  size_t chunks = 0;
  while (const Chunk* chunk = stream.next()) {
    ++chunks;
    ASSERT_LE(chunk->rows(), 2048U);
    for (size_t row = 0; row < chunk->rows(); ++row, ++next) {
      ASSERT_TRUE(chunk->valid(0, row));
      ASSERT_EQ(chunk->i64(0, row), next);
      ASSERT_EQ(chunk->valid(1, row), next % 7 != 0);
      if (next % 7 != 0) {
        ASSERT_EQ(chunk->text(1, row),
                  next % 2 == 0 ? "short" + std::to_string(next % 10)
                                : "a text longer than twelve bytes, " + std::to_string(next));
      }
      ASSERT_EQ(chunk->u8(2, row), next % 251);
      ASSERT_EQ(chunk->i32(3, row), next);
      ASSERT_EQ(chunk->f64(4, row), static_cast<double>(next) / 4.0);
      ASSERT_TRUE(chunk->i128(5, row) == int128{next} * 1'000'000'000'000 * -1'000'000'000);
    }
  }
  EXPECT_EQ(next, 100'000);
  EXPECT_GT(chunks, 10U);
  EXPECT_EQ(stream.next(), nullptr);
  EXPECT_EQ(connection.query("SELECT 1").i64(0, 0), 1);  // the connection is free again
}

TEST(Stream, AStreamThatIsLeftEarlyFreesItsConnection) {
  Database database;
  Connection connection = database.connect();
  {
    Stream stream = connection.stream("SELECT * FROM range(1000000)");
    ASSERT_NE(stream.next(), nullptr);
  }
  EXPECT_EQ(connection.query("SELECT 1").i64(0, 0), 1);
}

TEST(Stream, FailureInMidStreamIsNotTheEnd) {
  Database database({.threads = 1});
  Connection connection = database.connect();
  // Far enough in that it is not yet met when the stream begins.
  Stream stream = connection.stream(
      "SELECT CASE WHEN i = 9000000 THEN error('boom') ELSE i END FROM range(10000000) r(i)");
  int64_t rows = 0;
  std::string message;
  try {
    while (const Chunk* chunk = stream.next()) rows += static_cast<int64_t>(chunk->rows());
  } catch (const QueryError& error) {
    message = error.message;
  }
  EXPECT_NE(message.find("boom"), std::string::npos)
      << "ended without a word after " << rows << " rows";
  EXPECT_GT(rows, 0);
  EXPECT_EQ(stream.next(), nullptr);
}

TEST(Stream, WrongSqlThrows) {
  Database database;
  Connection connection = database.connect();
  EXPECT_THROW(connection.stream("SELECT * FROM nothing"), QueryError);
  EXPECT_EQ(connection.query("SELECT 1").i64(0, 0), 1);
}

TEST(StreamDeathTest, ASecondQueryWouldCutTheStream) {
  Database database({.threads = 1});  // a fork among threads is not safe
  Connection connection = database.connect();
  Stream stream = connection.stream("SELECT * FROM range(1000000)");
  EXPECT_DEATH(connection.query("SELECT 1"), "still streams");
  EXPECT_DEATH(connection.stream("SELECT 1"), "second stream");
}

TEST(Database, AnswersOutliveTheirDatabase) {
  std::optional<Result> result;
  {
    Database database;
    result = database.connect().query("SELECT 'a text that is longer than twelve bytes'");
  }
  EXPECT_EQ(result->text(0, 0), "a text that is longer than twelve bytes");
}

TEST(Database, QuotesAreDoubled) {
  EXPECT_EQ(quote_text("it's"), "'it''s'");
  EXPECT_EQ(quote_identifier("a \"b\""), "\"a \"\"b\"\"\"");
  Database database;
  const Result result = database.connect().query("SELECT " + quote_text("it's") + " AS " +
                                                 quote_identifier("a \"b\""));
  EXPECT_EQ(result.text(0, 0), "it's");
  EXPECT_EQ(result.column_name(0), "a \"b\"");
}

}  // namespace
}  // namespace tare::store
