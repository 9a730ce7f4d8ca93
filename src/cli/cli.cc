#include "cli/cli.h"

#include <chrono>
#include <filesystem>
#include <new>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/parse.h"
#include "cli/reference.h"
#include "cli/session.h"

namespace tare::cli {
namespace {

using Run = int (*)(const Options&);

Run function_of(CommandId command) {
  switch (command) {
    case CommandId::kInit:
      return run_init;
    case CommandId::kLoad:
      return run_load;
    case CommandId::kReport:
      return run_report;
    case CommandId::kCost:
      return run_cost;
    case CommandId::kWaste:
      return run_waste;
    case CommandId::kClose:
      return run_close;
    case CommandId::kReconcile:
      return run_reconcile;
    case CommandId::kFindings:
      return run_findings;
    case CommandId::kExplain:
      return run_explain;
    case CommandId::kSql:
      return run_sql;
    case CommandId::kExport:
      return run_export;
    case CommandId::kSynth:
      return run_synth;
    case CommandId::kCompletions:
      return run_completions;
    case CommandId::kMan:
      return run_man;
    case CommandId::kHelp:
      return run_help;
    case CommandId::kVersion:
      return run_version;
    case CommandId::kHelpMarkdown:
      return run_help_markdown;
    case CommandId::kCount:
      break;
  }
  TARE_ASSERT(false, "a command without a function");
}

int run_timed(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const int code = function_of(options.command->id)(options);
  const auto taken = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::steady_clock::now() - begin);
  say_detail("took " + duration_text(taken.count()), options);
  return code;
}

// Help and version answer whatever else is on the line.
int run_parsed(const Parsed& parsed, std::string_view version) {
  const Arguments& arguments = parsed.arguments;
  if (arguments.has(FlagId::kHelp)) {
    write_stdout(long_help(arguments.command));
    return kDone;
  }
  if (arguments.has(FlagId::kShortHelp)) {
    write_stdout(short_help(arguments.command));
    return kDone;
  }
  if (!parsed.errors.empty()) throw UserError(parsed.errors.front());
  if (arguments.has(FlagId::kVersion)) {
    write_stdout("tare " + std::string(version) + "\n");
    return kDone;
  }
  if (arguments.command == nullptr) {
    throw UserError("usage", "there is no command", "'tare -h' lists the commands");
  }
  check_shape(arguments);
  return run_timed(options_of(arguments, version));
}

int fail(const UserError& error, const Parsed& parsed) {
  write_stderr(error_text(error, parsed.arguments.value(FlagId::kFormat) == "json"));
  return kUnusable;
}

}  // namespace

int run(const std::vector<std::string>& words, std::string_view version) {
  hold_standard_streams();
  install_signal_handlers();
  if (words.empty()) {
    write_stderr(short_help(nullptr));
    return kUnusable;
  }
  const Parsed parsed = parse(words);
  try {
    return run_parsed(parsed, version);
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const UserError& error) {
    return fail(error, parsed);
  } catch (const std::bad_alloc&) {
    return fail(UserError("out-of-memory", "there is not enough memory"), parsed);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(UserError("input-output", error.what()), parsed);
  } catch (const std::exception& error) {
    fail_assertion("every error is a UserError", __FILE__, __LINE__, error.what());
  }
}

}  // namespace tare::cli
