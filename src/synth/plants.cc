// The wastes that can be planted: one row each.
#include <algorithm>
#include <array>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "synth/synth.h"

namespace tare::synth {
namespace {

constexpr int64_t kMostSize = 1'000'000;

constexpr auto kPlants = std::to_array<PlantKind>({
    {Plant::kIdleReplica, "idle-replica", 24, "idle-held", "a serving replica that is never busy"},
    {Plant::kForgottenNotebook, "forgotten-notebook", 24, "idle-held",
     "a session that worked for an hour and was left on"},
    {Plant::kNoRun, "no-run", 24, "no-run", "a machine that stayed on when its only run was done"},
    {Plant::kLostWork, "lost-work", 24, "lost",
     "a busy run that was preempted and had saved nothing"},
    {Plant::kStartup, "startup", 24, "startup",
     "a run that held its device long before its first use"},
    {Plant::kSmallBatch, "small-batch", 24, "inefficient",
     "a run that keeps the device busy and most of it unused"},
    {Plant::kDataStarved, "data-starved", 24, "not-busy",
     "a run whose device waits half of every hour"},
    {Plant::kOverFrequentRetraining, "over-frequent-retraining", 24, "useful",
     "a model retrained every hour on rows that did not change"},
    {Plant::kCommitmentUnused, "commitment-unused", 500, "commitment-unused",
     "a commitment that covered nothing; its size is money"},
});
static_assert(kPlants.size() == static_cast<size_t>(Plant::kCount));

}  // namespace

std::span<const PlantKind> plant_kinds() { return kPlants; }

Planted parse_plant(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto kind = std::ranges::find(kPlants, name, &PlantKind::name);
  if (kind == kPlants.end()) {
    std::vector<std::string> names;
    for (const PlantKind& known : kPlants) names.emplace_back(known.name);
    const std::string near = nearest_word_in(name, names);
    throw UserError(
        "unknown-word", "--plant does not know '" + name + "'",
        near.empty() ? "'tare synth --help' lists the wastes" : "did you mean '" + near + "'?");
  }
  Planted planted{kind->plant, kind->default_size};
  if (equals == std::string::npos) return planted;
  const std::optional<int64_t> size = parse_integer(text.substr(equals + 1));
  if (!size || *size < 1 || *size > kMostSize) {
    throw UserError("usage", "'--plant " + text + "': the size is not a whole number from 1 to " +
                                 std::to_string(kMostSize));
  }
  planted.size = *size;
  return planted;
}

}  // namespace tare::synth
