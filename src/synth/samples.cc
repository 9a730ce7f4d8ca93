#include "synth/samples.h"

#include "synth/dice.h"

namespace tare::synth {
namespace {

enum : uint64_t { kSampleDice = 201 };

SampleKind kind_of(int64_t permille) {
  constexpr int64_t kMissing = 60, kRepeat = 75, kOver = 85, kBlank = 92, kDisagree = 97;
  return permille < kMissing    ? SampleKind::kGap
         : permille < kRepeat   ? SampleKind::kRepeated
         : permille < kOver     ? SampleKind::kOverOne
         : permille < kBlank    ? SampleKind::kBlank
         : permille < kDisagree ? SampleKind::kDisagree
                                : SampleKind::kGood;
}

}  // namespace

Sample sample_of(const World& world, size_t machine, int32_t device, int32_t hour) {
  const Machine& one = world.machines[machine];
  for (const Phase& phase : one.phases) {
    if (hour >= phase.from_hour && hour < phase.to_hour) {
      return {SampleKind::kGood, phase.busy_ppm, phase.sm_active_ppm};
    }
  }
  constexpr int64_t kPermille = 1000, kLeastBusy = 50;
  Dice dice(draw(world.wanted.seed + kSampleDice, machine * 64 + static_cast<size_t>(device),
                 static_cast<uint64_t>(hour)),
            0);
  Sample sample;
  sample.kind = kind_of(dice.below(kPermille));
  // Never zero, so that no hour of ordinary runs is a start or a stretch of idleness.
  sample.busy_ppm = dice.between(kLeastBusy, kPermille) * kPermille;
  if (!dice.one_in(5)) sample.sm_active_ppm = sample.busy_ppm / 100 * dice.between(20, 95);
  return sample;
}

}  // namespace tare::synth
