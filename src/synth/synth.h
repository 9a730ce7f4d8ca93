// The room of made worlds: a company of any size whose true costs are known, because it was made.
// It writes a project that `tare load` takes as it is, and the truth beside it. The truth comes
// from the plan of the world, by arithmetic of this room alone: nothing here knows the timeline or
// the ledger. docs/synth.md is the recipe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"

namespace tare::synth {

enum class FileFormat : uint8_t { kParquet, kCsv };

// In which order the lines of a month stand in its files. By hour is how providers export.
enum class LineOrder : uint8_t { kHour, kResource, kShuffled };

enum class Plant : uint8_t {
  kIdleReplica,
  kForgottenNotebook,
  kNoRun,
  kLostWork,
  kStartup,
  kSmallBatch,
  kDataStarved,
  kOverFrequentRetraining,
  kCommitmentUnused,
  kCount
};

// A named waste that can be planted. Its size counts device-hours, or of a commitment whole units
// of the currency.
struct PlantKind {
  Plant plant;
  std::string_view name;      // "idle-replica", as in --plant
  int64_t default_size;       // device-hours; units of the currency for a commitment
  std::string_view shows_as;  // the state of `tare waste` that holds it; of money the account
  std::string_view meaning;   // one line, lower case, no full stop
};
std::span<const PlantKind> plant_kinds();

struct Planted {
  Plant plant = Plant::kCount;
  int64_t size = 0;
};

// "idle-replica" or "idle-replica=200". Throws UserError for another word or a size that is no
// whole number of 1 or more.
Planted parse_plant(const std::string& text);

struct Wanted {
  std::string folder;  // made if it is not there; what is in it already is the caller's to judge
  uint64_t seed = 1;
  int64_t months = 1;
  int64_t bill_lines = 0;  // exactly so many, over all months
  int64_t runs = 0;        // exactly so many; endpoints and further attempts are not counted
  FileFormat format = FileFormat::kParquet;
  LineOrder order = LineOrder::kHour;
  bool restate = false;  // a second delivery of the last month, beside the bill
  std::vector<Planted> plants;
  int threads = 1;  // no byte depends on it
};

inline constexpr int64_t kMostMonths = 120;
inline constexpr int64_t kMostLines = 1'000'000'000;
inline constexpr int64_t kMostRuns = 9'999'999;

// What was written, in the order of the answer: its name and its count.
using Written = std::vector<std::pair<std::string, int64_t>>;

// Throws UserError where the numbers can't be met (too few lines for the months, too few runs, too
// many runs for the machine time that the lines pay for), and where a file can't be written.
Written write_world(const Wanted& wanted, const Progress& progress);

}  // namespace tare::synth
