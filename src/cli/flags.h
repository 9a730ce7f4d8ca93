// The one table of commands and flags. Parsing, help, completions, the man page and docs/cli.md are
// all printed from it; a new flag is one entry here.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tare::cli {

enum class CommandId : uint8_t {
  kInit,
  kLoad,
  kReport,
  kCost,
  kWaste,
  kReconcile,
  kClose,
  kFindings,
  kExplain,
  kSql,
  kExport,
  kSynth,
  kCompletions,
  kMan,
  kHelp,
  kVersion,
  kHelpMarkdown,
  kCount
};

// A set of commands, as bits.
using CommandSet = uint32_t;
constexpr CommandSet set_of(CommandId command) {
  return CommandSet{1} << static_cast<unsigned>(command);
}

// The words that a value may be; kFree: any text.
enum class Words : uint8_t {
  kFree,
  kDirectory,
  kPath,  // a folder or a file
  kMonth,
  kFormat,
  kBasis,
  kColor,
  kGrouping,
  kWhere,
  kFindingCode,
  kShell,
  kExportTarget,
  kCommand,
  kLineOrder,
  kPlant  // a word of the list, alone or with =SIZE after it
};

struct Example {
  std::string_view line;   // "tare load --dry-run"
  std::string_view shows;  // what it does, lower case
};

struct Operand {
  std::string_view name;  // "DIR"; "" none
  bool required = false;
  Words words = Words::kFree;
  std::string_view summary = {};
};

struct Command {
  CommandId id;
  std::string_view name;
  bool listed = true;  // false: works, and help does not show it
  std::array<Operand, 2> operands = {};
  std::string_view summary;  // one line, lower case, no full stop
  std::string_view details;  // sentences; an empty line parts paragraphs
  std::array<Example, 2> examples;
};

enum class FlagId : uint8_t {
  kDirectory,
  kMonth,
  kFrom,
  kTo,
  kAsOf,
  kBy,
  kWhere,
  kSort,
  kLimit,
  kBasis,
  kRows,
  kFormat,
  kIds,
  kColor,
  kStrict,
  kDryRun,
  kFullRefresh,
  kVerify,
  kForce,
  kSeed,
  kMonths,
  kBillLines,
  kRuns,
  kOrder,
  kPlant,
  kRestate,
  kThreads,
  kNoProgress,
  kQuiet,
  kVerbose,
  kShortHelp,
  kHelp,
  kVersion,
  kCount
};

enum class Category : uint8_t { kPeriod, kSelection, kAnswer, kWork, kWorld, kGeneral, kCount };
std::string_view heading(Category category);  // "Period"

struct Flag {
  FlagId id;
  std::string_view name = {};  // "month"; "" has only a short name
  char short_name = 0;
  std::string_view value = {};  // "MONTH"; "" a switch
  Words words = Words::kFree;
  std::string_view default_text = {};  // "" where there is none worth saying
  bool repeatable = false;
  bool listed = true;  // false: known by name, refused, and not shown
  Category category = Category::kGeneral;
  CommandSet commands = 0;
  std::string_view summary;
  std::string_view details;
};

// A command of a later version: known by name, refused with a clear message.
struct ExitCode {
  int code;
  std::string_view meaning;
};

struct Named {
  std::string_view name;
  std::string_view meaning;
};

std::span<const Command> commands();  // in the order of help
std::span<const Flag> flags();        // in the order of help, by category
std::span<const std::string_view> later_commands();
// Words of a value that later versions will know.
std::span<const std::string_view> later_words(Words words);
std::span<const ExitCode> exit_codes();
std::span<const Named> environment();  // variables that are read
std::span<const Named> files();        // files of a project
std::span<const Example> program_examples();
std::string_view program_summary();  // one line, lower case, no full stop
std::string_view program_details();

const Command& command_of(CommandId id);
const Command* find_command(std::string_view name);
const Flag& flag_of(FlagId id);
bool takes(const Command& command, const Flag& flag);

// What may stand for a value in `command`, in the order of help; empty where any text may.
std::vector<std::string> words_of(Words words, CommandId command);

std::string spelled(const Flag& flag);  // "-C", "--month", "--quiet": the name to show in messages
std::string usage_of(const Command& command);  // "tare findings [CODE] [flags]"

}  // namespace tare::cli
