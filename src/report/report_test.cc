#include "report/report.h"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "base/decimal_text.h"
#include "base/instant.h"
#include "base/printable.h"

namespace tare {
namespace {

Money money(std::string_view text) { return parse_decimal(text).value; }

std::string written(const Document& document, Format format, const Style& style = {}) {
  std::string out;
  write(out, document, format, style);
  return out;
}

Column column(std::string name, std::string heading, int decimals = 2,
              Align align = Align::kRight) {
  return {std::move(name), std::move(heading), align, decimals, {}};
}

Row part(std::string key, int depth, std::vector<Value> cells, std::string note = "") {
  return {std::move(key), depth, false, true, std::move(cells), std::move(note)};
}

Row total(std::vector<Value> cells) { return {"total", 0, true, true, std::move(cells), ""}; }

// A document with a cell of every kind.
Document small_document() {
  Table table;
  table.id = "2026-08/models";
  table.title = "Cost by model";
  table.columns = {column("model", "model", 0, Align::kLeft),
                   column("cost", "cost USD"),
                   column("held", "held h", 1),
                   column("busy", "busy", 1),
                   column("price", "USD per run", 4),
                   column("runs", "runs")};
  table.rows = {
      part("reco", 0,
           {"reco", money("1234567.335"), DeviceTime{kNsPerHour * 3 / 2 + 1},
            RatioRange{{312, 1000}, {45, 100}}, Price{money("12.3"), 77}, int64_t{12345}}),
      part("reco/a", 1,
           {"a", money("1234567.3325"), DeviceTime{kNsPerHour}, Ratio{1, 3},
            LowerBound{money("1.23459")}, int64_t{1}},
           "one attempt failed"),
      part("reco/b", 1,
           {"b", money("0.0025"), DeviceTime{kNsPerHour / 2 + 1}, Ratio{1, 0},
            MoneyRange{money("-1"), money("2.5")}, true}),
      part("fraud", 0,
           {"fraud", money("-3.335"), DeviceTime{0}, Ratio{-1, 3}, Unknown{}, Unknown{}}),
      total({"total", money("1234564"), DeviceTime{kNsPerHour * 3 / 2 + 1}, Unknown{}, Unknown{},
             int64_t{12345}})};
  table.notes = {"unknown is not zero"};
  Document document;
  document.command = "cost";
  document.facts = {{"project", "acme"}, {"currency", "USD"}};
  document.tables = {table};
  document.notes = {"3 findings: tare findings"};
  document.next_step = "tare explain 2026-08/models/reco/cost";
  return document;
}

TEST(ReportText, Golden) {
  EXPECT_EQ(
      written(small_document(), Format::kText),
      "project: acme   currency: USD\n"
      "\n"
      "Cost by model\n"
      "model      cost USD  held h         busy        USD per run    runs\n"
      "reco   1,234,567.34     1.5  31.2-45.0 %             0.1597  12,345\n"
      "  a    1,234,567.34     1.0       33.3 %           > 1.2345       1  one attempt failed\n"
      "  b            0.00     0.5            -  -1.0000 to 2.5000     yes\n"
      "fraud         -3.34     0.0      -33.3 %                  -       -\n"
      "-------------------------------------------------------------------\n"
      "total  1,234,564.00     1.5            -                  -  12,345\n"
      "  unknown is not zero\n"
      "\n"
      "3 findings: tare findings\n"
      "\n"
      "next: tare explain 2026-08/models/reco/cost\n");
}

TEST(ReportCsv, Golden) {
  EXPECT_EQ(written(small_document(), Format::kCsv),
            "model,cost,held,busy,price,runs,row_key,row_level\n"
            "reco,1234567.335,5400000000001,0.312..0.45,0.15974025974025974,12345,reco,0\n"
            "a,1234567.3325,3600000000000,0.333333333,>1.23459,1,reco/a,1\n"
            "b,0.0025,1800000000001,,-1..2.5,true,reco/b,1\n"
            "fraud,-3.335,0,-0.333333333,,,fraud,0\n"
            "total,1234564,5400000000001,,,12345,total,total\n");
}

TEST(ReportMarkdown, Golden) {
  EXPECT_EQ(written(small_document(), Format::kMarkdown),
            "## tare cost\n"
            "\n"
            "- project: acme\n"
            "- currency: USD\n"
            "\n"
            "### Cost by model\n"
            "\n"
            "| model | cost USD | held h | busy | USD per run | runs |\n"
            "| --- | ---: | ---: | ---: | ---: | ---: |\n"
            "| reco | 1,234,567.34 | 1.5 | 31.2-45.0 % | 0.1597 | 12,345 |\n"
            "| &nbsp;&nbsp;a | 1,234,567.34 | 1.0 | 33.3 % | &gt; 1.2345 | 1 |\n"
            "| &nbsp;&nbsp;b | 0.00 | 0.5 | - | -1.0000 to 2.5000 | yes |\n"
            "| fraud | -3.34 | 0.0 | -33.3 % | - | - |\n"
            "| **total** | **1,234,564.00** | **1.5** | **-** | **-** | **12,345** |\n"
            "\n"
            "- reco/a: one attempt failed\n"
            "- unknown is not zero\n"
            "\n"
            "- 3 findings: tare findings\n");
}

TEST(ReportJson, Golden) {
  Document document = small_document();
  std::vector<Row>& rows = document.tables[0].rows;
  rows = {rows[1], rows[2], rows[4]};
  const std::string text = written(document, Format::kJson);
  EXPECT_TRUE(
      text.starts_with("{\n  \"schema_version\": 1,\n  \"command\": \"cost\",\n"
                       "  \"facts\": {\n    \"project\": \"acme\",\n"));
  EXPECT_TRUE(text.ends_with("}\n"));
  const auto json = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(json["tables"][0]["rows"].dump(),
            R"([{"key":"reco/a","depth":1,"cells":{"model":"a","cost":"1234567.3325",)"
            R"("held":3600000000000,)"
            R"("busy":{"value":"0.333333333","numerator":"1","denominator":"3"},)"
            R"("price":{"above":"1.23459"},"runs":1},)"
            R"("ids":{"cost":"2026-08/models/reco/a/cost","held":"2026-08/models/reco/a/held",)"
            R"("busy":"2026-08/models/reco/a/busy","price":"2026-08/models/reco/a/price",)"
            R"("runs":"2026-08/models/reco/a/runs"},"note":"one attempt failed"},)"
            R"({"key":"reco/b","depth":1,"cells":{"model":"b","cost":"0.0025",)"
            R"("held":1800000000001,"busy":null,"price":{"low":"-1","high":"2.5"},"runs":true},)"
            R"("ids":{"cost":"2026-08/models/reco/b/cost","held":"2026-08/models/reco/b/held",)"
            R"("busy":"2026-08/models/reco/b/busy","price":"2026-08/models/reco/b/price"}},)"
            R"({"key":"total","depth":0,"total":true,"cells":{"model":"total","cost":"1234564",)"
            R"("held":5400000000001,"busy":null,"price":null,"runs":12345},)"
            R"("ids":{"cost":"2026-08/models/total/cost","held":"2026-08/models/total/held",)"
            R"("busy":"2026-08/models/total/busy","price":"2026-08/models/total/price",)"
            R"("runs":"2026-08/models/total/runs"}}])");
  EXPECT_EQ(json["tables"][0]["columns"][1].dump(), R"({"name":"cost","heading":"cost USD"})");
  EXPECT_EQ(json["tables"][0]["notes"].dump(), R"(["unknown is not zero"])");
  EXPECT_FALSE(json.contains("next_step"));
}

TEST(ReportText, IdsNameEveryFigure) {
  const std::string text = written(small_document(), Format::kText, {.ids = true, .width = 0});
  EXPECT_NE(text.find("  2026-08/models/reco/a  one attempt failed\n"), std::string::npos) << text;
  EXPECT_NE(text.find("one of: /cost /held /busy /price /runs\n"), std::string::npos) << text;
  const std::string csv = written(small_document(), Format::kCsv, {.ids = true});
  EXPECT_NE(csv.find("reco/a,1,2026-08/models/reco/a\n"), std::string::npos) << csv;
}

TEST(ReportText, NarrowWidthCutsNoNumberAndLosesNoName) {
  Document document = small_document();
  document.tables[0].rows[0].cells[0] = "model/recommendations-for-the-front-page/training/4711";
  for (const int width : {1, 20, 40, 60, 80}) {
    const std::string text = written(document, Format::kText, {.width = width});
    for (const char* number : {"1,234,567.34", "12,345", "31.2-45.0 %", "1,234,564.00"}) {
      EXPECT_NE(text.find(number), std::string::npos) << width << "\n" << text;
    }
    std::string letters;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) letters += line.substr(0, line.find("  "));
    EXPECT_NE(letters.find("model/recommendations-for-the-front-page/training/4711"),
              std::string::npos)
        << width << "\n"
        << text;
  }
  const std::string text = written(document, Format::kText, {.width = 80});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80U) << line;
}

