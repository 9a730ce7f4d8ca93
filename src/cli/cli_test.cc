// The command line as a program sees it: words in, exit code out.
#include "cli/cli.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/parse.h"

namespace tare::cli {
namespace {

using CommandLine = std::vector<std::string>;

Options options(const CommandLine& words) {
  const Parsed parsed = parse(words);
  if (!parsed.errors.empty()) throw UserError(parsed.errors.front());
  check_shape(parsed.arguments);
  return options_of(parsed.arguments, "1.2.3");
}

std::string month_text(std::optional<Month> month) { return month ? to_text(*month) : "open"; }

// "code: message", with "| hint" where there is one.
std::string error_of(const CommandLine& words) {
  try {
    options(words);
  } catch (const UserError& error) {
    const std::string text = error.code() + ": " + error.message();
    return error.hint().empty() ? text : text + " | " + error.hint();
  }
  return "no error";
}

TEST(Parse, FlagsStandBeforeOrAfterTheCommand) {
  for (const CommandLine& words : {CommandLine{"--month", "2026-08", "cost", "-q"},
                                   CommandLine{"cost", "--month=2026-08", "--quiet"},
                                   CommandLine{"-q", "cost", "--month", "2026-08"}}) {
    const Options parsed = options(words);
    EXPECT_EQ(parsed.command->name, "cost");
    EXPECT_EQ(month_text(parsed.first_month), "2026-08");
    EXPECT_EQ(month_text(parsed.last_month), "2026-08");
    EXPECT_TRUE(parsed.quiet);
  }
}

TEST(Parse, ShortFlagsJoinAndTakeTheirValueAttached) {
  const Options parsed = options({"load", "-qvC", "there"});
  EXPECT_TRUE(parsed.quiet && parsed.verbose);
  EXPECT_EQ(parsed.directory, "there");
  EXPECT_EQ(options({"load", "-Cthere"}).directory, "there");
}

TEST(Parse, TheLastOfAFlagCountsAndWhereAddsUp) {
  EXPECT_EQ(options({"cost", "--limit", "3", "--limit", "5"}).limit, 5);
  const Options parsed = options({"cost", "--where", "model=a*", "--where", "stage=b=c"});
  ASSERT_EQ(parsed.where.size(), 2U);
  EXPECT_EQ(parsed.where[0], (std::pair<std::string, std::string>("model", "a*")));
  EXPECT_EQ(parsed.where[1], (std::pair<std::string, std::string>("stage", "b=c")));
}

TEST(Parse, AValueMayBeginWithADash) {
  EXPECT_EQ(options({"cost", "--sort", "-cost"}).sort, "-cost");
  EXPECT_EQ(options({"cost", "--sort=-cost"}).sort, "-cost");
}

TEST(Parse, AfterTwoDashesNothingIsAFlag) {
  EXPECT_EQ(options({"sql", "--", "-- a comment"}).operand(0), "-- a comment");
  EXPECT_EQ(options({"explain", "--", "--ids"}).operand(0), "--ids");
  EXPECT_EQ(options({"explain", "-5"}).operand(0), "-5");
  EXPECT_EQ(options({"explain", "[a,b]"}).operand(0), "[a,b]");
}

TEST(Parse, UnknownWordsGetASuggestion) {
  EXPECT_EQ(error_of({"reprot"}),
            "unknown-command: 'reprot' is not a command | did you mean 'report'?");
  EXPECT_EQ(error_of({"zzzz"}),
            "unknown-command: 'zzzz' is not a command | 'tare -h' lists the commands");
  EXPECT_EQ(error_of({"cost", "--mnth", "2026-08"}),
            "unknown-flag: '--mnth' is not a flag | did you mean '--month'?");
  EXPECT_EQ(error_of({"cost", "--zzzz"}),
            "unknown-flag: '--zzzz' is not a flag | 'tare cost -h' lists the flags");
  EXPECT_EQ(error_of({"cost", "--by", "modle"}),
            "unknown-word: --by does not know 'modle' | did you mean 'model'?");
  EXPECT_EQ(
      error_of({"findings", "cost-not-decimall"}),
      "unknown-word: CODE does not know 'cost-not-decimall' | did you mean 'cost-not-decimal'?");
  EXPECT_EQ(error_of({"completions", "tcsh"}),
            "unknown-word: SHELL does not know 'tcsh' | one of: bash, zsh, fish");
}

TEST(Parse, WhatComesLaterIsSaidToBeLater) {
  for (const std::string_view word : later_commands()) {
    EXPECT_EQ(parse({std::string(word)}).errors.at(0).code(), "not-in-this-version") << word;
  }
  EXPECT_EQ(error_of({"export", "grafana", "out"}),
            "not-in-this-version: 'grafana' is not in this version of tare");
}

TEST(Parse, ValuesThatAreMissingOrTooMany) {
  EXPECT_EQ(error_of({"cost", "--month"}), "usage: '--month' needs a value: --month MONTH");
  EXPECT_EQ(error_of({"cost", "--month=", "2026-08"}),
            "usage: '--month' has no value after its '='");
  EXPECT_EQ(error_of({"cost", "-C"}), "usage: '-C' needs a value: -C DIR");
  EXPECT_EQ(error_of({"cost", "--quiet=yes"}), "usage: '--quiet' takes no value");
  EXPECT_EQ(error_of({"load", "x"}),
            "usage: 'x' is one word too many for 'tare load' | usage: tare load [flags]");
  EXPECT_EQ(error_of({"export", "parquet"}),
            "usage: 'tare export' needs OUT: the folder of parquet, or the file of focus, to write "
            "| usage: tare export FORMAT OUT [flags]");
}

TEST(Parse, AFlagOfAnotherCommandIsNamed) {
  EXPECT_EQ(error_of({"load", "--rows"}),
            "usage: '--rows' is not a flag of 'tare load' | it is one of: findings");
  EXPECT_EQ(error_of({"report", "--by", "model"}),
            "usage: '--by' is not a flag of 'tare report' | it is one of: cost, waste");
}

TEST(ReadOptions, Periods) {
  const Options range = options({"cost", "--from", "2026-06", "--to", "2026-08"});
  EXPECT_EQ(month_text(range.first_month), "2026-06");
  EXPECT_EQ(month_text(range.last_month), "2026-08");
  const Options last = options({"cost", "--month", "last"});
  EXPECT_TRUE(last.newest_month && !last.first_month && !last.last_month);
  EXPECT_FALSE(options({"cost", "--from", "2026-06"}).last_month);
  EXPECT_EQ(error_of({"cost", "--month", "2026-13"}),
            "usage: '--month 2026-13' is not a month | a month is written 2026-08");
  EXPECT_EQ(
      error_of({"cost", "--from", "2026-08-15"}),
      "period-not-whole-months: '--from 2026-08-15' is not a whole month | this version takes "
      "whole months: --from 2026-08");
  EXPECT_EQ(error_of({"cost", "--from", "2026-08", "--to", "2026-07"}),
            "usage: '--to 2026-07' is before '--from 2026-08'");
  EXPECT_EQ(error_of({"cost", "--to", "2026-08", "--month", "2026-08"}),
            "usage: '--month' and '--to' say two different periods | give one month, or the first "
            "and the last");
}

TEST(ReadOptions, NumbersListsAndWords) {
  EXPECT_EQ(options({"cost", "--by", "model,stage"}).by, (CommandLine{"model", "stage"}));
  EXPECT_EQ(error_of({"cost", "--by", "model,model"}), "usage: '--by' names 'model' twice");
  EXPECT_EQ(options({"cost", "--threads", "256"}).threads, 256);
  EXPECT_GE(options({"cost"}).threads, 1);
  EXPECT_EQ(error_of({"cost", "--threads", "0"}),
            "usage: '--threads 0' is not a whole number from 1 to 256");
  EXPECT_EQ(error_of({"cost", "--limit", "-1"}),
            "usage: '--limit -1' is not a whole number of 0 or more");
  EXPECT_EQ(error_of({"cost", "--where", "model"}),
            "usage: '--where model' is not COLUMN=GLOB | for example: --where model=reco, --where "
            "'run=daily-*'");
  EXPECT_EQ(options({"cost", "--basis", "billed"}).basis, CostBasis::kBilled);
  EXPECT_EQ(options({"cost", "--format", "md"}).format, Format::kMarkdown);
  EXPECT_EQ(options({"cost", "--color", "never"}).color, ColorWhen::kNever);
}

TEST(Errors, AsJsonHaveTheSameFields) {
  Place place{.file = "tare.yaml", .line = 3, .column = 2, .source_line = "a\xff: b"};
  const UserError error("code", "what is \"wrong\"", "do this", place);
  EXPECT_EQ(
      error_text(error, true),
      "{\"schema_version\":1,\"error\":{\"code\":\"code\",\"message\":\"what is \\\"wrong\\\"\","
      "\"file\":\"tare.yaml\",\"line\":3,\"column\":2,\"source_line\":\"a\xef\xbf\xbd: b\","
      "\"hint\":\"do this\"}}\n");
  EXPECT_EQ(error_text(error, false), to_text(error));
}

// Everything below ends a process, so each runs in a child.
class ExitCodes : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

[[noreturn]] void leave(const CommandLine& words) { std::_Exit(run(words, "1.2.3")); }

[[noreturn]] void leave_writing_to(const char* path, const CommandLine& words) {
  ::dup2(::open(path, O_WRONLY), STDOUT_FILENO);
  leave(words);
}

[[noreturn]] void leave_into_closed_pipe(const CommandLine& words) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) std::_Exit(99);
  ::dup2(ends[1], STDOUT_FILENO);
  ::close(ends[0]);
  leave(words);
}

