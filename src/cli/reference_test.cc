// What is printed from the table of flags: all of it is there, in a form that fits.
#include "cli/reference.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace tare::cli {
namespace {

constexpr size_t kScreenLines = 24, kScreenColumns = 80;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// What every one-line text of the table is: short, without capital or full stop.
void expect_one_line(std::string_view text, std::string_view of) {
  EXPECT_FALSE(text.empty()) << of;
  EXPECT_LE(text.size(), 64U) << of;
  EXPECT_FALSE(text.ends_with('.')) << of;
  EXPECT_FALSE(text.front() >= 'A' && text.front() <= 'Z') << of;
  EXPECT_FALSE(holds(std::string(text), "\n")) << of;
}

TEST(FlagTable, EveryFlagIsDocumented) {
  std::set<std::string> names;
  for (const Flag& flag : flags()) {
    const std::string name = spelled(flag);
    EXPECT_TRUE(names.insert(name).second) << name;
    if (flag.short_name != 0 && !flag.name.empty()) {
      EXPECT_TRUE(names.insert(std::string{'-', flag.short_name}).second) << name;
    }
    expect_one_line(flag.summary, name);
    EXPECT_TRUE(flag.details.ends_with('.')) << name;
    EXPECT_NE(flag.commands, 0U) << name;
    EXPECT_EQ(&flag_of(flag.id), &flag) << name;
  }
  EXPECT_EQ(flags().size(), static_cast<size_t>(FlagId::kCount));
}

TEST(FlagTable, EveryCommandIsDocumentedWithTwoExamplesOfIts) {
  for (const Command& command : commands()) {
    const std::string name(command.name);
    expect_one_line(command.summary, name);
    EXPECT_TRUE(command.details.ends_with('.')) << name;
    EXPECT_EQ(&command_of(command.id), &command) << name;
    EXPECT_EQ(find_command(name), &command) << name;
    for (const Example& example : command.examples) {
      EXPECT_TRUE(holds(std::string(example.line), "tare ")) << example.line;
      EXPECT_TRUE(holds(std::string(example.line), name)) << example.line;
      expect_one_line(example.shows, example.line);
    }
  }
  EXPECT_EQ(commands().size(), static_cast<size_t>(CommandId::kCount));
}

TEST(FlagTable, LaterCommandsAreNoCommands) {
  for (const std::string_view word : later_commands())
    EXPECT_EQ(find_command(word), nullptr) << word;
}

TEST(Help, TheShortOneFitsAScreenAndStartsWithTwoExamples) {
  for (const Command& command : commands()) {
    const std::vector<std::string> lines = lines_of(short_help(&command));
    EXPECT_LE(lines.size(), kScreenLines) << command.name;
    for (const std::string& line : lines) EXPECT_LE(line.size(), kScreenColumns) << line;
    EXPECT_TRUE(lines[0].starts_with(command.examples[0].line)) << command.name;
    EXPECT_TRUE(lines[1].starts_with(command.examples[1].line)) << command.name;
  }
  const std::vector<std::string> lines = lines_of(short_help(nullptr));
  EXPECT_LE(lines.size(), kScreenLines);
  for (const std::string& line : lines) EXPECT_LE(line.size(), kScreenColumns) << line;
  EXPECT_TRUE(lines[0].starts_with(program_examples()[0].line));
  EXPECT_TRUE(lines[1].starts_with(program_examples()[1].line));
}

TEST(Help, TheShortOneNamesEveryFlagOfTheCommand) {
  for (const Command& command : commands()) {
    const std::string text = short_help(&command);
    for (const Flag& flag : flags()) {
      if (flag.listed && takes(command, flag)) {
        EXPECT_TRUE(holds(text, spelled(flag))) << spelled(flag);
      }
    }
  }
}

TEST(Help, EveryFlagAndCommandIsInEveryListAndWhatIsUnlistedIsInNone) {
  for (const std::string& text : {long_help(nullptr), markdown_reference(), completions("bash"),
                                  completions("zsh"), completions("fish")}) {
    for (const Flag& flag : flags()) {
      // fish spells a flag "-l month", the others "--month".
      const std::string long_name(flag.name);
      const bool found =
          long_name.empty()
              ? holds(text, spelled(flag)) || holds(text, "-s " + spelled(flag).substr(1))
              : holds(text, "--" + long_name) || holds(text, "-l " + long_name);
      EXPECT_EQ(found, flag.listed) << spelled(flag);
    }
    for (const Command& command : commands()) {
      if (command.listed) {
        EXPECT_TRUE(holds(text, command.name)) << command.name;
      }
    }
  }
  EXPECT_FALSE(holds(long_help(nullptr), "help-markdown"));
}

TEST(Help, LaterCommandsAreNotShown) {
  const std::vector<std::string> lines = lines_of(short_help(nullptr));
  for (const std::string_view word : later_commands()) {
    const std::string begin = "  " + std::string(word) + " ";
    EXPECT_TRUE(std::ranges::none_of(lines, [&](const std::string& line) {
      return line.starts_with(begin);
    })) << word;
  }
}

TEST(Help, WrapsAtSpacesAndKeepsEmptyLines) {
  EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("one\n\ntwo", 8), (std::vector<std::string>{"one", "", "two"}));
  EXPECT_EQ(wrapped("muchtoolong x", 4), (std::vector<std::string>{"muchtoolong", "x"}));
  EXPECT_EQ(wrapped("", 4), (std::vector<std::string>{""}));
}

TEST(ManPage, HoldsEveryFlagAndOnlyMacrosOfMan) {
  const std::string page = man_page("1.2.3");
  const std::set<std::string> macros = {".TH", ".SH", ".SS", ".PP", ".TP", ".B",
                                        ".I",  ".RI", ".nf", ".fi", ".RS", ".RE"};
  for (const std::string& line : lines_of(page)) {
    EXPECT_FALSE(line.starts_with('\'')) << line;
    if (line.starts_with('.')) {
      EXPECT_TRUE(macros.contains(line.substr(0, line.find(' ')))) << line;
    }
  }
  EXPECT_TRUE(page.starts_with(".TH TARE 1 \"\" \"tare 1.2.3\""));
  for (const Flag& flag : flags()) {
    if (!flag.listed || flag.name.empty()) continue;
    std::string roff = "\\-\\-";
    for (const char c : flag.name) roff += c == '-' ? std::string("\\-") : std::string{c};
    EXPECT_TRUE(holds(page, roff)) << flag.name;
  }
}

// The page in docs/ is the program's own output; TARE_UPDATE_GOLDEN=1 writes it.
TEST(Markdown, IsWhatDocsCliHolds) {
  const std::string printed = markdown_reference();
  const char* update = std::getenv("TARE_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream("docs/cli.md", std::ios::binary) << printed;
  }
  std::ifstream file("docs/cli.md", std::ios::binary);
  const std::string held{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(held, printed);
}

}  // namespace
}  // namespace tare::cli
