#include "cli/parse.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace tare::cli {
namespace {

using DeclaredFlags = std::vector<std::pair<const Flag*, CLI::Option*>>;

std::string cli11_names(const Flag& flag) {
  std::string names;
  if (flag.short_name != 0) names = std::string{'-', flag.short_name};
  if (!flag.name.empty()) names += (names.empty() ? "--" : ",--") + std::string(flag.name);
  return names;
}

// Commands are not CLI11's subcommands: a flag may stand before or after the command, and what
// takes which flag is the table's to say.
DeclaredFlags declare_flags(CLI::App& app) {
  app.set_help_flag();
  app.allow_extras();
  DeclaredFlags options;
  for (const Flag& flag : flags()) {
    CLI::Option* option = nullptr;
    if (flag.value.empty()) {
      option = app.add_flag(cli11_names(flag))->disable_flag_override();
    } else {
      option = app.add_option(cli11_names(flag));
      option->type_size(1)->expected(1)->allow_extra_args(false);
    }
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    options.emplace_back(&flag, option);
  }
  return options;
}

UserError unknown_command(const std::string& word) {
  const std::string shown = "'" + word + "'";
  if (std::ranges::find(later_commands(), word) != later_commands().end()) {
    return UserError("not-in-this-version", shown + " is not in this version of tare",
                     "'tare -h' lists the commands of this version");
  }
  const std::string near = nearest_word_in(word, words_of(Words::kCommand, CommandId::kHelp));
  return UserError("unknown-command", shown + " is not a command",
                   near.empty() ? "'tare -h' lists the commands" : "did you mean '" + near + "'?");
}

UserError unknown_flag(const std::string& word, const Command* command) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const Flag& flag : flags()) {
    if (flag.listed && !flag.name.empty() && (command == nullptr || takes(*command, flag))) {
      names.push_back("--" + std::string(flag.name));
    }
  }
  const std::string near = name.starts_with("--") ? nearest_word_in(name, names) : "";
  const std::string help =
      command == nullptr ? "tare --help" : "tare " + std::string(command->name) + " -h";
  return UserError(
      "unknown-flag", "'" + name + "' is not a flag",
      near.empty() ? "'" + help + "' lists the flags" : "did you mean '" + near + "'?");
}

bool looks_like_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9');
}

// CLI11 would take the next word for the value of '--month='.
void refuse_empty_values(const std::vector<std::string>& words, std::vector<UserError>* errors) {
  for (const Flag& flag : flags()) {
    if (flag.value.empty() || flag.name.empty()) continue;
    const std::string name = spelled(flag);
    if (std::ranges::find(words, name + "=") != words.end()) {
      errors->emplace_back("usage", "'" + name + "' has no value after its '='");
    }
  }
}

// What CLI11 has to say: a flag without its value, or a switch with one.
UserError usage_error(const CLI::ParseError& error, const std::vector<std::string>& words) {
  const std::string& last = words.back();
  for (const Flag& flag : flags()) {
    const bool named = (!flag.name.empty() && last == "--" + std::string(flag.name)) ||
                       (flag.short_name != 0 && last.ends_with(flag.short_name) &&
                        last.starts_with('-') && !last.starts_with("--"));
    if (named && !flag.value.empty()) {
      return UserError("usage", "'" + spelled(flag) + "' needs a value: " + spelled(flag) + " " +
                                    std::string(flag.value));
    }
  }
  for (const std::string& word : words) {
    for (const Flag& flag : flags()) {
      if (flag.value.empty() && !flag.name.empty() && word.starts_with(spelled(flag) + "=")) {
        return UserError("usage", "'" + spelled(flag) + "' takes no value");
      }
    }
  }
  return UserError("usage", error.what());
}

void sort_extras(const std::vector<std::string>& extras, Parsed* parsed) {
  std::vector<std::string> strange;
  for (const std::string& word : extras) {
    if (looks_like_flag(word)) {
      strange.push_back(word);
    } else if (parsed->arguments.command == nullptr && parsed->arguments.operands.empty()) {
      parsed->arguments.command = find_command(word);
      if (parsed->arguments.command == nullptr) {
        parsed->errors.push_back(unknown_command(word));
        parsed->arguments.operands.push_back(word);
      }
    } else {
      parsed->arguments.operands.push_back(word);
    }
  }
  // After an unknown flag it is not known which words are its values, so the flag comes first.
  std::vector<UserError> first;
  for (const std::string& word : strange) {
    first.push_back(unknown_flag(word, parsed->arguments.command));
  }
  parsed->errors.insert(parsed->errors.begin(), first.begin(), first.end());
}

void check_operands(const Arguments& arguments) {
  const Command& command = *arguments.command;
  size_t most = 0;
  for (const Operand& operand : command.operands) {
    if (operand.name.empty()) break;
    ++most;
    if (operand.required && arguments.operands.size() < most) {
      throw UserError("usage",
                      "'tare " + std::string(command.name) + "' needs " +
                          std::string(operand.name) + ": " + std::string(operand.summary),
                      "usage: " + usage_of(command));
    }
  }
  if (arguments.operands.size() <= most) return;
  throw UserError("usage",
                  "'" + arguments.operands[most] + "' is one word too many for 'tare " +
                      std::string(command.name) + "'",
                  "usage: " + usage_of(command));
}

std::string commands_with(const Flag& flag) {
  std::string text;
  for (const Command& command : commands()) {
    if (!command.listed || !takes(command, flag)) continue;
    text += (text.empty() ? "" : ", ") + std::string(command.name);
  }
  return text;
}

}  // namespace

std::string Arguments::value(FlagId flag) const {
  const auto found = flags.find(flag);
  return found == flags.end() ? "" : found->second.back();
}

Parsed parse(const std::vector<std::string>& words) {
  Parsed parsed;
  // What follows a '--' is no flag, whatever it looks like.
  const auto mark = std::ranges::find(words, "--");
  const std::vector<std::string> before(words.begin(), mark);
  refuse_empty_values(before, &parsed.errors);
  if (!parsed.errors.empty()) return parsed;

  CLI::App app;
  const DeclaredFlags options = declare_flags(app);
  try {
    std::vector<std::string> reversed(before.rbegin(), before.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    parsed.errors.push_back(usage_error(error, before));
  }
  for (const auto& [flag, option] : options) {
    if (option->count() == 0) continue;
    parsed.arguments.flags[flag->id] =
        flag->value.empty() ? std::vector<std::string>{""} : option->results();
  }
  std::vector<std::string> extras = app.remaining();
  sort_extras(extras, &parsed);
  if (mark != words.end()) {
    parsed.arguments.operands.insert(parsed.arguments.operands.end(), mark + 1, words.end());
  }
  return parsed;
}

void check_shape(const Arguments& arguments) {
  const Command& command = *arguments.command;
  for (const auto& [id, values] : arguments.flags) {
    const Flag& flag = flag_of(id);
    if (!flag.listed) {
      throw UserError("not-in-this-version",
                      "'" + spelled(flag) + "' is not in this version of tare");
    }
    if (takes(command, flag)) continue;
    throw UserError(
        "usage",
        "'" + spelled(flag) + "' is not a flag of 'tare " + std::string(command.name) + "'",
        "it is one of: " + commands_with(flag));
  }
  check_operands(arguments);
}

}  // namespace tare::cli
