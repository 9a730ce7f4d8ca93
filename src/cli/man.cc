#include "cli/commands.h"
#include "cli/console.h"
#include "cli/reference.h"
#include "cli/session.h"

namespace tare::cli {
namespace {

// Text that roff takes for nothing but text: hyphens stay hyphens that can be copied, and no line
// begins with a control character.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

// In short lines, as roff sources have them; each could begin with a control character.
void append_lines(std::string& out, std::string_view text) {
  constexpr size_t kSourceWidth = 72;
  for (const std::string& line : wrapped(text, kSourceWidth)) out += plain(line) + "\n";
}

void append_text(std::string& out, std::string_view text) {
  while (true) {
    const size_t end = text.find("\n\n");
    append_lines(out, text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 2);
    out += ".PP\n";
  }
}

void append_entry(std::string& out, std::string_view name, std::string_view meaning) {
  out += ".TP\n.B " + plain(name) + "\n";
  append_lines(out, meaning);
}

void append_man_examples(std::string& out, std::span<const Example> examples) {
  out += ".PP\nExamples:\n.RS\n.nf\n";
  for (const Example& example : examples) {
    out += plain(example.line) + "    # " + plain(example.shows) + "\n";
  }
  out += ".fi\n.RE\n";
}

void append_man_command(std::string& out, const Command& command) {
  std::string usage = usage_of(command);
  out += ".SS " + plain(usage) + "\n";
  append_text(out, command.details);
  append_man_examples(out, command.examples);
  for (const Operand& operand : command.operands) {
    if (!operand.name.empty()) append_entry(out, operand.name, operand.summary);
  }
}

std::string note_of_commands(const Flag& flag) {
  std::string text;
  size_t count = 0, all = 0;
  for (const Command& command : commands()) {
    if (!command.listed) continue;
    ++all;
    if (!takes(command, flag)) continue;
    ++count;
    text += (text.empty() ? "" : ", ") + std::string(command.name);
  }
  return count == all ? "" : " (" + text + ")";
}

void append_man_flags(std::string& out) {
  for (size_t c = 0; c < static_cast<size_t>(Category::kCount); ++c) {
    const auto category = static_cast<Category>(c);
    out += ".SS " + std::string(heading(category)) + "\n";
    for (const Flag& flag : flags()) {
      if (!flag.listed || flag.category != category) continue;
      std::string text =
          std::string(flag.summary) + note_of_commands(flag) + ". " + std::string(flag.details);
      if (!flag.default_text.empty()) text += " Default: " + std::string(flag.default_text) + ".";
      append_entry(out, names_of(flag), text);
    }
  }
}

void append_man_named(std::string& out, std::string_view title, std::span<const Named> entries) {
  out += ".SH " + std::string(title) + "\n";
  for (const Named& entry : entries) append_entry(out, entry.name, entry.meaning);
}

}  // namespace

std::string man_page(std::string_view version) {
  // Without a date: a page that is made at build time would carry the day of the build.
  std::string out = ".TH TARE 1 \"\" \"tare " + std::string(version) + "\" \"User Commands\"\n";
  out += ".SH NAME\ntare \\- " + plain(program_summary()) + "\n";
  out += ".SH SYNOPSIS\n.B tare\n.I COMMAND\n.RI [ flags ]\n";
  out += ".SH DESCRIPTION\n";
  append_text(out, program_details());
  append_man_examples(out, program_examples());
  out += ".SH COMMANDS\n";
  for (const Command& command : commands()) {
    if (command.listed) append_man_command(out, command);
  }
  out += ".SH FLAGS\n";
  append_man_flags(out);
  out += ".SH EXIT STATUS\n";
  for (const ExitCode& code : exit_codes()) {
    append_entry(out, std::to_string(code.code), code.meaning);
  }
  append_man_named(out, "ENVIRONMENT", environment());
  append_man_named(out, "FILES", files());
  return out;
}

int run_man(const Options& options) {
  write_stdout(man_page(options.version));
  return kDone;
}

}  // namespace tare::cli
