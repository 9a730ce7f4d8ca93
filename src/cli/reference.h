// Everything that is printed from the table of flags.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"

namespace tare::cli {

// One screen (24 lines of 80), which starts with two examples. Null: of the program.
std::string short_help(const Command* command);
// All of it, by category.
std::string long_help(const Command* command);

std::string markdown_reference();                 // docs/cli.md
std::string man_page(std::string_view version);   // roff of man(7)
std::string completions(std::string_view shell);  // bash, zsh, fish

// Lines of at most `width` columns, cut at spaces; an empty line of the text stays one.
std::vector<std::string> wrapped(std::string_view text, size_t width);

// "-q, --quiet", "--month MONTH", "-C DIR".
std::string names_of(const Flag& flag);

// "model, stage, run": the words of a value in a command; "" where any text may stand.
std::string listed_words(Words words, CommandId command);

}  // namespace tare::cli
