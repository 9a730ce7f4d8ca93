#include "sources/csv_scan.h"

#include <gtest/gtest.h>

namespace tare::sources {
namespace {

std::vector<std::string> texts_of(const std::vector<CsvCell>& cells) {
  std::vector<std::string> texts;
  for (const CsvCell& cell : cells) texts.push_back(cell.text);
  return texts;
}

// "line/cells:text" of every record, the text fed in blocks of `block` bytes.
std::vector<std::string> records_of(std::string_view text, size_t block, char delimiter = ',') {
  std::vector<std::string> records;
  CsvScanner scanner(delimiter);
  const auto take = [&] {
    records.push_back(std::to_string(scanner.line()) + "/" + std::to_string(scanner.cells()) +
                      (scanner.broken() ? "!" : "") + ":" + std::string(scanner.text()));
  };
  for (size_t at = 0; at < text.size(); at += block) {
    std::string_view part = text.substr(at, block);
    while (scanner.next(part)) take();
  }
  if (scanner.finish()) take();
  if (scanner.unclosed()) records.push_back("unclosed at " + std::to_string(scanner.line()));
  return records;
}

TEST(CsvScan, SplitsARecordIntoCells) {
  EXPECT_EQ(texts_of(split_record("a,\"b,\"\"c\"\"\", \"d\" ,,e\"f", ',')),
            (std::vector<std::string>{"a", "b,\"c\"", "d", "", "e\"f"}));
  EXPECT_EQ(texts_of(split_record("", ',')), std::vector<std::string>{""});
  const std::vector<CsvCell> cells = split_record("1,\"x\ny\",abc", ',');
  EXPECT_EQ(cells[1].column, 3);
  EXPECT_EQ(cells[2].line, 1);
  EXPECT_EQ(cells[2].column, 4);  // after y", on the second line
}

// As DuckDB reads them: cells must not be counted in one way and taken apart in another.
TEST(CsvScan, AQuoteAfterAClosingOneOpensTheCellAgain) {
  const std::string record = "\"a\" \"b,c\",\"p\"\"q\"  \"\",\"x\" ";
  EXPECT_EQ(records_of(record, 100), std::vector<std::string>{"1/3:" + record});
  EXPECT_EQ(texts_of(split_record(record, ',')),
            (std::vector<std::string>{"a b,c", "p\"q  ", "x"}));
  EXPECT_EQ(texts_of(split_record("\"\" \"\" \"\"", ',')), std::vector<std::string>{"  "});
  EXPECT_EQ(records_of("\"a\" \"b\n", 100), std::vector<std::string>{"unclosed at 1"});
}

TEST(CsvScan, GuessesTheDelimiterThatSeparatesMost) {
  EXPECT_EQ(guess_delimiter("a;b;c,d"), ';');
  EXPECT_EQ(guess_delimiter("a\tb"), '\t');
  EXPECT_EQ(guess_delimiter("a|b|c"), '|');
  EXPECT_EQ(guess_delimiter("\"a;b;c\",d"), ',');
  EXPECT_EQ(guess_delimiter("alone"), ',');
}

TEST(CsvScan, FindsRecordsWhateverTheBlocks) {
  const std::string text = "a,b\r\n1,\"x\r\n\"\"y\"\r\n\r\n2,3\n4,5\r6,\"7\"z,8\nlast,one";
  const std::vector<std::string> whole = records_of(text, text.size());
  EXPECT_EQ(whole, (std::vector<std::string>{"1/2:a,b", "2/2:1,\"x\r\n\"\"y\"", "4/1:", "5/2:2,3",
                                             "6/2:4,5", "7/3!:6,\"7\"z,8", "8/2:last,one"}));
  for (size_t block = 1; block < text.size(); ++block) EXPECT_EQ(records_of(text, block), whole);
}

TEST(CsvScan, SaysWhereAQuoteIsNeverClosed) {
  EXPECT_EQ(records_of("a,b\n1,2\n3,\"4\n5,6\n", 3),
            (std::vector<std::string>{"1/2:a,b", "2/2:1,2", "unclosed at 3"}));
}

TEST(CsvScan, LeavesAByteOrderMarkOutOnlyWhereItIsAllowed) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(records_of(mark + "a,b\n" + mark + "1,2\n", 100),
            (std::vector<std::string>{"1/2:a,b", "2/2:" + mark + "1,2"}));
}

}  // namespace
}  // namespace tare::sources
