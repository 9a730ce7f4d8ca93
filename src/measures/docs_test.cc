// docs/measures.md holds what the registries of this folder say, word for word. With
// TARE_UPDATE_GOLDEN=1 the test writes it.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "measures/groupings.h"
#include "measures/meanings.h"
#include "store/store.h"

namespace tare::measures {
namespace {

constexpr const char* kDocument = "docs/measures.md";  // tests run at the root of the repository

std::string groupings_text() {
  std::string text = "| word | meaning | `cost` | `waste` |\n|---|---|---|---|\n";
  for (const Grouping& grouping : groupings()) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", grouping.name, grouping.meaning,
                        grouping.in_cost ? "yes" : "", grouping.in_waste ? "yes" : "");
  }
  return text;
}

std::string states_text() {
  std::string text = "| state | meaning | busy | useful |\n|---|---|---|---|\n";
  for (size_t index = 0; index < store::kStates; ++index) {
    const auto state = static_cast<store::State>(index);
    const bool useful = state == store::State::kUseful || state == store::State::kBusy;
    const std::string busy = state == store::State::kLost ? "where a sign says so"
                             : store::is_busy(state)      ? "yes"
                                                          : "";
    text += fmt::format("| `{}` | {} | {} | {} |\n", store::state_name(state),
                        store::state_sentence(state), busy, useful ? "yes" : "");
  }
  return text;
}

std::string columns_text() {
  std::string text;
  std::string_view table;
  for (const Meaning& meaning : meanings()) {
    if (meaning.table != table) {
      text += fmt::format("{}**{}**\n\n| column | meaning | formula |\n|---|---|---|\n",
                          text.empty() ? "" : "\n", meaning.table);
      table = meaning.table;
    }
    text += fmt::format("| `{}` | {} | {} |\n", meaning.column, meaning.meaning, meaning.formula);
  }
  return text;
}

// The part of the document between "<!-- name -->" and "<!-- end -->".
std::string section(const std::string& document, const std::string& name, size_t* at) {
  const std::string begin = fmt::format("<!-- {} -->\n", name);
  const size_t found = document.find(begin);
  if (found == std::string::npos) return "no such section";
  *at = found + begin.size();
  return document.substr(*at, document.find("<!-- end -->", *at) - *at);
}

std::string read_document() {
  std::ifstream stream(kDocument);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void expect_section(const std::string& name, const std::string& expected) {
  std::string document = read_document();
  size_t at = 0;
  const std::string found = section(document, name, &at);
  if (std::getenv("TARE_UPDATE_GOLDEN") != nullptr && at > 0) {
    document.replace(at, found.size(), expected);
    std::ofstream(kDocument) << document;
    return;
  }
  EXPECT_EQ(found, expected) << kDocument << ": TARE_UPDATE_GOLDEN=1 rewrites it";
}

TEST(Docs, GroupingsStandInTheDocument) { expect_section("groupings", groupings_text()); }
TEST(Docs, StatesStandInTheDocument) { expect_section("states", states_text()); }
TEST(Docs, ColumnsStandInTheDocument) { expect_section("columns", columns_text()); }

}  // namespace
}  // namespace tare::measures
