#include "cli/flags.h"

#include "base/errors.h"

namespace tare::cli {
namespace {

constexpr CommandSet kAll = (CommandSet{1} << static_cast<unsigned>(CommandId::kCount)) - 1;
constexpr CommandSet kQuestions = set_of(CommandId::kReport) | set_of(CommandId::kCost) |
                                  set_of(CommandId::kWaste) | set_of(CommandId::kReconcile) |
                                  set_of(CommandId::kExplain);
constexpr CommandSet kPeriods = kQuestions | set_of(CommandId::kExport);
constexpr CommandSet kFigures = kQuestions | set_of(CommandId::kFindings);
constexpr CommandSet kAnswers = kFigures | set_of(CommandId::kInit) | set_of(CommandId::kLoad) |
                                set_of(CommandId::kSql) | set_of(CommandId::kExport) |
                                set_of(CommandId::kClose);
constexpr CommandSet kSynth = set_of(CommandId::kSynth);
constexpr CommandSet kGrouped = set_of(CommandId::kCost) | set_of(CommandId::kWaste);
constexpr CommandSet kJudged = (kFigures & ~set_of(CommandId::kExplain)) | set_of(CommandId::kLoad);

constexpr auto kCommands = std::to_array<Command>({
    {.id = CommandId::kInit,
     .name = "init",
     .operands = {{{"DIR", false, Words::kDirectory, "the folder of exports; default: this one"}}},
     .summary = "look at a folder of exports and write a commented tare.yaml",
     .details =
         "Recognises each file's format by its content and writes a tare.yaml that names them all, "
         "with the choices to make as comments. Nothing is loaded yet, and no file but tare.yaml "
         "is "
         "written.\n\n"
         "A tare.yaml that is already there is kept; --force replaces it.",
     .examples = {{{"tare init", "look at this folder, write ./tare.yaml"},
                   {"tare init exports --force", "again, over the old tare.yaml"}}}},
    {.id = CommandId::kLoad,
     .name = "load",
     .summary = "read the sources that tare.yaml names into the store",
     .details =
         "Reads only what changed since the last load, joins bill and runs, posts every bill line "
         "and proves that the postings sum to the bill. The store is a folder .tare beside "
         "tare.yaml; it can be deleted and loaded again.\n\n"
         "A load that is stopped or fails leaves the store as it was. A row that can't be read is "
         "put into quarantine, counted, shown by 'tare findings', and makes the exit code 1.",
     .examples = {{{"tare load", "read what is new or changed"},
                   {"tare load --dry-run", "only say what would be read"}}}},
    {.id = CommandId::kReport,
     .name = "report",
     .summary = "the monthly page: bill, models, outcomes, waste, findings",
     .details =
         "One page for a month: whether the bill reconciles, what each model cost by stage and by "
         "outcome, which share of the billed device-hours was useful, where the rest went, and "
         "what was wrong in the data. Shown parts sum to shown totals.",
     .examples = {{{"tare report", "the newest month"},
                   {"tare report --month 2026-08 --format md",
                    "one month, to paste into a page"}}}},
    {.id = CommandId::kCost,
     .name = "cost",
     .summary = "attributed cost, by any grouping",
     .details =
         "What was posted to models, idle, shared and other accounts, grouped by --by. Allocation "
         "cost is what a model was posted; usage cost is that times its busy share.",
     .examples = {{{"tare cost --by model,stage", "each model, by stage"},
                   {"tare cost --by run --where model=reco --limit 10", "its dearest runs"}}}},
    {.id = CommandId::kWaste,
     .name = "waste",
     .summary = "billed, busy and useful device-hours and money, by cause",
     .details =
         "Every billed device-hour is in exactly one state: useful, or one of the causes of waste, "
         "or unknown. Missing telemetry is unknown, never idle; coverage stands beside every "
         "percentage.",
     .examples = {{{"tare waste --by model,reason", "each model's hours, by cause"},
                   {"tare waste --by pool --sort -cost", "the dearest pools first"}}}},
    {.id = CommandId::kReconcile,
     .name = "reconcile",
     .summary = "prove that the numbers are the bill's, to the last digit",
     .details =
         "Three checks: postings against bill lines, bill lines against the issued invoices, and "
         "commitments against what they covered. The rows that differ are listed. The exit code is "
         "1 when a check fails.",
     .examples = {{{"tare reconcile", "the whole bill"},
                   {"tare reconcile --from 2026-06 --to 2026-08", "three months"}}}},
    {.id = CommandId::kClose,
     .name = "close",
     .operands = {{{"MONTH", true, Words::kFree, "the billing period, as 2026-08"}}},
     .summary = "note what a month came to, before it is corrected",
     .details =
         "Appends a line to journal/closed.jsonl in the project: the month's inputs with their "
         "hashes, the version of tare, and its totals by invoice. Nothing in the store changes. "
         "What a later delivery corrects is shown by 'tare reconcile' as an adjustment with its "
         "day, and 'tare reconcile --as-of DAY' answers for the closed state. Closing a month "
         "again notes its adjustments; where there are none, nothing is written.\n\n"
         "The day is the newest in the data, or --as-of. A month whose postings differ from its "
         "bill can't be closed.",
     .examples = {{{"tare close 2026-08", "note August as it is now"},
                   {"tare close 2026-08 --as-of 2026-09-10", "with the day of the meeting"}}}},
    {.id = CommandId::kFindings,
     .name = "findings",
     .operands = {{{"CODE", false, Words::kFindingCode, "show only this kind of finding"}}},
     .summary = "what was wrong in the data, by the money it touches",
     .details =
         "Every row that could not be read, and everything that does not fit together, is counted "
         "as a finding with its money. With CODE, one kind by source and subject; with --rows, the "
         "rows themselves.",
     .examples = {{{"tare findings", "all kinds, the most money first"},
                   {"tare findings cost-not-decimal --rows", "the rows of one kind"}}}},
    {.id = CommandId::kExplain,
     .name = "explain",
     .operands = {{{"FIGURE", true, Words::kFree,
                    "a figure's id, an account, a run, a model or a bill line"}}},
     .summary = "walk a figure back to bill rows, runs and rules",
     .details =
         "Every figure of an answer has an id, shown by --ids and always in JSON. 'tare explain' "
         "takes it, or the name of an account, run, model or bill line, and shows what it is made "
         "of: postings, the rule that made each, the time held, the rows of the bill.",
     .examples = {{{"tare explain model/reco/serving/endpoint%2Freco", "one account"},
                   {"tare explain 2026-08/models/reco/cost", "a figure of the report"}}}},
    {.id = CommandId::kSql,
     .name = "sql",
     .operands = {{{"QUERY", false, Words::kFree,
                    "one or more statements; default: standard input, or a prompt"}}},
     .summary = "ask the store in SQL, read-only",
     .details =
         "The store's views are bill_line, posting, run, hold, resource, device_state, outcome, "
         "finding and lineage; the dialect is DuckDB's. Money is DECIMAL(38,18) and printed "
         "exactly. No file can be opened or written from here.\n\n"
         "On a terminal without QUERY it prompts: a statement ends with ';', and .tables, "
         ".schema VIEW, .help and .quit are understood.",
     .examples = {{{"tare sql 'SELECT count(*) FROM posting'", "one query"},
                   {"tare sql --format csv <query.sql >out.csv", "from a file, to a file"}}}},
    {.id = CommandId::kExport,
     .name = "export",
     .operands = {{{"FORMAT", true, Words::kExportTarget, "what to write: parquet or focus"},
                   {"OUT", true, Words::kPath,
                    "the folder of parquet, or the file of focus, to write"}}},
     .summary = "write every view, or the bill as FOCUS, for other tools",
     .details =
         "parquet: writes OUT/<view>.parquet for each promised view, rows sorted by all columns, "
         "so that the same input gives the same content. The files appear all at once. A folder "
         "that is not empty is refused; --force replaces the views' files in it and leaves others "
         "alone.\n\n"
         "focus: writes the bill as FOCUS 1.2 Cost and Usage into the file OUT, Parquet or CSV by "
         "its ending. A line that several runs share is a row for each of them; the four costs and "
         "the quantities of its rows sum exactly to the line's. x_account, x_model, x_stage, x_run "
         "and more say what a row was posted to. --month, --from and --to name billing periods. "
         "docs/focus.md has the columns. A file that is already there is refused; --force replaces "
         "it.",
     .examples = {{{"tare export parquet out", "every view, into a new folder"},
                   {"tare export focus bill.parquet", "the bill with its models and runs"}}}},
    {.id = CommandId::kSynth,
     .name = "synth",
     .operands = {{{"DIR", true, Words::kDirectory,
                    "the folder to write; made if it is not there"}}},
     .summary = "make a company of any size whose true costs are known",
     .details =
         "Writes a project that 'tare load' takes as it is: a bill in FOCUS, runs with attempts "
         "and "
         "sweeps, holds, endpoints, device usage with gaps and lies. Beside it, truth/ says what "
         "each account costs, computed from the plan of the world and not by the ledger. "
         "docs/synth.md is the recipe.\n\n"
         "The same flags give the same bytes. A folder that is not empty is refused; --force "
         "writes "
         "into it.",
     .examples = {{{"tare synth world --bill-lines 5000 --runs 200", "a small world"},
                   {"tare synth world --plant no-run=48 --force", "with 48 h of waste"}}}},
    {.id = CommandId::kCompletions,
     .name = "completions",
     .operands = {{{"SHELL", true, Words::kShell, "bash, zsh or fish"}}},
     .summary = "print the completions for a shell",
     .details = "Prints a script that completes commands, flags and their values.",
     .examples = {{{"source <(tare completions bash)", "for this shell"},
                   {"tare completions fish | source", "the same in fish"}}}},
    {.id = CommandId::kMan,
     .name = "man",
     .summary = "print the man page",
     .details = "Prints the manual in the format of man(7), made from the table of flags.",
     .examples = {{{"tare man | man -l -", "read it"},
                   {"tare man >~/.local/share/man/man1/tare.1", "install it"}}}},
    {.id = CommandId::kHelp,
     .name = "help",
     .operands = {{{"COMMAND", false, Words::kCommand, "the command to explain"}}},
     .summary = "explain a command, as 'tare COMMAND --help' does",
     .details = "Without COMMAND, everything: all commands, all flags by category, exit codes.",
     .examples = {{{"tare help", "all commands and flags"},
                   {"tare help cost", "one command in full"}}}},
    {.id = CommandId::kVersion,
     .name = "version",
     .summary = "print the version",
     .details = "Prints the program's name and version on one line, as 'tare --version' does.",
     .examples = {{{"tare version", "print it"}, {"tare --version", "the same"}}}},
    {.id = CommandId::kHelpMarkdown,
     .name = "help-markdown",
     .listed = false,
     .summary = "print docs/cli.md",
     .details =
         "Prints the reference of commands and flags in Markdown; docs/cli.md is its output.",
     .examples = {{{"tare help-markdown", "print it"},
                   {"tare help-markdown >docs/cli.md", "after a change of the table"}}}},
});

constexpr auto kFlags = std::to_array<Flag>({
    {.id = FlagId::kMonth,
     .name = "month",
     .value = "MONTH",
     .words = Words::kMonth,
     .default_text = "last; all months for reconcile, explain, export",
     .category = Category::kPeriod,
     .commands = kPeriods,
     .summary = "one month, as 2026-08, or 'last'",
     .details =
         "The UTC month in which charges begin; for reconcile and export focus, the billing "
         "period. 'last' is the "
         "newest month with bill lines: there is no clock in tare, so it does not change with the "
         "day on which you ask."},
    {.id = FlagId::kFrom,
     .name = "from",
     .value = "MONTH",
     .category = Category::kPeriod,
     .commands = kPeriods,
     .summary = "the first month, with --to",
     .details = "Whole months, the first included. Without --to, up to the newest month."},
    {.id = FlagId::kTo,
     .name = "to",
     .value = "MONTH",
     .category = Category::kPeriod,
     .commands = kPeriods,
     .summary = "the last month, itself included",
     .details = "Whole months, the last included. Without --from, from the oldest month on."},
    {.id = FlagId::kAsOf,
     .name = "as-of",
     .value = "DAY",
     .category = Category::kPeriod,
     .commands = set_of(CommandId::kReconcile) | set_of(CommandId::kClose),
     .summary = "the day on which the answer holds, as 2026-09-10",
     .details =
         "reconcile: what months were closed with by that day. close: the day to note, instead of "
         "the newest in the data, as there is no clock in tare."},
    {.id = FlagId::kBy,
     .name = "by",
     .value = "WORDS",
     .words = Words::kGrouping,
     .category = Category::kSelection,
     .commands = kGrouped,
     .summary = "group by these columns, with commas between",
     .details = "Several words nest in the order given: --by model,stage."},
    {.id = FlagId::kWhere,
     .name = "where",
     .value = "COLUMN=GLOB",
     .words = Words::kWhere,
     .repeatable = true,
     .category = Category::kSelection,
     .commands = kGrouped,
     .summary = "only rows that match; may be repeated",
     .details =
         "The column is one of those that --by takes; in the glob, '*' stands for any text and '?' "
         "for one character. Several must all match."},
    {.id = FlagId::kSort,
     .name = "sort",
     .value = "COLUMN",
     .category = Category::kSelection,
     .commands = kGrouped,
     .summary = "sort by a column; -COLUMN: largest first",
     .details =
         "A column's name is the one in --format csv. Rows that are equal keep their order."},
    {.id = FlagId::kLimit,
     .name = "limit",
     .value = "N",
     .default_text = "0, all rows",
     .category = Category::kSelection,
     .commands = kGrouped,
     .summary = "show N rows, and the rest as one row 'others'",
     .details = "The total stays that of all rows."},
    {.id = FlagId::kBasis,
     .name = "basis",
     .value = "BASIS",
     .words = Words::kBasis,
     .default_text = "tare.yaml's, else effective",
     .category = Category::kSelection,
     .commands = kQuestions & ~set_of(CommandId::kReconcile),
     .summary = "which cost: billed, effective, list or contracted",
     .details =
         "'billed' is what is invoiced; 'effective' spreads commitments onto what they covered; "
         "'list' and 'contracted' are the provider's prices before discounts. Every answer names "
         "its basis."},
    {.id = FlagId::kRows,
     .name = "rows",
     .category = Category::kSelection,
     .commands = set_of(CommandId::kFindings),
     .summary = "show the rows themselves, with their place",
     .details = "At most 100 rows are kept of each kind, source and subject."},
    {.id = FlagId::kFormat,
     .name = "format",
     .value = "FORMAT",
     .words = Words::kFormat,
     .default_text = "text; of synth parquet",
     .category = Category::kAnswer,
     .commands = kAnswers | kSynth,
     .summary = "text, json, csv or md; of synth: parquet or csv",
     .details =
         "JSON carries schema_version and changes only by addition; money in it is text with the "
         "exact decimal. With json, errors on stderr are JSON objects too. Of synth it is the "
         "format of the files that it writes."},
    {.id = FlagId::kIds,
     .name = "ids",
     .category = Category::kAnswer,
     .commands = kFigures,
     .summary = "show each figure's id, for 'tare explain'",
     .details = "JSON has the ids always."},
    {.id = FlagId::kStrict,
     .name = "strict",
     .category = Category::kAnswer,
     .commands = kJudged,
     .summary = "exit with 1 when there are findings",
     .details = "Findings of severity warning or error count; notes do not."},
    {.id = FlagId::kDryRun,
     .name = "dry-run",
     .category = Category::kWork,
     .commands = set_of(CommandId::kLoad),
     .summary = "only say which files would be read",
     .details = "Nothing is written, not even the folder of the store."},
    {.id = FlagId::kFullRefresh,
     .name = "full-refresh",
     .category = Category::kWork,
     .commands = set_of(CommandId::kLoad),
     .summary = "read every file again",
     .details = "What is derived is rebuilt too. The old store stays until the new one is whole."},
    {.id = FlagId::kVerify,
     .name = "verify",
     .category = Category::kWork,
     .commands = set_of(CommandId::kLoad) | set_of(CommandId::kReconcile),
     .summary = "trust nothing that was noted before",
     .details =
         "load: hashes every input instead of comparing sizes and times, and reads the checksums "
         "of "
         "every file of the store; a damaged store is loaded afresh. reconcile: adds up every line "
         "and every posting again instead of their summaries."},
    {.id = FlagId::kForce,
     .name = "force",
     .category = Category::kWork,
     .commands = set_of(CommandId::kInit) | set_of(CommandId::kExport) | kSynth,
     .summary = "replace what is already there",
     .details = "init: the old tare.yaml. export, synth: the files of the same names."},
    {.id = FlagId::kSeed,
     .name = "seed",
     .value = "N",
     .default_text = "1",
     .category = Category::kWorld,
     .commands = kSynth,
     .summary = "another seed is another world",
     .details = "0 or more."},
    {.id = FlagId::kMonths,
     .name = "months",
     .value = "N",
     .default_text = "1",
     .category = Category::kWorld,
     .commands = kSynth,
     .summary = "how many months, from January 2026 on",
     .details = "1 to 120."},
    {.id = FlagId::kBillLines,
     .name = "bill-lines",
     .value = "N",
     .default_text = "5000",
     .category = Category::kWorld,
     .commands = kSynth,
     .summary = "lines of the bill, exactly, over all months",
     .details = "At least some 150 a month. What they pay for bounds the runs there can be."},
    {.id = FlagId::kRuns,
     .name = "runs",
     .value = "N",
     .default_text = "200",
     .category = Category::kWorld,
     .commands = kSynth,
     .summary = "runs, exactly; most hold a machine once",
     .details = "Further attempts of a run and endpoints are not counted."},
    {.id = FlagId::kOrder,
     .name = "order",
     .value = "ORDER",
     .words = Words::kLineOrder,
     .default_text = "hour",
     .category = Category::kWorld,
     .commands = kSynth,
     .summary = "of bill lines: by hour, by resource, or shuffled",
     .details = "Providers export by hour. No cost depends on it."},
    {.id = FlagId::kPlant,
     .name = "plant",
     .value = "WASTE[=SIZE]",
     .words = Words::kPlant,
     .repeatable = true,
     .category = Category::kWorld,
     .commands = kSynth,
     .summary = "add one waste of known size; may be repeated",
     .details =
         "The size is in device-hours, of a commitment in units of the currency. truth/waste lists "
         "what was planted, with its money and the state in which 'tare waste' shows it."},
    {.id = FlagId::kRestate,
     .name = "restate",
     .category = Category::kWorld,
     .commands = kSynth,
     .summary = "also a second delivery of the last month",
     .details = "In restated/, beside bill/; tare.yaml does not name it."},
    {.id = FlagId::kDirectory,
     .short_name = 'C',
     .value = "DIR",
     .words = Words::kDirectory,
     .default_text = "this folder",
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "work as if started in DIR",
     .details = "tare.yaml is looked for there, and then in the folders above."},
    {.id = FlagId::kThreads,
     .name = "threads",
     .value = "N",
     .default_text = "the number of cores",
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "how many threads may work",
     .details = "1 to 256. No result depends on it."},
    {.id = FlagId::kColor,
     .name = "color",
     .value = "WHEN",
     .words = Words::kColor,
     .default_text = "auto",
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "when to colour: auto, always or never",
     .details = "'auto' is only on a terminal, and not where NO_COLOR is set."},
    {.id = FlagId::kNoProgress,
     .name = "no-progress",
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "no progress line",
     .details = "There is one only on a terminal, and only for work longer than a second."},
    {.id = FlagId::kQuiet,
     .name = "quiet",
     .short_name = 'q',
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "say nothing on stderr but errors",
     .details = "The answer on stdout and the exit code stay."},
    {.id = FlagId::kVerbose,
     .name = "verbose",
     .short_name = 'v',
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "say more on stderr",
     .details = "The project used, each file read, and the time taken."},
    {.id = FlagId::kShortHelp,
     .short_name = 'h',
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "one screen of help",
     .details = "Starts with two examples."},
    {.id = FlagId::kHelp,
     .name = "help",
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "all help",
     .details = "Every flag with what it means, by category."},
    {.id = FlagId::kVersion,
     .name = "version",
     .category = Category::kGeneral,
     .commands = kAll,
     .summary = "print the version",
     .details = "The same as 'tare version'."},
});

constexpr auto kLaterCommands =
    std::to_array<std::string_view>({"check", "decide", "doctor", "drill", "gate", "lab", "levers",
                                     "plan", "record", "serve", "sim", "trace", "verify", "why"});
constexpr auto kLaterExportTargets = std::to_array<std::string_view>({"grafana", "prometheus"});

constexpr auto kLaterFormats = std::to_array<std::string_view>({"html"});

constexpr auto kExitCodes = std::to_array<ExitCode>({
    {0, "done; also when the reader of a pipe closed it"},
    {1,
     "the answer is no: not reconciled, rows in quarantine after a load, findings with --strict"},
    {2, "wrong usage, or input that can't be used"},
    {3, "a defect of tare; please report it"},
    {130, "interrupted; the store is as it was"},
});

constexpr auto kEnvironment = std::to_array<Named>({
    {"NO_COLOR", "set to anything: no colour, unless --color says otherwise"},
    {"TERM", "'dumb': no colour and no progress line"},
    {"TMPDIR", "where a query that is too large for memory keeps its temporary files"},
});

constexpr auto kFiles = std::to_array<Named>({
    {"tare.yaml", "the project: sources, models, policy; looked for in -C and the folders above"},
    {".tare", "the store, beside tare.yaml; it can be deleted and loaded again"},
});

constexpr auto kExamples = std::to_array<Example>({
    {"tare init && tare load && tare report", "from a folder of exports to the page"},
    {"tare cost --by model,stage", "what each model cost, by stage"},
});

}  // namespace

std::span<const Command> commands() { return kCommands; }
std::span<const Flag> flags() { return kFlags; }
std::span<const std::string_view> later_commands() { return kLaterCommands; }
std::span<const std::string_view> later_words(Words words) {
  if (words == Words::kExportTarget) return kLaterExportTargets;
  return words == Words::kFormat ? std::span<const std::string_view>(kLaterFormats)
                                 : std::span<const std::string_view>();
}
std::span<const ExitCode> exit_codes() { return kExitCodes; }
std::span<const Named> environment() { return kEnvironment; }
std::span<const Named> files() { return kFiles; }
std::span<const Example> program_examples() { return kExamples; }

std::string_view program_summary() {
  return "joins a machine-learning bill to its run records, exact to the cent";
}

std::string_view program_details() {
  return "tare reads a company's bill, its run records, device usage and outcomes, and answers "
         "what "
         "each model costs by stage and outcome, how much of every billed device-hour was work, "
         "and "
         "where the rest went. Its numbers add up to the invoice, and each can be walked back to "
         "the bill rows it is made of.\n\n"
         "The answer goes to stdout, all else to stderr. The same input gives the same bytes: "
         "there is no clock, no locale and no network in an answer.";
}

std::string_view heading(Category category) {
  switch (category) {
    case Category::kPeriod:
      return "Period";
    case Category::kSelection:
      return "Selection";
    case Category::kAnswer:
      return "Answer";
    case Category::kWork:
      return "Work";
    case Category::kWorld:
      return "World";
    case Category::kGeneral:
      return "General";
    case Category::kCount:
      break;
  }
  TARE_ASSERT(false, "a category without a heading");
}

const Command& command_of(CommandId id) {
  for (const Command& command : kCommands) {
    if (command.id == id) return command;
  }
  TARE_ASSERT(false, "a command without an entry in the table");
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

const Flag& flag_of(FlagId id) {
  for (const Flag& flag : kFlags) {
    if (flag.id == id) return flag;
  }
  TARE_ASSERT(false, "a flag without an entry in the table");
}

bool takes(const Command& command, const Flag& flag) {
  return (flag.commands & set_of(command.id)) != 0;
}

std::string spelled(const Flag& flag) {
  return flag.name.empty() ? std::string{'-', flag.short_name} : "--" + std::string(flag.name);
}

std::string usage_of(const Command& command) {
  std::string text = "tare " + std::string(command.name);
  for (const Operand& operand : command.operands) {
    if (operand.name.empty()) continue;
    const std::string name(operand.name);
    text += operand.required ? " " + name : " [" + name + "]";
  }
  return text + " [flags]";
}

}  // namespace tare::cli
