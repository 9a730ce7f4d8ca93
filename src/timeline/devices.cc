#include "timeline/devices.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "timeline/device_time.h"

namespace tare::timeline {
namespace {

using store::DeviceClass;

// Common denominators above this are left, and weights are rounded to 1e-18 of a device instead.
constexpr uint128 kLargestDenominator = static_cast<uint128>(1'000'000'000'000) * 1'000'000'000'000;

bool is_index(const std::string& name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The largest number of devices that count holds take at once; a weight takes its part of a device.
int64_t largest_count(const std::vector<CanonicalHold>& holds) {
  // In parts of a device that all weights have in common, else in the store's smallest.
  int128 whole = 1;
  for (const CanonicalHold& hold : holds) {
    if (!hold.count || !hold.weight) continue;
    int128 x = whole, y = hold.weight->den;
    while (y != 0) std::swap(x %= y, y);
    int128 factor = hold.weight->den / x;
    whole = whole > Money::kAttoPerUnit / factor ? int128{Money::kAttoPerUnit} : whole * factor;
  }
  std::vector<std::pair<int64_t, int128>> edges;
  for (const CanonicalHold& hold : holds) {
    if (!hold.count) continue;
    int128 part = whole;
    if (hold.weight) part = std::min(whole, whole * hold.weight->num / hold.weight->den);
    edges.emplace_back(hold.span.start_ns, *hold.count * part);
    edges.emplace_back(hold.span.end_ns, -*hold.count * part);
  }
  std::sort(edges.begin(), edges.end());  // at one instant, ends (negative) come first
  int128 now = 0, largest = 0;
  for (const auto& [instant, change] : edges) {
    now += change;
    largest = std::max(largest, now);
  }
  return static_cast<int64_t>((largest + whole - 1) / whole);
}

// The scheme (indexes or other names) with more devices; indexes where they are as many.
std::vector<std::string> names_that_count(const std::set<std::string>& seen, bool* mixed) {
  std::vector<std::string> indexes, others;
  for (const std::string& name : seen) (is_index(name) ? indexes : others).push_back(name);
  *mixed = !indexes.empty() && !others.empty();
  if (others.size() > indexes.size()) return others;
  std::sort(indexes.begin(), indexes.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return indexes;
}

void fill_names(std::vector<std::string>* names, int64_t devices) {
  bool indexes = names->empty() || is_index(names->front());
  const std::set<std::string> seen(names->begin(), names->end());
  for (int64_t next = 0; static_cast<int64_t>(names->size()) < devices; ++next) {
    std::string name = indexes ? std::to_string(next) : "#" + std::to_string(next);
    if (!seen.contains(name)) names->push_back(std::move(name));
  }
  if (indexes) {
    std::sort(names->begin(), names->end(), [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
  }
}

bool all_name_cpus_only(const std::vector<CanonicalHold>& holds) {
  return !holds.empty() && std::all_of(holds.begin(), holds.end(), [](const CanonicalHold& hold) {
    return hold.cpus && !hold.device && !hold.count;
  });
}

struct Claim {
  int32_t attempt = 0;
  std::optional<Fraction> declared;
};

// Composes the devices' shares at one set of active holds.
class Composer {
 public:
  Composer(const PieceContext& context, const std::vector<CanonicalHold>& holds)
      : context_(context), holds_(holds), device_count_(context.devices->names.size()) {}

  const std::vector<DeviceShares>& compose(const std::vector<int32_t>& active) {
    active_ = active;
    drop_parents();
    claims_.assign(device_count_, {});
    if (context_.devices->device_class == DeviceClass::kNode) {
      claim_node();
    } else {
      claim_devices();
    }
    shares_.assign(device_count_, {});
    for (size_t device = 0; device < device_count_; ++device)
      weigh(&claims_[device], &shares_[device]);
    return shares_;
  }

 private:
  const Attempt& attempt(int32_t index) const {
    return (*context_.attempts)[static_cast<size_t>(index)];
  }

  // A parent holds nothing on a resource while a descendant holds it.
  void drop_parents() {
    std::set<std::string> ancestors;
    for (int32_t index : active_) {
      int32_t at =
          (*context_.parents)[static_cast<size_t>(holds_[static_cast<size_t>(index)].attempt)];
      std::set<int32_t> seen;
      while (at >= 0 && seen.insert(at).second) {
        ancestors.insert(attempt(at).run_id);
        at = (*context_.parents)[static_cast<size_t>(at)];
      }
    }
    if (ancestors.empty()) return;
    std::erase_if(active_, [&](int32_t index) {
      return ancestors.contains(attempt(holds_[static_cast<size_t>(index)].attempt).run_id);
    });
  }

  void claim_node() {
    bool known = context_.node_cpus.has_value() && context_.node_cpus->num > 0;
    for (int32_t index : active_) {
      const CanonicalHold& hold = holds_[static_cast<size_t>(index)];
      known = known && (hold.weight || hold.cpus);
    }
    for (int32_t index : active_) {
      const CanonicalHold& hold = holds_[static_cast<size_t>(index)];
      Claim claim{hold.attempt, hold.weight};
      if (!hold.weight && known) claim.declared = ratio(*hold.cpus, *context_.node_cpus);
      if (!known && !hold.weight) claim.declared = std::nullopt;
      claims_[0].push_back(claim);
    }
    // Where one request or the node's size is unknown, all that declare nothing better share
    // equally.
    if (!known) {
      bool all_weighted = std::all_of(claims_[0].begin(), claims_[0].end(), [](const Claim& claim) {
        return claim.declared.has_value();
      });
      if (!all_weighted) {
        for (Claim& claim : claims_[0]) claim.declared.reset();
      }
    }
  }

  static Fraction ratio(Fraction a, Fraction b) {
    return reduced(static_cast<int128>(a.num) * b.den, static_cast<int128>(a.den) * b.num);
  }

  // In lowest terms; where these still pass 62 bits, both are halved until they fit.
  static Fraction reduced(int128 num, int128 den) {
    int128 x = num, y = den;
    while (y != 0) std::swap(x %= y, y);
    if (x != 0) {
      num /= x;
      den /= x;
    }
    constexpr int128 kLargest = static_cast<int128>(1) << 62;
    while (num >= kLargest || den >= kLargest) {
      num /= 2;
      den /= 2;
    }
    return {static_cast<int64_t>(num), static_cast<int64_t>(den == 0 ? 1 : den)};
  }

  void claim_devices() {
    std::vector<int32_t> counted;
    std::vector<bool> indexed(device_count_, false);
    for (int32_t index : active_) {
      const CanonicalHold& hold = holds_[static_cast<size_t>(index)];
      int32_t device = hold.device ? context_.devices->index_of(*hold.device) : -1;
      if (device >= 0) {
        indexed[static_cast<size_t>(device)] = true;
        claims_[static_cast<size_t>(device)].push_back({hold.attempt, hold.weight});
      } else if (!hold.every_device()) {
        counted.push_back(index);
      }
    }
    claim_counted(counted, indexed);
    for (int32_t index : active_) {
      const CanonicalHold& hold = holds_[static_cast<size_t>(index)];
      if (!hold.every_device()) continue;
      for (auto& claims : claims_) claims.push_back({hold.attempt, hold.weight});
    }
  }

  // Counts take devices that no indexed hold has, lowest first; where they do not pack, each has
  // what it asks for of all free devices together (R32).
  void claim_counted(std::vector<int32_t> counted, const std::vector<bool>& indexed) {
    drop_earlier_attempts(&counted);
    if (counted.empty()) return;
    std::vector<size_t> free;
    for (size_t device = 0; device < device_count_; ++device) {
      if (!indexed[device]) free.push_back(device);
    }
    std::stable_sort(counted.begin(), counted.end(), [&](int32_t a, int32_t b) {
      const CanonicalHold& left = holds_[static_cast<size_t>(a)];
      const CanonicalHold& right = holds_[static_cast<size_t>(b)];
      return std::pair(left.weight.has_value(), left.attempt) <
             std::pair(right.weight.has_value(), right.attempt);
    });
    if (fit_counted(counted, free)) return;
    if (free.empty()) {  // every device is indexed: counts spread over all of them
      note_beyond(counted);
      for (int32_t index : counted) {
        const CanonicalHold& hold = holds_[static_cast<size_t>(index)];
        auto devices = static_cast<int64_t>(device_count_);
        std::optional<Fraction> each;
        if (hold.weight) each = ratio(demand_of(hold), {devices, 1});
        for (auto& claims : claims_) claims.push_back({hold.attempt, each});
      }
      return;
    }
    // Each asks for count x weight of the free devices; only where that is more than they are is it
    // scaled down, all alike.
    Fraction whole{static_cast<int64_t>(free.size()), 1}, total{0, 1};
    for (int32_t index : counted) total = sum(total, demand_of(holds_[static_cast<size_t>(index)]));
    bool beyond = static_cast<int128>(total.num) > static_cast<int128>(whole.num) * total.den;
    if (beyond) note_beyond(counted);
    for (int32_t index : counted) {
      const CanonicalHold& hold = holds_[static_cast<size_t>(index)];
      Fraction each = ratio(demand_of(hold), beyond ? total : whole);
      for (size_t device : free) claims_[device].push_back({hold.attempt, each});
    }
  }

  void note_beyond(const std::vector<int32_t>& counted) {
    note("held-beyond-devices", counted,
         [&](int32_t index) { return holds_[static_cast<size_t>(index)].attempt; });
  }

  // Devices that a count hold asks for: its count times its weight.
  static Fraction demand_of(const CanonicalHold& hold) {
    Fraction weight = hold.weight.value_or(Fraction{1, 1});
    return reduced(static_cast<int128>(count_of(hold)) * weight.num, weight.den);
  }

  static Fraction sum(Fraction a, Fraction b) {
    return reduced(static_cast<int128>(a.num) * b.den + static_cast<int128>(b.num) * a.den,
                   static_cast<int128>(a.den) * b.den);
  }

  static int64_t count_of(const CanonicalHold& hold) { return hold.count.value_or(1); }

  bool fit_counted(const std::vector<int32_t>& counted, const std::vector<size_t>& free) {
    size_t next = 0;
    std::vector<std::vector<Claim>> placed(free.size());
    std::vector<std::pair<int128, int128>> load(free.size(), {0, 1});
    for (int32_t index : counted) {
      const CanonicalHold& hold = holds_[static_cast<size_t>(index)];
      for (int64_t unit = 0; unit < count_of(hold); ++unit) {
        if (!hold.weight) {
          if (next >= free.size()) return false;
          placed[next++].push_back({hold.attempt, std::nullopt});
        } else if (!place_weighted(hold, next, &placed, &load)) {
          return false;
        }
      }
    }
    for (size_t i = 0; i < free.size(); ++i) {
      for (const Claim& claim : placed[i]) claims_[free[i]].push_back(claim);
    }
    return true;
  }

  static bool place_weighted(const CanonicalHold& hold, size_t first,
                             std::vector<std::vector<Claim>>* placed,
                             std::vector<std::pair<int128, int128>>* load) {
    for (size_t device = first; device < placed->size(); ++device) {
      auto [num, den] = (*load)[device];
      int128 sum = num * hold.weight->den + static_cast<int128>(hold.weight->num) * den;
      int128 whole = den * hold.weight->den;
      bool alone = (*placed)[device].empty();  // a weight over 1 has a device of its own
      if (sum > whole && !alone) continue;
      int128 x = sum, y = whole;
      while (y != 0) std::swap(x %= y, y);
      (*load)[device] = {sum / x, whole / x};
      (*placed)[device].push_back({hold.attempt, hold.weight});
      return true;
    }
    return false;
  }

  // Of two attempts of a run at once, the later holds (R31).
  void drop_earlier_attempts(std::vector<int32_t>* counted) {
    std::map<std::string, int32_t> latest;
    for (int32_t index : *counted) {
      const Attempt& holder = attempt(holds_[static_cast<size_t>(index)].attempt);
      auto [entry, added] = latest.try_emplace(holder.run_id, holder.attempt);
      if (!added) entry->second = std::max(entry->second, holder.attempt);
    }
    std::erase_if(*counted, [&](int32_t index) {
      const Attempt& holder = attempt(holds_[static_cast<size_t>(index)].attempt);
      return holder.attempt < latest[holder.run_id];
    });
  }

  void drop_earlier_attempts(std::vector<Claim>* claims) {
    std::map<std::string, int32_t> latest;
    for (const Claim& claim : *claims) {
      const Attempt& holder = attempt(claim.attempt);
      auto [entry, added] = latest.try_emplace(holder.run_id, holder.attempt);
      if (!added) entry->second = std::max(entry->second, holder.attempt);
    }
    std::erase_if(*claims, [&](const Claim& claim) {
      return attempt(claim.attempt).attempt < latest[attempt(claim.attempt).run_id];
    });
  }

  void weigh(std::vector<Claim>* claims, DeviceShares* shares) {
    if (claims->empty()) return;
    if (claims->size() == 1 && !claims->front().declared) {
      shares->push_back({claims->front().attempt, 1});
      return;
    }
    drop_earlier_attempts(claims);
    uint128 one = common_denominator(*claims);
    std::map<int32_t, uint128> declared;
    std::set<int32_t> unweighted;
    for (const Claim& claim : *claims) {
      if (!claim.declared) {
        unweighted.insert(claim.attempt);
      } else {
        uint128& sum = declared[claim.attempt];
        sum = std::min(one, sum + scaled(*claim.declared, one));
      }
    }
    uint128 total = 0;
    for (const auto& [holder, weight] : declared) total += weight;
    if (total > one)
      note("weight-over-one", *claims, [](const Claim& claim) { return claim.attempt; });
    uint128 left = total < one ? one - total : 0;
    uint128 sharers = std::max<uint128>(unweighted.size(), 1);
    std::map<int32_t, uint128> sums;
    for (const auto& [holder, weight] : declared) sums[holder] += weight * sharers;
    for (int32_t holder : unweighted) sums[holder] += left;
    if (unweighted.empty() && left > 0) shares->push_back({-1, left * sharers});
    for (const auto& [holder, weight] : sums) {
      if (weight > 0) shares->push_back({holder, weight});
    }
  }

  static uint128 common_denominator(const std::vector<Claim>& claims) {
    uint128 common = 1;
    for (const Claim& claim : claims) {
      if (!claim.declared) continue;
      auto den = static_cast<uint128>(claim.declared->den);
      uint128 x = common, y = den;
      while (y != 0) std::swap(x %= y, y);
      uint128 factor = den / x;
      if (common > kLargestDenominator / factor) return static_cast<uint128>(Money::kAttoPerUnit);
      common *= factor;
    }
    return common;
  }

  static uint128 scaled(Fraction fraction, uint128 one) {
    auto num = static_cast<uint128>(fraction.num);
    auto den = static_cast<uint128>(fraction.den);
    // A weight over 1 counts as 1 (R31); this also keeps the product within 128 bits.
    if (num >= den) return one;
    uint128 whole = one / den, rest = one % den;
    return whole * num + rest * num / den;
  }

  // One row of a finding an attempt, however many pieces of time it concerns.
  template <typename Items, typename AttemptOf>
  void note(std::string_view code, const Items& items, AttemptOf attempt_of) {
    if (context_.findings == nullptr) return;
    for (const auto& item : items) {
      int32_t index = attempt_of(item);
      if (!noted_.insert({std::string(code), index}).second) continue;
      context_.findings->add({.code = code,
                              .source = "",
                              .subject = *context_.resource_id,
                              .cost = {},
                              .currency = "",
                              .place = *context_.resource_id,
                              .text = attempt(index).run_id});
    }
  }

  const PieceContext& context_;
  const std::vector<CanonicalHold>& holds_;
  size_t device_count_;
  std::vector<int32_t> active_;
  std::vector<std::vector<Claim>> claims_;
  std::vector<DeviceShares> shares_;
  std::set<std::pair<std::string, int32_t>> noted_;
};

bool same_shares(const DeviceShares& a, const DeviceShares& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Share& x, const Share& y) {
           return x.attempt == y.attempt && x.weight == y.weight;
         });
}

Piece pack(Span span, const std::vector<DeviceShares>& devices) {
  Piece piece{span, {}, {}};
  for (const DeviceShares& shares : devices) {
    if (shares.empty()) continue;
    if (shares.size() == 1 && shares[0].attempt >= 0) {
      auto same = std::find_if(
          piece.whole.begin(), piece.whole.end(),
          [&](const Piece::Whole& whole) { return whole.attempt == shares[0].attempt; });
      if (same == piece.whole.end()) {
        piece.whole.push_back({shares[0].attempt, 1});
      } else {
        ++same->devices;
      }
      continue;
    }
    auto same = std::find_if(
        piece.shared.begin(), piece.shared.end(),
        [&](const Piece::Shared& shared) { return same_shares(shared.shares, shares); });
    if (same == piece.shared.end()) {
      piece.shared.push_back({1, shares});
    } else {
      ++same->devices;
    }
  }
  return piece;
}

}  // namespace

int32_t DeviceSet::index_of(const std::string& name) const {
  auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int32_t>(found - names.begin());
}

DeviceSet device_set(const std::string& resource_id, const KnownDevices& known,
                     const std::vector<CanonicalHold>& holds, Findings* findings) {
  DeviceSet set;
  bool said = known.sku || known.inventory;
  int64_t said_devices = std::max(known.sku.value_or(0), known.inventory.value_or(0));
  bool node = said ? said_devices == 0 : (holds.empty() || all_name_cpus_only(holds));
  if (node) {
    set.device_class = DeviceClass::kNode;
    set.names = {"node"};
    return set;
  }
  std::set<std::string> seen(known.seen.begin(), known.seen.end());
  for (const CanonicalHold& hold : holds) {
    if (hold.device) seen.insert(*hold.device);
  }
  bool mixed = false;
  set.names = names_that_count(seen, &mixed);
  if (mixed && findings != nullptr) {
    findings->add({.code = "device-names-mixed",
                   .source = "",
                   .subject = resource_id,
                   .cost = {},
                   .currency = "",
                   .place = resource_id,
                   .text = set.names.front()});
  }
  int64_t wanted = std::max<int64_t>({said_devices, largest_count(holds), 1});
  if (wanted > kMostDevices && findings != nullptr) {
    findings->add({.code = "device-count-unusable",
                   .source = "",
                   .subject = resource_id,
                   .cost = {},
                   .currency = "",
                   .place = resource_id,
                   .text = std::to_string(wanted)});
  }
  fill_names(&set.names, std::min(wanted, kMostDevices));
  return set;
}

std::vector<Piece> make_pieces(const PieceContext& context, const std::vector<CanonicalHold>& holds,
                               const DeviceVisitor& visit) {
  struct Edge {
    int64_t instant_ns;
    bool start;
    int32_t hold;
  };
  std::vector<Edge> edges;
  edges.reserve(holds.size() * 2);
  for (size_t i = 0; i < holds.size(); ++i) {
    if (holds[i].span.empty()) continue;
    edges.push_back({holds[i].span.start_ns, true, static_cast<int32_t>(i)});
    edges.push_back({holds[i].span.end_ns, false, static_cast<int32_t>(i)});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.instant_ns, a.start, a.hold) < std::tie(b.instant_ns, b.start, b.hold);
  });
  Composer composer(context, holds);
  std::vector<Piece> pieces;
  std::vector<int32_t> active;
  for (size_t i = 0; i < edges.size();) {
    int64_t instant = edges[i].instant_ns;
    for (; i < edges.size() && edges[i].instant_ns == instant; ++i) {
      if (edges[i].start) {
        active.insert(std::lower_bound(active.begin(), active.end(), edges[i].hold), edges[i].hold);
      } else {
        active.erase(std::lower_bound(active.begin(), active.end(), edges[i].hold));
      }
    }
    if (active.empty() || i == edges.size()) continue;
    Span span{instant, edges[i].instant_ns};
    const std::vector<DeviceShares>& shares = composer.compose(active);
    if (visit) visit(span, shares);
    pieces.push_back(pack(span, shares));
  }
  return pieces;
}

void add_held(const Piece& piece, int64_t length_ns, std::vector<HeldTime>* out) {
  for (const Piece::Whole& whole : piece.whole) {
    out->push_back({whole.attempt, whole.devices * length_ns});
  }
  std::vector<uint128> weights;
  std::vector<int64_t> parts;
  for (const Piece::Shared& shared : piece.shared) {
    weights.clear();
    for (const Share& share : shared.shares) weights.push_back(share.weight);
    parts.assign(weights.size(), 0);
    split_count(length_ns, std::span<const uint128>(weights), std::span<int64_t>(parts));
    for (size_t i = 0; i < parts.size(); ++i) {
      if (shared.shares[i].attempt >= 0 && parts[i] > 0) {
        out->push_back({shared.shares[i].attempt, shared.devices * parts[i]});
      }
    }
  }
}

}  // namespace tare::timeline
