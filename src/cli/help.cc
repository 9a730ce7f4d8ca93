#include <algorithm>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/reference.h"
#include "cli/session.h"
#include "synth/synth.h"

namespace tare::cli {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kTextColumn = 27;  // where the meaning of a flag begins

void append_lines(std::string& out, std::string_view text, size_t indent) {
  for (const std::string& line : wrapped(text, kWidth - indent)) {
    if (!line.empty()) out += std::string(indent, ' ') + line;
    out += '\n';
  }
}

// "name        meaning", the meaning wrapped in its own column.
void append_entry(std::string& out, std::string_view name, std::string_view meaning,
                  size_t column) {
  out += name;
  const bool fits = name.size() + 2 <= column;
  if (fits) out.append(column - name.size(), ' ');
  if (!fits) out += '\n';
  bool first = fits;
  for (const std::string& line : wrapped(meaning, kWidth - column)) {
    if (!first) out.append(column, ' ');
    out += line + '\n';
    first = false;
  }
}

void append_examples(std::string& out, std::span<const Example> examples) {
  size_t column = 0;
  for (const Example& example : examples) column = std::max(column, example.line.size() + 3);
  for (const Example& example : examples) {
    append_entry(out, example.line, example.shows, std::min(column, kWidth - 24));
  }
  out += '\n';
}

// Short names first, in a column of their own.
std::string flag_label(const Flag& flag) {
  return (flag.short_name == 0 ? "      " : "  ") + names_of(flag);
}

std::string sentence(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out + ".";
}

void append_words(std::string& out, const Command& command) {
  for (const Flag& flag : flags()) {
    if (flag.words != Words::kGrouping || !takes(command, flag)) continue;
    append_lines(out, spelled(flag) + " takes " + listed_words(flag.words, command.id), 2);
  }
}

void append_operands(std::string& out, const Command& command) {
  for (const Operand& operand : command.operands) {
    if (operand.name.empty()) continue;
    append_entry(out, "  " + std::string(operand.name), operand.summary, kTextColumn);
  }
}

std::string general_line(const std::string& command) {
  std::string names;
  for (const Flag& flag : flags()) {
    if (!flag.listed || flag.category != Category::kGeneral) continue;
    names += (names.empty() ? "" : ", ") + spelled(flag);
  }
  return "Always: " + names + ". '" + command + " --help' explains every flag.";
}

std::string short_command_help(const Command& command) {
  std::string out;
  append_examples(out, command.examples);
  append_lines(out, sentence(command.summary), 0);
  append_lines(out, "Usage: " + usage_of(command), 0);
  std::string own;
  append_operands(own, command);
  for (const Flag& flag : flags()) {
    if (!flag.listed || flag.category == Category::kGeneral || !takes(command, flag)) continue;
    append_entry(own, flag_label(flag), flag.summary, kTextColumn);
  }
  append_words(own, command);
  if (!own.empty()) out += '\n' + own;
  out += '\n';
  append_lines(out, general_line("tare " + std::string(command.name)), 0);
  return out;
}

std::string short_program_help() {
  std::string out;
  append_examples(out, program_examples());
  append_lines(out, "tare " + std::string(program_summary()) + ".", 0);
  append_lines(out, "Usage: tare COMMAND [flags]", 0);
  out += '\n';
  for (const Command& command : commands()) {
    if (command.listed) {
      append_entry(out, "  " + std::string(command.name), command.summary, 15);
    }
  }
  out += '\n';
  append_lines(out, "'tare COMMAND -h' explains a command; 'tare --help' explains everything.", 0);
  return out;
}

// "no-run (24): a machine that ...; ...": each waste with the size that it has by default.
std::string plants_text() {
  std::string text;
  for (const synth::PlantKind& kind : synth::plant_kinds()) {
    text += (text.empty() ? "" : "; ") + std::string(kind.name) + " (" +
            std::to_string(kind.default_size) + "): " + std::string(kind.meaning);
  }
  return text + ".";
}

std::string flag_text(const Flag& flag, const Command* command) {
  std::string text = sentence(flag.summary) + " " + std::string(flag.details);
  if (command != nullptr && flag.words == Words::kGrouping) {
    text += " Words: " + listed_words(flag.words, command->id) + ".";
  }
  if (command != nullptr && flag.words == Words::kPlant) text += " " + plants_text();
  if (!flag.default_text.empty()) text += " Default: " + std::string(flag.default_text) + ".";
  return text;
}

void append_flags(std::string& out, const Command* command) {
  for (size_t c = 0; c < static_cast<size_t>(Category::kCount); ++c) {
    const auto category = static_cast<Category>(c);
    std::string part;
    for (const Flag& flag : flags()) {
      const bool shown =
          flag.listed && flag.category == category && (command == nullptr || takes(*command, flag));
      if (shown) append_entry(part, flag_label(flag), flag_text(flag, command), kTextColumn);
    }
    if (!part.empty()) out += "\n" + std::string(heading(category)) + ":\n" + part;
  }
}

void append_named(std::string& out, std::string_view title, std::span<const Named> entries) {
  out += "\n" + std::string(title) + ":\n";
  for (const Named& entry : entries) {
    append_entry(out, "  " + std::string(entry.name), entry.meaning, 15);
  }
}

void append_exit_codes(std::string& out) {
  out += "\nExit codes:\n";
  for (const ExitCode& code : exit_codes()) {
    append_entry(out, "  " + std::to_string(code.code), code.meaning, 15);
  }
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  while (true) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    do {
      size_t cut = rest.size();
      if (cut > width) {
        cut = rest.rfind(' ', width);
        if (cut == std::string_view::npos) cut = std::min(rest.find(' '), rest.size());
      }
      lines.emplace_back(rest.substr(0, cut));
      rest.remove_prefix(std::min(cut + 1, rest.size()));
    } while (!rest.empty());
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string names_of(const Flag& flag) {
  std::string text;
  if (flag.short_name != 0) text = std::string{'-', flag.short_name};
  if (!flag.name.empty()) text += (text.empty() ? "--" : ", --") + std::string(flag.name);
  if (!flag.value.empty()) text += " " + std::string(flag.value);
  return text;
}

std::string listed_words(Words words, CommandId command) {
  std::string text;
  for (const std::string& word : words_of(words, command))
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string short_help(const Command* command) {
  return command == nullptr ? short_program_help() : short_command_help(*command);
}

std::string long_help(const Command* command) {
  std::string out;
  append_examples(out, command == nullptr ? program_examples() : std::span(command->examples));
  if (command != nullptr) {
    append_lines(out, sentence(command->summary), 0);
    append_lines(out, "Usage: " + usage_of(*command), 0);
    out += '\n';
    append_lines(out, command->details, 0);
    std::string operands;
    append_operands(operands, *command);
    if (!operands.empty()) out += '\n' + operands;
    append_flags(out, command);
    return out;
  }
  append_lines(out, "tare " + std::string(program_summary()) + ".", 0);
  append_lines(out, "Usage: tare COMMAND [flags]", 0);
  out += '\n';
  append_lines(out, program_details(), 0);
  out += "\nCommands:\n";
  for (const Command& one : commands()) {
    if (one.listed) append_entry(out, "  " + std::string(one.name), one.summary, 15);
  }
  append_flags(out, nullptr);
  append_exit_codes(out);
  append_named(out, "Environment", environment());
  append_named(out, "Files", files());
  return out;
}

int run_help(const Options& options) {
  const Command* command = options.operands.empty() ? nullptr : find_command(options.operand(0));
  write_stdout(long_help(command));
  return kDone;
}

}  // namespace tare::cli
