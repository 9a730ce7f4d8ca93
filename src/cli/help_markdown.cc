#include "cli/commands.h"
#include "cli/console.h"
#include "cli/reference.h"
#include "cli/session.h"

namespace tare::cli {
namespace {

std::string first_letter_up(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

// A table's cell: no bar may end it early.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void append_markdown_examples(std::string& out, std::span<const Example> examples) {
  out += "```sh\n";
  for (const Example& example : examples) {
    out += std::string(example.line) + "   # " + std::string(example.shows) + "\n";
  }
  out += "```\n\n";
}

std::string flags_line(const Command& command) {
  std::string text;
  for (const Flag& flag : flags()) {
    if (!flag.listed || flag.category == Category::kGeneral || !takes(command, flag)) continue;
    text += (text.empty() ? "" : ", ") + std::string("`") + spelled(flag) + "`";
  }
  return text;
}

void append_markdown_command(std::string& out, const Command& command) {
  out += "### tare " + std::string(command.name) + "\n\n";
  out += first_letter_up(command.summary) + ".\n\n";
  out += "`" + usage_of(command) + "`\n\n";
  out += std::string(command.details) + "\n\n";
  for (const Operand& operand : command.operands) {
    if (operand.name.empty()) continue;
    out += "- " + std::string(operand.name) + ": " + std::string(operand.summary) + "\n";
  }
  if (!command.operands[0].name.empty()) out += '\n';
  append_markdown_examples(out, command.examples);
  out += "Flags: " + flags_line(command) + ", and the general ones.\n\n";
  for (const Flag& flag : flags()) {
    if (flag.words != Words::kGrouping || !takes(command, flag)) continue;
    out += "`" + spelled(flag) + "` takes " + listed_words(flag.words, command.id) + ".\n\n";
  }
}

void append_markdown_flags(std::string& out) {
  for (size_t c = 0; c < static_cast<size_t>(Category::kCount); ++c) {
    const auto category = static_cast<Category>(c);
    out += "### " + std::string(heading(category)) + "\n\n";
    out += "| flag | meaning | default |\n|---|---|---|\n";
    for (const Flag& flag : flags()) {
      if (!flag.listed || flag.category != category) continue;
      out += "| `" + cell(names_of(flag)) + "` | " + cell(first_letter_up(flag.summary)) + ". " +
             cell(flag.details) + " | " + cell(flag.default_text) + " |\n";
    }
    out += '\n';
  }
}

void append_markdown_named(std::string& out, std::string_view title,
                           std::span<const Named> entries) {
  out += "## " + std::string(title) + "\n\n";
  for (const Named& entry : entries) {
    out += "- `" + std::string(entry.name) + "`: " + std::string(entry.meaning) + "\n";
  }
  out += '\n';
}

}  // namespace

std::string markdown_reference() {
  std::string out = "# The command line\n\n";
  out +=
      "Printed by the program from its table of flags (`tare help-markdown`), and compared in a "
      "test; do not edit.\n\n";
  out += std::string(program_details()) + "\n\n";
  append_markdown_examples(out, program_examples());
  out += "## Commands\n\n";
  for (const Command& command : commands()) {
    if (command.listed) append_markdown_command(out, command);
  }
  out +=
      "## Flags\n\nA flag may stand before or after the command. Of one that is given twice the "
      "last counts; `--where` adds up. After `--` nothing is a flag.\n\n";
  append_markdown_flags(out);
  out += "## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const ExitCode& code : exit_codes()) {
    out += "| " + std::to_string(code.code) + " | " + cell(code.meaning) + " |\n";
  }
  out += '\n';
  append_markdown_named(out, "Environment", environment());
  append_markdown_named(out, "Files", files());
  out.pop_back();  // one line end at the end
  return out;
}

int run_help_markdown(const Options&) {
  write_stdout(markdown_reference());
  return kDone;
}

}  // namespace tare::cli
