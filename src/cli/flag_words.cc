// The words that the values of flags and operands may be.
#include "base/findings.h"
#include "cli/flags.h"
#include "measures/measures.h"
#include "synth/synth.h"

namespace tare::cli {
namespace {

std::vector<std::string> finding_codes() {
  std::vector<std::string> codes;
  for (const FindingKind& kind : finding_kinds()) codes.emplace_back(kind.code);
  return codes;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.listed) names.emplace_back(command.name);
  }
  return names;
}

std::vector<std::string> plant_names() {
  std::vector<std::string> names;
  for (const synth::PlantKind& kind : synth::plant_kinds()) names.emplace_back(kind.name);
  return names;
}

const std::vector<std::string>& groupings(CommandId command) {
  return command == CommandId::kWaste ? measures::waste_groupings() : measures::cost_groupings();
}

}  // namespace

std::vector<std::string> words_of(Words words, CommandId command) {
  switch (words) {
    case Words::kFree:
    case Words::kDirectory:
    case Words::kPath:
      return {};
    case Words::kMonth:
      return {"last"};
    case Words::kFormat:
      if (command == CommandId::kSynth) return {"parquet", "csv"};
      return {"text", "json", "csv", "md"};
    case Words::kBasis:
      return {"billed", "effective", "list", "contracted"};
    case Words::kColor:
      return {"auto", "always", "never"};
    case Words::kGrouping:
    case Words::kWhere:
      return groupings(command);
    case Words::kFindingCode:
      return finding_codes();
    case Words::kShell:
      return {"bash", "zsh", "fish"};
    case Words::kExportTarget:
      return {"parquet", "focus"};
    case Words::kCommand:
      return command_names();
    case Words::kLineOrder:
      return {"hour", "resource", "shuffled"};
    case Words::kPlant:
      return plant_names();
  }
  return {};
}

}  // namespace tare::cli
