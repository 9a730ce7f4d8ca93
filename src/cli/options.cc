#include "cli/options.h"

#include <algorithm>
#include <thread>

#include "base/decimal_text.h"

namespace tare::cli {
namespace {

constexpr int64_t kMostThreads = 256;

std::string with_commas(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

Month month_value(FlagId id, const std::string& text) {
  if (const std::optional<Month> month = parse_month(text)) return *month;
  const std::string name = spelled(flag_of(id));
  if (parse_instant(text).ok) {
    throw UserError("period-not-whole-months", "'" + name + " " + text + "' is not a whole month",
                    "this version takes whole months: " + name + " " + text.substr(0, 7));
  }
  throw UserError("usage", "'" + name + " " + text + "' is not a month",
                  "a month is written 2026-08");
}

void read_period(const Arguments& arguments, Options* options) {
  const bool from = arguments.has(FlagId::kFrom), to = arguments.has(FlagId::kTo);
  if (arguments.has(FlagId::kMonth)) {
    if (from || to) {
      throw UserError(
          "usage",
          "'--month' and '" + std::string(from ? "--from" : "--to") + "' say two different periods",
          "give one month, or the first and the last");
    }
    const std::string text = arguments.value(FlagId::kMonth);
    options->newest_month = text == "last";
    if (options->newest_month) return;
    options->first_month = options->last_month = month_value(FlagId::kMonth, text);
  }
  if (from) options->first_month = month_value(FlagId::kFrom, arguments.value(FlagId::kFrom));
  if (to) options->last_month = month_value(FlagId::kTo, arguments.value(FlagId::kTo));
  if (from && to && *options->last_month < *options->first_month) {
    throw UserError("usage", "'--to " + to_text(*options->last_month) + "' is before '--from " +
                                 to_text(*options->first_month) + "'");
  }
}

void read_where(const Arguments& arguments, Options* options) {
  const auto given = arguments.flags.find(FlagId::kWhere);
  if (given == arguments.flags.end()) return;
  const std::vector<std::string> columns = words_of(Words::kWhere, options->command->id);
  for (const std::string& text : given->second) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UserError("usage", "'--where " + text + "' is not COLUMN=GLOB",
                      "for example: --where model=reco, --where 'run=daily-*'");
    }
    check_word("--where", text.substr(0, equals), columns);
    options->where.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
}

void read_by(const Arguments& arguments, Options* options) {
  if (!arguments.has(FlagId::kBy)) return;
  options->by = split_commas(arguments.value(FlagId::kBy));
  const std::vector<std::string> words = words_of(Words::kGrouping, options->command->id);
  for (const std::string& word : options->by) {
    check_word("--by", word, words);
    if (std::ranges::count(options->by, word) > 1) {
      throw UserError("usage", "'--by' names '" + word + "' twice");
    }
  }
}

// A day, or the day of an instant.
std::string day_value(const std::string& text) {
  const InstantResult instant = parse_instant(text);
  if (instant.ok) return day_text(instant.ns);
  throw UserError("usage", "'" + text + "' of --as-of is not a day", "write it as 2026-09-10");
}

int64_t count_value(const Arguments& arguments, FlagId id, int64_t least, int64_t most) {
  const std::string text = arguments.value(id);
  const std::optional<int64_t> value = parse_integer(text);
  if (value && *value >= least && *value <= most) return *value;
  const std::string range = most == INT64_MAX
                                ? "of " + std::to_string(least) + " or more"
                                : "from " + std::to_string(least) + " to " + std::to_string(most);
  throw UserError("usage",
                  "'" + spelled(flag_of(id)) + " " + text + "' is not a whole number " + range);
}

int default_threads() {
  const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp<int64_t>(cores, 1, kMostThreads));
}

void check_value(const std::string& what, Words set, const std::string& word, CommandId command) {
  const auto later = later_words(set);
  if (std::ranges::find(later, word) != later.end()) {
    const std::string shown = what.starts_with('-') ? what + " " + word : word;
    throw UserError("not-in-this-version", "'" + shown + "' is not in this version of tare");
  }
  const std::vector<std::string> words = words_of(set, command);
  if (!words.empty()) check_word(what, word, words);
}

// Flags and operands whose words are in the table; --by and --where need more than that.
void check_words(const Arguments& arguments) {
  const CommandId command = arguments.command->id;
  for (const auto& [id, values] : arguments.flags) {
    const Flag& flag = flag_of(id);
    const bool list = flag.words == Words::kGrouping || flag.words == Words::kWhere ||
                      flag.words == Words::kPlant;
    if (flag.words == Words::kMonth || list) continue;
    check_value(spelled(flag), flag.words, values.back(), command);
  }
  for (size_t i = 0; i < arguments.operands.size(); ++i) {
    const Operand& operand = arguments.command->operands.at(i);
    check_value(std::string(operand.name), operand.words, arguments.operands[i], command);
  }
}

synth::LineOrder order_value(const std::string& text) {
  if (text == "resource") return synth::LineOrder::kResource;
  return text == "shuffled" ? synth::LineOrder::kShuffled : synth::LineOrder::kHour;
}

void read_world(const Arguments& arguments, Options* options) {
  constexpr int64_t kFewLines = 5'000, kFewRuns = 200;
  synth::Wanted& world = options->world;
  auto count = [&](FlagId flag, int64_t otherwise, int64_t least, int64_t most) {
    return arguments.has(flag) ? count_value(arguments, flag, least, most) : otherwise;
  };
  world.seed = static_cast<uint64_t>(count(FlagId::kSeed, 1, 0, INT64_MAX));
  world.months = count(FlagId::kMonths, 1, 1, synth::kMostMonths);
  world.bill_lines = count(FlagId::kBillLines, kFewLines, 1, synth::kMostLines);
  world.runs = count(FlagId::kRuns, kFewRuns, 1, synth::kMostRuns);
  world.order = order_value(arguments.value(FlagId::kOrder));
  world.restate = arguments.has(FlagId::kRestate);
  if (arguments.value(FlagId::kFormat) == "csv") world.format = synth::FileFormat::kCsv;
  const auto plants = arguments.flags.find(FlagId::kPlant);
  if (plants == arguments.flags.end()) return;
  for (const std::string& text : plants->second) world.plants.push_back(synth::parse_plant(text));
}

ColorWhen color_value(const std::string& text) {
  if (text == "always") return ColorWhen::kAlways;
  return text == "never" ? ColorWhen::kNever : ColorWhen::kAuto;
}

}  // namespace

