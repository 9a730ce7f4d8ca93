#include "cli/commands.h"
#include "cli/console.h"
#include "cli/reference.h"
#include "cli/session.h"

namespace tare::cli {
namespace {

std::string with_blanks(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// For a text in single quotes of any of the three shells.
std::string in_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string{c};
  return out;
}

std::vector<std::string> spellings(const Flag& flag) {
  std::vector<std::string> names;
  if (flag.short_name != 0) names.push_back(std::string{'-', flag.short_name});
  if (!flag.name.empty()) names.push_back("--" + std::string(flag.name));
  return names;
}

std::vector<const Command*> listed_commands() {
  std::vector<const Command*> listed;
  for (const Command& command : commands()) {
    if (command.listed) listed.push_back(&command);
  }
  return listed;
}

std::vector<const Flag*> listed_flags(const Command& command) {
  std::vector<const Flag*> listed;
  for (const Flag& flag : flags()) {
    if (flag.listed && takes(command, flag)) listed.push_back(&flag);
  }
  return listed;
}

// --- bash
// -----------------------------------------------------------------------------------------

constexpr std::string_view kBashBegin =
    R"(# bash completion of tare, printed by 'tare completions bash'

# The last element of a list with commas.
_tare_list() {
  local before=
  [[ $2 == *,* ]] && before=${2%,*},
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${2##*,}"))
  compopt -o nospace
}

_tare() {
  local cur=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD-1]}
  local command= names= operands=0 word i
  # '--format=json' is three words here.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $flag == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
)";

constexpr std::string_view kBashEnd = R"(}

complete -F _tare tare
)";

std::string bash_value(Words words, CommandId command) {
  const std::string list = with_blanks(words_of(words, command));
  switch (words) {
    case Words::kFree:
      return "return";
    case Words::kDirectory:
      return "COMPREPLY=($(compgen -d -- \"$cur\")); compopt -o filenames; return";
    case Words::kPath:
      return "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames; return";
    case Words::kGrouping:
      return "_tare_list '" + list + "' \"$cur\"; return";
    case Words::kWhere:
      return "COMPREPLY=($(compgen -S = -W '" + list +
             "' -- \"$cur\")); compopt -o nospace; return";
    default:
      return "COMPREPLY=($(compgen -W '" + list + "' -- \"$cur\")); return";
  }
}

bool depends_on_command(Words words) {
  return words == Words::kGrouping || words == Words::kWhere || words == Words::kFormat;
}

std::string bash_flag_values() {
  std::string out = "  case \"$command $flag\" in\n";
  for (const Flag& flag : flags()) {
    if (!flag.listed || flag.value.empty()) continue;
    for (const std::string& name : spellings(flag)) {
      if (!depends_on_command(flag.words)) {
        out += "    *' " + name + "') " + bash_value(flag.words, CommandId::kHelp) + " ;;\n";
        continue;
      }
      for (const Command* command : listed_commands()) {
        if (!takes(*command, flag)) continue;
        out += "    '" + std::string(command->name) + " " + name + "') " +
               bash_value(flag.words, command->id) + " ;;\n";
      }
    }
  }
  return out + "  esac\n";
}

std::string bash_flag_names() {
  std::string general, out = "  if [[ $cur == -* ]]; then\n    case $command in\n";
  for (const Flag& flag : flags()) {
    if (flag.listed && flag.category == Category::kGeneral) {
      general += " " + with_blanks(spellings(flag));
    }
  }
  for (const Command* command : listed_commands()) {
    std::string names;
    for (const Flag* flag : listed_flags(*command)) {
      if (flag->category != Category::kGeneral) names += " " + with_blanks(spellings(*flag));
    }
    if (names.empty()) continue;
    out += "      " + std::string(command->name) + ") names='" + names.substr(1) + "' ;;\n";
  }
  return out + "    esac\n    COMPREPLY=($(compgen -W \"$names" + general +
         "\" -- \"$cur\"))\n    return\n  fi\n";
}

std::string bash_operands() {
  std::string out = "  case \"$command $operands\" in\n    ' 0') " +
                    bash_value(Words::kCommand, CommandId::kHelp) + " ;;\n";
  for (const Command* command : listed_commands()) {
    for (size_t i = 0; i < command->operands.size(); ++i) {
      const Operand& operand = command->operands[i];
      if (operand.name.empty() || operand.words == Words::kFree) continue;
      out += "    '" + std::string(command->name) + " " + std::to_string(i) + "') " +
             bash_value(operand.words, command->id) + " ;;\n";
    }
  }
  return out + "  esac\n";
}

std::string bash() {
  std::string with_value;
  for (const Flag& flag : flags()) {
    if (!flag.listed || flag.value.empty()) continue;
    for (const std::string& name : spellings(flag)) {
      with_value += (with_value.empty() ? "" : "|") + name;
    }
  }
  // The word after such a flag is its value, and no operand.
  return std::string(kBashBegin) + "      " + with_value +
         ")\n        [[ ${COMP_WORDS[i+1]} == = ]] && ((i++))\n        ((i++)) ;;\n"
         "      -*|=) ;;\n      *) if [[ -z $command ]]; then command=$word; "
         "else ((operands++)); fi ;;\n    esac\n  done\n" +
         bash_flag_values() + bash_flag_names() + bash_operands() + std::string(kBashEnd);
}

// --- zsh
// ------------------------------------------------------------------------------------------

// In a spec of _arguments ':' and the brackets mean something.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return in_quotes(out);
}

