#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cli/sql_answer.h"
#include "cli/sql_statements.h"

namespace tare::cli {
namespace {

std::vector<std::string> texts(const std::string& sql) {
  const Statements statements = split_statements(sql);
  std::vector<std::string> out;
  for (const Statement& statement : statements.complete) out.push_back(statement.text);
  out.push_back("rest:" + statements.rest.text);
  return out;
}

using Texts = std::vector<std::string>;

TEST(Statements, EndAtASemicolon) {
  EXPECT_EQ(texts("select 1; select 2"), (Texts{"select 1", "rest:select 2"}));
  EXPECT_EQ(texts("select 1;"), (Texts{"select 1", "rest:"}));
  EXPECT_EQ(texts(" ;; \n;"), (Texts{"rest:"}));
  EXPECT_EQ(texts(""), (Texts{"rest:"}));
}

TEST(Statements, NotInsideQuotesAndComments) {
  EXPECT_EQ(texts("select ';', 'it''s;'; x"), (Texts{"select ';', 'it''s;'", "rest:x"}));
  EXPECT_EQ(texts("select \"a;\"\"b\"; x"), (Texts{"select \"a;\"\"b\"", "rest:x"}));
  EXPECT_EQ(texts("select 1 -- a; b\n, 2; x"), (Texts{"select 1 -- a; b\n, 2", "rest:x"}));
  EXPECT_EQ(texts("select /* a; /* b; */ c; */ 1; x"),
            (Texts{"select /* a; /* b; */ c; */ 1", "rest:x"}));
  EXPECT_EQ(texts("select $$a;b$$, $t$c;$$;$t$; x"),
            (Texts{"select $$a;b$$, $t$c;$$;$t$", "rest:x"}));
  EXPECT_EQ(texts("select e'\\';', E'a\\\\'; x"), (Texts{"select e'\\';', E'a\\\\'", "rest:x"}));
  EXPECT_EQ(texts("select '\\'; x"), (Texts{"select '\\'", "rest:x"}));
  EXPECT_EQ(texts("select $1; x"), (Texts{"select $1", "rest:x"}));
}

TEST(Statements, CommentsAloneSayNothing) {
  EXPECT_EQ(texts("select 1; -- done"), (Texts{"select 1", "rest:"}));
  EXPECT_EQ(texts("/* nothing */ ; -- at all\n"), (Texts{"rest:"}));
}

TEST(Statements, KnowTheirLineAndWhetherTheyAreOpen) {
  const Statements statements = split_statements("select\n1;\n\n select 2;\nselect '3");
  ASSERT_EQ(statements.complete.size(), 2U);
  EXPECT_EQ(statements.complete[0].first_line, 1);
  EXPECT_EQ(statements.complete[1].first_line, 4);
  EXPECT_EQ(statements.rest.first_line, 5);
  EXPECT_TRUE(statements.open);
  EXPECT_TRUE(split_statements("select /* 1;").open);
  EXPECT_FALSE(split_statements("select 1").open);
}

RC_GTEST_PROP(StatementsProperty, AnyTextSplitsIntoPiecesOfItself, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "select 1", ";", "'", "\"", "$$", "--", "\n", "/*", "*/", "e'", "\\", " ", "$a$", "x"));
  std::string sql;
  for (const std::string& piece : pieces) sql += piece;
  const Statements statements = split_statements(sql);
  size_t from = 0;
  for (const Statement& statement : statements.complete) {
    RC_ASSERT(!statement.text.empty());
    const size_t found = sql.find(statement.text, from);
    RC_ASSERT(found != std::string::npos);
    from = found + statement.text.size();
  }
  RC_ASSERT(statements.rest_begin >= from);
  RC_ASSERT(statements.rest_begin <= sql.size());
}