TEST(ReportText, ColourOnlyWhereAskedFor) {
  EXPECT_EQ(written(small_document(), Format::kText).find('\x1b'), std::string::npos);
  EXPECT_NE(written(small_document(), Format::kText, {.colour = true}).find("\x1b[1mtotal"),
            std::string::npos);
}

TEST(ReportText, UmlautsKeepColumnsAligned) {
  Document document;
  Table table;
  table.title = "t";
  table.columns = {column("a", "a"), column("b", "b")};
  table.rows = {part("1", 0, {"größe", int64_t{1}}), part("2", 0, {"large", int64_t{2}})};
  document.tables = {table};
  EXPECT_EQ(written(document, Format::kText), "t\na      b\ngröße  1\nlarge  2\n");
}

TEST(Report, EmptyDocumentsEndInANewline) {
  Document document;
  for (const Format format : {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown}) {
    EXPECT_TRUE(written(document, format).ends_with('\n'));
  }
  Table table;
  table.title = "Nothing";
  table.columns = {column("a", "a")};
  document.tables = {table};
  EXPECT_EQ(written(document, Format::kText), "Nothing\n  (no rows)\n");
  EXPECT_EQ(written(document, Format::kCsv), "a,row_key,row_level\n");
}

TEST(ReportCsv, SeveralTables) {
  Document document = small_document();
  for (const char* id : {"one", "two"}) {
    Table table;
    table.id = id;
    table.columns = {column("a", "a")};
    table.rows = {part("k", 0, {int64_t{-5}})};
    if (document.tables.front().id != "one") document.tables.clear();
    document.tables.push_back(table);
  }
  EXPECT_EQ(written(document, Format::kCsv),
            "# one\na,row_key,row_level\n-5,k,0\n\n# two\na,row_key,row_level\n-5,k,0\n");
}