TEST_F(ExitCodes, DoneUsageAndHelp) {
  using testing::ExitedWithCode;
  EXPECT_EXIT(leave_writing_to("/dev/null", {"--version"}), ExitedWithCode(0), "^$");
  EXPECT_EXIT(leave_writing_to("/dev/null", {"cost", "--nonsense", "-h"}), ExitedWithCode(0), "^$");
  EXPECT_EXIT(leave({}), ExitedWithCode(2), "^tare init");
  EXPECT_EXIT(leave({"reprot"}), ExitedWithCode(2), "error.unknown-command.*'reprot'");
  EXPECT_EXIT(leave({"cost", "--format", "json", "--by", "x"}), ExitedWithCode(2),
              "^.\"schema_version\":1");
}

TEST_F(ExitCodes, AClosedPipeIsDoneAndAFullDiskIsNot) {
  using testing::ExitedWithCode;
  EXPECT_EXIT(leave_into_closed_pipe({"--help"}), ExitedWithCode(0), "^$");
  EXPECT_EXIT(leave_writing_to("/dev/full", {"--help"}), ExitedWithCode(2),
              "error.output-not-written");
  EXPECT_EXIT(
      {
        ::close(STDOUT_FILENO);
        leave({"--help"});
      },
      ExitedWithCode(2), "error.output-not-written");
}