void check_word(std::string_view what, const std::string& word,
                const std::vector<std::string>& words) {
  if (std::ranges::find(words, word) != words.end()) return;
  constexpr size_t kMostListed = 20;
  const std::string near = nearest_word_in(word, words);
  std::string hint;
  if (!near.empty()) {
    hint = "did you mean '" + near + "'?";
  } else if (words.size() <= kMostListed) {
    hint = "one of: " + with_commas(words);
  } else {
    hint = "the completions of a shell list them: tare completions bash";
  }
  throw UserError("unknown-word", std::string(what) + " does not know '" + word + "'", hint);
}

Options options_of(const Arguments& arguments, std::string_view version) {
  check_words(arguments);
  Options options;
  options.command = arguments.command;
  options.operands = arguments.operands;
  options.version = version;
  if (arguments.has(FlagId::kDirectory)) options.directory = arguments.value(FlagId::kDirectory);
  read_period(arguments, &options);
  read_by(arguments, &options);
  read_where(arguments, &options);
  options.sort = arguments.value(FlagId::kSort);
  if (arguments.has(FlagId::kLimit)) {
    options.limit = count_value(arguments, FlagId::kLimit, 0, INT64_MAX);
  }
  if (arguments.has(FlagId::kBasis)) {
    options.basis = parse_cost_basis(arguments.value(FlagId::kBasis));
  }
  options.rows = arguments.has(FlagId::kRows);
  if (arguments.has(FlagId::kAsOf)) options.as_of = day_value(arguments.value(FlagId::kAsOf));
  // Of synth it is the form of the files; what it says is always text.
  if (arguments.has(FlagId::kFormat) && options.command->id != CommandId::kSynth) {
    options.format = parse_format(arguments.value(FlagId::kFormat)).value_or(Format::kText);
  }
  options.color = color_value(arguments.value(FlagId::kColor));
  options.ids = arguments.has(FlagId::kIds);
  options.strict = arguments.has(FlagId::kStrict);
  options.dry_run = arguments.has(FlagId::kDryRun);
  options.full_refresh = arguments.has(FlagId::kFullRefresh);
  options.verify = arguments.has(FlagId::kVerify);
  options.force = arguments.has(FlagId::kForce);
  options.no_progress = arguments.has(FlagId::kNoProgress);
  options.quiet = arguments.has(FlagId::kQuiet);
  options.verbose = arguments.has(FlagId::kVerbose);
  options.threads =
      arguments.has(FlagId::kThreads)
          ? static_cast<int>(count_value(arguments, FlagId::kThreads, 1, kMostThreads))
          : default_threads();
  if (options.command->id == CommandId::kSynth) read_world(arguments, &options);
  return options;
}

}  // namespace tare::cli