TEST(Report, ParsesFormats) {
  EXPECT_EQ(parse_format("text"), Format::kText);
  EXPECT_EQ(parse_format("json"), Format::kJson);
  EXPECT_EQ(parse_format("csv"), Format::kCsv);
  EXPECT_EQ(parse_format("md"), Format::kMarkdown);
  EXPECT_EQ(parse_format("JSON"), std::nullopt);
  EXPECT_EQ(parse_format(""), std::nullopt);
}

TEST(Report, StreamAndStringAgree) {
  std::ostringstream stream;
  write(stream, small_document(), Format::kJson);
  EXPECT_EQ(stream.str(), written(small_document(), Format::kJson));
}

TEST(ReportDeath, RowsHaveOneCellAColumn) {
  Document document = small_document();
  document.tables[0].rows[0].cells.pop_back();
  EXPECT_EXIT(written(document, Format::kText), testing::ExitedWithCode(3), "one cell a column");
}

// ---- names from data ----

const std::vector<std::string>& hostile_names() {
  static const std::vector<std::string> names = {"=cmd|'/c calc'!A0",
                                                 "+1",
                                                 "-1+2",
                                                 "@SUM(A1)",
                                                 "\t=1",
                                                 "\r=1",
                                                 "a\"b,c",
                                                 "two\nlines",
                                                 "\x1b[31mred",
                                                 "\xc2\x9b[31m",
                                                 "bad\xff\xc3",
                                                 "\xed\xa0\x80",
                                                 "a|b",
                                                 "`code`",
                                                 "<script>alert(1)</script>",
                                                 "[x](http://evil.example)",
                                                 "@team",
                                                 "#123",
                                                 "www.evil.example",
                                                 "\xe2\x80\xaegnp.exe",
                                                 std::string("nul\0byte", 8),
                                                 "\\",
                                                 "&lt;",
                                                 "**bold**",
                                                 "$x$"};
  return names;
}

