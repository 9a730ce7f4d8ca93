// The command line as the table of flags understands it: names and texts, values not yet checked.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/errors.h"
#include "cli/flags.h"

namespace tare::cli {

struct Arguments {
  const Command* command = nullptr;                  // null: none was named
  std::map<FlagId, std::vector<std::string>> flags;  // a switch that is on has one empty text
  std::vector<std::string> operands;

  bool has(FlagId flag) const { return flags.contains(flag); }
  // The last one wins, so that an alias of the shell can be overridden; "" where it was not given.
  std::string value(FlagId flag) const;
};

// What was asked, whatever else is wrong with it: -h wins over a mistake beside it, and errors are
// printed in the format that was asked for.
struct Parsed {
  Arguments arguments;
  std::vector<UserError> errors;  // in the order found; empty: all words are known
};
Parsed parse(const std::vector<std::string>& words);

// Throws for an operand that is missing or one too many, or a flag that the command does not take.
void check_shape(const Arguments& arguments);

}  // namespace tare::cli