TEST(SqlError, PointsIntoTheUsersText) {
  const Statement statement{.text = "select *\nfrom runn", .first_line = 3};
  const UserError error = sql_error(
      {.message = "Catalog Error: Table with name runn does not exist!",
       .full = "Catalog Error: Table with name runn does not exist!\nDid you mean \"run\"?\n\n"
               "LINE 2: from runn\n             ^"},
      statement);
  EXPECT_EQ(error.message(), "Catalog Error: Table with name runn does not exist!");
  EXPECT_EQ(error.hint(), "Did you mean \"run\"?");
  EXPECT_EQ(to_text(error.place()), "sql:4:6");
  EXPECT_EQ(error.place().source_line, "from runn");
  EXPECT_EQ(error.place().caret_length, 4);
}

TEST(SqlError, FindsTheColumnOfALineThatIsShownCut) {
  const std::string line = "select " + std::string(100, 'a') + ", wrong, " + std::string(100, 'b');
  const std::string shown = "..." + line.substr(80, 60) + "...";
  const size_t caret = 3 + line.find("wrong") - 80;
  const UserError error = sql_error(
      {.message = "Binder Error: no",
       .full = "Binder Error: no\n\nLINE 1: " + shown + "\n" + std::string(8 + caret, ' ') + "^"},
      {.text = line});
  EXPECT_EQ(error.place().column, static_cast<int64_t>(line.find("wrong")) + 1);
  EXPECT_EQ(error.place().caret_length, 5);
  EXPECT_EQ(error.hint(), "");
}

TEST(SqlError, WithoutAPlaceHasNone) {
  const UserError error =
      sql_error({.message = "Permission Error: no", .full = "Permission Error: no"},
                {.text = "copy x to 'y'"});
  EXPECT_EQ(to_text(error.place()), "");
}

Table run(const std::string& sql) {
  store::Database database;
  store::Connection connection = database.connect();
  return run_statement(connection, {.text = sql}, "sql");
}

TEST(SqlAnswer, KeepsEveryDigit) {
  const Table table = run(
      "SELECT CAST('1.500000000000000001' AS DECIMAL(38,18)) AS cost, 9007199254740993 AS count,"
      " CAST('170141183460469231731687303715884105727' AS HUGEINT) AS huge, 0.1::DOUBLE AS ratio,"
      " CAST('0.1234567890123456789012345' AS DECIMAL(38,30)) AS fine, -1e300::DOUBLE AS far");
  const std::vector<Value>& cells = table.rows.at(0).cells;
  EXPECT_EQ(to_text(std::get<Money>(cells[0])), "1.500000000000000001");
  EXPECT_EQ(table.columns[0].decimals, 18);
  EXPECT_EQ(std::get<int64_t>(cells[1]), 9007199254740993);
  EXPECT_EQ(std::get<std::string>(cells[2]), "170141183460469231731687303715884105727");
  EXPECT_EQ(to_text(std::get<Money>(cells[3])), "0.1");
  EXPECT_EQ(std::get<std::string>(cells[4]), "0.1234567890123456789012345");
  EXPECT_EQ(std::get<std::string>(cells[5]), "-1e+300");
}

TEST(SqlAnswer, ShowsAColumnWithTheDigitsItNeeds) {
  const Table table =
      run("SELECT CAST(v AS DECIMAL(38,18)) AS v FROM (VALUES (1.5), (20), (0.25)) AS t(v)");
  EXPECT_EQ(table.columns.at(0).decimals, 2);
  EXPECT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[2].key, "3");
}

TEST(SqlAnswer, KnowsNullTruthTextAndColumnsOfOneName) {
  const Table table =
      run("SELECT NULL AS a, true AS a, 'x' AS b, [1, 2] AS c, DATE '2026-08-01' AS d");
  const std::vector<Value>& cells = table.rows.at(0).cells;
  EXPECT_TRUE(std::holds_alternative<Unknown>(cells[0]));
  EXPECT_TRUE(std::get<bool>(cells[1]));
  EXPECT_EQ(table.columns[1].name, "a_2");
  EXPECT_EQ(std::get<std::string>(cells[3]), "[1, 2]");
  EXPECT_EQ(std::get<std::string>(cells[4]), "2026-08-01");
}

TEST(SqlAnswer, RefusesWhatItCouldNotHold) {
  try {
    run("SELECT * FROM range(1000001)");
    FAIL() << "an answer of a million and one rows";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), "sql-too-many-rows");
  }
}

}  // namespace
}  // namespace tare::cli
