#include "synth/shares.h"

#include <algorithm>

#include "synth/exact_shares.h"
#include "synth/samples.h"

namespace tare::synth {
namespace {

class ShareFinder {
 public:
  ShareFinder(const World& world, size_t machine, Span32 period, std::vector<Share>* out)
      : world_(world),
        index_(machine),
        machine_(world.machines[machine]),
        period_(period),
        out_(*out) {}

  void find() {
    if (machine_.holder != kNone) {
      const Holder& holder = world_.holders[machine_.holder];
      const Span32 held = meeting({holder.start, holder.end});
      if (held.start < held.end) {
        Share& share = share_of(machine_.holder);
        const int64_t ns = length_ns(held) * devices_of(machine_);
        share.ns += ns;
        share.states[static_cast<size_t>(DeviceState::kUnknown)] += ns;
      }
      return;
    }
    for (uint32_t i = 0; i < machine_.lanes; ++i) find_in(world_.lanes[machine_.first_lane + i]);
  }

 private:
  static int64_t length_ns(Span32 span) { return int64_t{span.end - span.start} * kNsPerSecond; }

  Span32 meeting(Span32 span) const {
    return {std::max(span.start, period_.start), std::min(span.end, period_.end)};
  }

  Share& share_of(uint32_t holder) {
    for (Share& share : out_) {
      if (share.holder == holder) return share;
    }
    out_.push_back({holder, world_.holders[holder].account, 0, {}});
    return out_.back();
  }

  void find_in(const Lane& lane) {
    const auto first = world_.pieces.begin() + lane.first_piece;
    const auto last = first + lane.pieces;
    auto at = std::upper_bound(first, last, period_.start, [](int32_t second, const Piece& piece) {
      return second < piece.end;
    });
    for (; at != last && at->start < period_.end; ++at) {
      const Span32 held = meeting({at->start, at->end});
      if (held.start >= held.end) continue;
      if (at->parts == 1 && at->idle_weight == 0) {
        add_whole(lane, *at, held);
      } else {
        add_parts(*at, held);
      }
    }
  }

  void add_whole(const Lane& lane, const Piece& piece, Span32 held) {
    const uint32_t holder = world_.parts[piece.first_part].holder;
    Share& share = share_of(holder);
    share.ns += length_ns(held) * piece.devices;
    const int32_t cut = std::clamp(world_.holders[holder].lost_from, held.start, held.end);
    if (!machine_.monitored) {
      add(&share, DeviceState::kUnknown, length_ns({held.start, cut}) * piece.devices);
      add(&share, DeviceState::kLost, length_ns({cut, held.end}) * piece.devices);
      return;
    }
    const int32_t first = lane.device >= 0 ? lane.device : 0;
    for (int32_t device = first; device < first + piece.devices; ++device) {
      const Sample sample = sample_of(world_, index_, device, held.start / kSecondsPerHour);
      add_sampled(&share, sample, {held.start, cut}, false);
      add_sampled(&share, sample, {cut, held.end}, true);
    }
  }

  static void add(Share* share, DeviceState state, int64_t ns) {
    share->states[static_cast<size_t>(state)] += ns;
  }

  // The hour's average holds in each of its seconds.
  void add_sampled(Share* share, const Sample& sample, Span32 held, bool lost) const {
    constexpr int64_t kNsAPpm = 1000;
    if (!sample.trusted()) {
      return add(share, lost ? DeviceState::kLost : DeviceState::kUnknown, length_ns(held));
    }
    const int64_t busy = sample.busy_ppm * kNsAPpm * (held.end - held.start);
    const DeviceState work = lost                       ? DeviceState::kLost
                             : sample.sm_active_ppm < 0 ? DeviceState::kBusy
                             : sample.efficient()       ? DeviceState::kUseful
                                                        : DeviceState::kInefficient;
    add(share, work, busy);
    add(share, rest_state(held.start / kSecondsPerHour), length_ns(held) - busy);
  }

  // Only planted machines are idle for whole hours, and what that means was chosen with them.
  DeviceState rest_state(int32_t hour) const {
    for (const Phase& phase : machine_.phases) {
      if (hour < phase.from_hour || hour >= phase.to_hour) continue;
      if (phase.waste == Plant::kStartup) return DeviceState::kStartup;
      const bool idle =
          phase.waste == Plant::kIdleReplica || phase.waste == Plant::kForgottenNotebook;
      if (idle) return DeviceState::kIdleHeld;
    }
    return DeviceState::kNotBusy;
  }

  void add_parts(const Piece& piece, Span32 held) {
    weights_.clear();
    for (uint32_t i = 0; i < piece.parts; ++i) {
      weights_.push_back(world_.parts[piece.first_part + i].weight);
    }
    if (piece.idle_weight > 0) weights_.push_back(piece.idle_weight);
    share_exactly(length_ns(held), weights_, &times_);
    for (uint32_t i = 0; i < piece.parts; ++i) {
      const uint32_t holder = world_.parts[piece.first_part + i].holder;
      const int64_t ns = static_cast<int64_t>(times_[i]) * piece.devices;
      if (ns == 0) continue;
      Share& share = share_of(holder);
      share.ns += ns;
      const int32_t cut = std::clamp(world_.holders[holder].lost_from, held.start, held.end);
      const auto lost = static_cast<int64_t>(static_cast<int128>(ns) * (held.end - cut) /
                                             (held.end - held.start));
      add(&share, DeviceState::kLost, lost);
      add(&share, DeviceState::kUnknown, ns - lost);
    }
  }

  const World& world_;
  size_t index_;
  const Machine& machine_;
  Span32 period_;
  std::vector<Share>& out_;
  std::vector<uint128> weights_;
  std::vector<int128> times_;
};

}  // namespace

int64_t devices_of(const Machine& machine) { return std::max(shape_of(machine.shape).devices, 1); }

void find_shares(const World& world, size_t machine, Span32 period, int64_t base_ns, Shares* out) {
  out->base_ns = base_ns;
  out->shares.clear();
  ShareFinder(world, machine, period, &out->shares).find();
  std::sort(out->shares.begin(), out->shares.end(), [&](const Share& a, const Share& b) {
    return world.holders[a.holder].order < world.holders[b.holder].order;
  });
  int64_t held = 0;
  for (const Share& share : out->shares) held += share.ns;
  if (held < base_ns) {
    // "idle/…" stands before "model/…" and "shared/…".
    Share idle{kNone, world.machines[machine].pool_account, base_ns - held, {}};
    idle.states[static_cast<size_t>(DeviceState::kNoRun)] = idle.ns;
    out->shares.insert(out->shares.begin(), idle);
  }
  out->weights_ns = std::max(held, base_ns);
}

}  // namespace tare::synth