std::string zsh_action(Words words, CommandId command) {
  switch (words) {
    case Words::kFree:
      return " ";
    case Words::kDirectory:
      return "_directories";
    case Words::kPath:
      return "_files";
    case Words::kGrouping:
      return "_values -s , column " + with_blanks(words_of(words, command));
    case Words::kWhere:
      return "compadd -S = -- " + with_blanks(words_of(words, command));
    default:
      return "(" + with_blanks(words_of(words, command)) + ")";
  }
}

std::string zsh_flag(const Flag& flag, const Command& command) {
  const std::vector<std::string> names = spellings(flag);
  std::string specs;
  for (const std::string& name : names) {
    // Not offered again once given, in either spelling.
    specs += flag.repeatable ? "    '*" : "    '(" + with_blanks(names) + ")";
    specs += name;
    if (!flag.value.empty()) specs += name.starts_with("--") ? "=" : "+";
    specs += "[" + zsh_text(flag.summary) + "]";
    if (!flag.value.empty()) {
      specs += ":" + zsh_text(flag.value) + ":" + zsh_action(flag.words, command.id);
    }
    specs += "'\n";
  }
  return specs;
}

std::string zsh_command(const Command& command) {
  std::string specs;
  for (const Flag* flag : listed_flags(command)) {
    if (flag->category != Category::kGeneral) specs += zsh_flag(*flag, command);
  }
  for (const Operand& operand : command.operands) {
    if (operand.name.empty()) continue;
    specs +=
        "    ':" + zsh_text(operand.name) + ":" + zsh_action(operand.words, command.id) + "'\n";
  }
  const std::string name(command.name);
  if (specs.empty()) return "  " + name + ") _arguments $general ;;\n";
  return "  " + name + ") specs=(\n" + specs + "    )\n    _arguments $general $specs ;;\n";
}

std::string zsh() {
  std::string out =
      "#compdef tare\n# zsh completion of tare, printed by 'tare completions zsh'\n\n_tare() {\n"
      "  local context state line\n  typeset -A opt_args\n  local -a commands general specs\n"
      "  commands=(\n";
  for (const Command* command : listed_commands()) {
    out += "    '" + std::string(command->name) + ":" + zsh_text(command->summary) + "'\n";
  }
  out += "  )\n  general=(\n";
  for (const Flag& flag : flags()) {
    if (flag.listed && flag.category == Category::kGeneral) {
      out += zsh_flag(flag, command_of(CommandId::kHelp));
    }
  }
  out +=
      "  )\n  _arguments -C $general '1:command:->command' '*::argument:->argument'\n"
      "  if [[ $state == command ]]; then\n    _describe command commands\n    return\n  fi\n"
      "  case $line[1] in\n";
  for (const Command* command : listed_commands()) out += zsh_command(*command);
  out += "  esac\n}\n\n";
  // Autoloaded from a folder of fpath, the file is the function's body; sourced, it defines it.
  return out +
         "if [ \"$funcstack[1]\" = \"_tare\" ]; then\n  _tare \"$@\"\nelse\n"
         "  compdef _tare tare\nfi\n";
}

// --- fish
// -----------------------------------------------------------------------------------------

std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish_values(Words words, CommandId command) {
  const std::string list = with_blanks(words_of(words, command));
  switch (words) {
    case Words::kFree:
      return " -x";
    case Words::kDirectory:
      return " -x -a '(__fish_complete_directories)'";
    case Words::kPath:
      return " -r -F";
    case Words::kGrouping:
      return " -x -a '(__fish_append , " + list + ")'";
    case Words::kWhere:
      return " -x -a '(printf \"%s=\\n\" " + list + ")'";
    default:
      return " -x -a '" + list + "'";
  }
}

std::string fish_flag(const Flag& flag, const Command& command, const std::string& condition) {
  std::string out = "complete -c tare" + condition;
  if (flag.short_name != 0) out += std::string(" -s ") + flag.short_name;
  if (!flag.name.empty()) out += " -l " + std::string(flag.name);
  if (!flag.value.empty()) out += fish_values(flag.words, command.id);
  return out + " -d '" + fish_text(flag.summary) + "'\n";
}

std::string fish() {
  const std::string names = with_blanks(words_of(Words::kCommand, CommandId::kHelp));
  std::string out =
      "# fish completion of tare, printed by 'tare completions fish'\n\n"
      "set -l commands " +
      names + "\ncomplete -c tare -f\n";
  const std::string none = " -n \"not __fish_seen_subcommand_from $commands\"";
  for (const Command* command : listed_commands()) {
    out += "complete -c tare" + none + " -a " + std::string(command->name) + " -d '" +
           fish_text(command->summary) + "'\n";
  }
  for (const Flag& flag : flags()) {
    if (flag.listed && flag.category == Category::kGeneral) {
      out += fish_flag(flag, command_of(CommandId::kHelp), "");
    }
  }
  for (const Command* command : listed_commands()) {
    const std::string seen = " -n '__fish_seen_subcommand_from " + std::string(command->name) + "'";
    for (const Flag* flag : listed_flags(*command)) {
      if (flag->category != Category::kGeneral) out += fish_flag(*flag, *command, seen);
    }
    for (const Operand& operand : command->operands) {
      if (operand.name.empty() || operand.words == Words::kFree) continue;
      out += "complete -c tare" + seen + fish_values(operand.words, command->id) + " -d '" +
             fish_text(operand.summary) + "'\n";
    }
  }
  return out;
}

}  // namespace

std::string completions(std::string_view shell) {
  if (shell == "bash") return bash();
  return shell == "zsh" ? zsh() : fish();
}

int run_completions(const Options& options) {
  write_stdout(completions(options.operand(0)));
  return kDone;
}

}  // namespace tare::cli