void fail() { throw std::runtime_error("planted"); }

void fail_in_a_noexcept_function() noexcept { fail(); }

TEST_F(ExitCodes, SignalsAndDefects) {
  using testing::ExitedWithCode;
  const auto with_handlers = [](void (*last)()) {
    install_signal_handlers();
    last();
    std::_Exit(0);
  };
  EXPECT_EXIT(with_handlers([] { ::raise(SIGINT); }), ExitedWithCode(130), "^tare: interrupted\n$");
  EXPECT_EXIT(with_handlers([] { ::raise(SIGTERM); }), ExitedWithCode(130),
              "^tare: interrupted\n$");
  EXPECT_EXIT(with_handlers([] { ::raise(SIGPIPE); }), ExitedWithCode(0), "^$");
  EXPECT_EXIT(with_handlers([] { std::abort(); }), ExitedWithCode(3), "tare: bug: ");
  EXPECT_EXIT(with_handlers(fail_in_a_noexcept_function), ExitedWithCode(3),
              "tare: bug: .*planted");
}

TEST_F(ExitCodes, AnInterruptErasesTheProgressLineAndAnIgnoredOneStaysIgnored) {
  using testing::ExitedWithCode;
  EXPECT_EXIT(
      {
        install_signal_handlers();
        note_progress_line(true);
        ::raise(SIGINT);
      },
      ExitedWithCode(130), "^\r.\\[Ktare: interrupted\n$");
  EXPECT_EXIT(
      {
        ::signal(SIGINT, SIG_IGN);
        install_signal_handlers();
        ::raise(SIGINT);
        std::_Exit(0);
      },
      ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace tare::cli