Document named(const std::string& name) {
  Table table;
  table.id = name;
  table.title = name;
  table.columns = {column("a", name), column(name, "b")};
  table.rows = {part(name, 0, {name, int64_t{1}}, name)};
  table.notes = {name};
  Document document;
  document.command = "cost";
  document.facts = {{name, name}};
  document.tables = {table};
  document.notes = {name};
  document.next_step = name;
  return document;
}

// Valid UTF-8 without a control or a bidirectional character but the newline.
bool is_safe(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (printable(text.substr(0, end)) != text.substr(0, end)) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

TEST(ReportHostile, TextAndMarkdownStayPrintable) {
  for (const std::string& name : hostile_names()) {
    for (const bool ids : {false, true}) {
      EXPECT_TRUE(is_safe(written(named(name), Format::kText, {.ids = ids}))) << name;
      EXPECT_TRUE(is_safe(written(named(name), Format::kMarkdown, {.ids = ids}))) << name;
    }
    // No line of ours is forged: there is one fact, one title, one heading, one row.
    const std::string text = written(named(name), Format::kText, {.width = 0});
    EXPECT_EQ(std::ranges::count(text, '\n'), 10) << text;
  }
}

TEST(ReportHostile, MarkdownMeansNothingButItself) {
  for (const std::string& name : hostile_names()) {
    const std::string text = written(named(name), Format::kMarkdown);
    std::string bare = text;
    for (const char* ours : {"<!-- -->", "&nbsp;", "\\\\", "\\|", "\\`", "\\*", "\\[", "\\]"}) {
      for (size_t at = bare.find(ours); at != std::string::npos; at = bare.find(ours)) {
        bare.erase(at, std::string_view(ours).size());
      }
    }
    EXPECT_EQ(bare.find_first_of("<>`*[]"), std::string::npos) << text;
    EXPECT_EQ(text.find("@team"), std::string::npos);
    EXPECT_EQ(text.find("#123"), std::string::npos);
    EXPECT_EQ(text.find("://"), std::string::npos);
    EXPECT_EQ(text.find("www."), std::string::npos);
    EXPECT_EQ(std::ranges::count(bare, '|'), 9) << bare;  // three table lines of two cells
  }
}

TEST(ReportHostile, JsonIsValidAsciiAndKeepsValidNames) {
  for (const std::string& name : hostile_names()) {
    const std::string text = written(named(name), Format::kJson);
    EXPECT_TRUE(
        std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= 32 && c < 127); }));
    const auto json = nlohmann::json::parse(text);  // throws on what is not JSON
    const std::string cell = json["tables"][0]["rows"][0]["cells"]["a"];
    EXPECT_TRUE(cell == name || cell.find("\\x") != std::string::npos) << cell;
  }
}

// A reader of RFC 4180, strict enough to notice a broken quote.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string& cell = rows.back().back();
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      cell += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      rows.back().emplace_back();
    } else if (!quoted && text[i] == '\n') {
      rows.emplace_back(1);
    } else {
      cell += text[i];
    }
  }
  EXPECT_FALSE(quoted);
  return rows;
}

TEST(ReportHostile, CsvKeepsCellsAndDefusesFormulas) {
  for (const std::string& name : hostile_names()) {
    const auto rows = read_csv(written(named(name), Format::kCsv));
    ASSERT_EQ(rows.size(), 3U) << name;
    ASSERT_EQ(rows[1].size(), 4U) << name;
    const std::string& cell = rows[1][0];
    EXPECT_EQ(cell.find_first_of("=+-@\t\r"), cell.find_first_of("=+-@\t\r", 1)) << cell;
    EXPECT_TRUE(cell == name || cell == "'" + name || cell.find("\\x") != std::string::npos)
        << cell;
  }
  EXPECT_EQ(read_csv(written(named("=1"), Format::kCsv))[1][0], "'=1");
}

}  // namespace
}  // namespace tare
