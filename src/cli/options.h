// The values of the command line, checked: what every command reads instead of texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "cli/parse.h"
#include "report/report.h"
#include "store/store.h"
#include "synth/synth.h"

namespace tare::cli {

enum class ColorWhen : uint8_t { kAuto, kAlways, kNever };

struct Options {
  const Command* command = nullptr;
  std::vector<std::string> operands;
  std::string version;  // the program's own
  std::string directory = ".";

  // The period as asked: --month sets both ends. An open end, the newest month and no period at all
  // are up to the store (session.h).
  std::optional<Month> first_month, last_month;
  bool newest_month = false;
  std::vector<std::string> by;
  std::vector<std::pair<std::string, std::string>> where;
  std::string sort;
  int64_t limit = 0;
  std::optional<CostBasis> basis;
  bool rows = false;
  std::string as_of;  // a day, "" none

  Format format = Format::kText;
  ColorWhen color = ColorWhen::kAuto;
  bool ids = false, strict = false;
  bool dry_run = false, full_refresh = false, verify = false, force = false;
  bool no_progress = false, quiet = false, verbose = false;
  int threads = 1;
  synth::Wanted world;  // of tare synth; its folder is not set

  std::string operand(size_t index) const { return index < operands.size() ? operands[index] : ""; }
};

// Throws UserError for a value that can't be used. Requires a command, and check_shape() passed.
Options options_of(const Arguments& arguments, std::string_view version);

// Throws UserError unknown-word, with the nearest of `words`, unless `word` is one of them. `what`
// names the flag or operand: "--format", "SHELL".
void check_word(std::string_view what, const std::string& word,
                const std::vector<std::string>& words);

}  // namespace tare::cli
