#include "timeline/devices.h"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace tare::timeline {
namespace {

constexpr int64_t kStep = 1'000'000;  // ns of one tick of the slow oracle

std::vector<Attempt> make_attempts(int runs, int attempts_each) {
  std::vector<Attempt> attempts;
  for (int run = 0; run < runs; ++run) {
    for (int number = 0; number < attempts_each; ++number) {
      Attempt attempt;
      attempt.run_id = "run" + std::to_string(run);
      attempt.attempt = number;
      attempt.account = "model/m/training/" + attempt.run_id;
      attempts.push_back(attempt);
    }
  }
  return attempts;
}

DeviceSet indexed(int devices) {
  DeviceSet set;
  for (int i = 0; i < devices; ++i) set.names.push_back(std::to_string(i));
  return set;
}

CanonicalHold hold(int32_t attempt, int64_t start, int64_t end) {
  CanonicalHold made;
  made.attempt = attempt;
  made.span = {start * kStep, end * kStep};
  return made;
}

// What each attempt holds in all, as exact fractions of ticks: tick by tick, device by device, by
// the rules for indexed and whole holds only.
std::map<int32_t, double> slow_held(const std::vector<CanonicalHold>& holds,
                                    const std::vector<Attempt>& attempts, int devices,
                                    int64_t ticks) {
  std::map<int32_t, double> held;
  for (int64_t tick = 0; tick < ticks; ++tick) {
    for (int device = 0; device < devices; ++device) {
      std::map<int32_t, double> declared;
      std::set<int32_t> bare;
      std::map<std::string, int32_t> latest;
      auto on_device = [&](const CanonicalHold& one) {
        return one.span.contains(tick * kStep) &&
               (!one.device || *one.device == std::to_string(device));
      };
      for (const CanonicalHold& one : holds) {
        if (!on_device(one)) continue;
        const Attempt& attempt = attempts[static_cast<size_t>(one.attempt)];
        auto entry = latest.try_emplace(attempt.run_id, attempt.attempt).first;
        entry->second = std::max(entry->second, attempt.attempt);
      }
      for (const CanonicalHold& one : holds) {
        const Attempt& attempt = attempts[static_cast<size_t>(one.attempt)];
        if (!on_device(one) || attempt.attempt < latest[attempt.run_id]) continue;
        if (one.weight) {
          double& sum = declared[one.attempt];
          sum = std::min(1.0, sum + static_cast<double>(one.weight->num) /
                                        static_cast<double>(one.weight->den));
        } else {
          bare.insert(one.attempt);
        }
      }
      double total = 0;
      for (const auto& [attempt, weight] : declared) total += weight;
      double scale = total > 1 ? 1 / total : 1;
      for (const auto& [attempt, weight] : declared) held[attempt] += weight * scale;
      double left = std::max(0.0, 1 - total);
      for (int32_t attempt : bare) held[attempt] += left / static_cast<double>(bare.size());
    }
  }
  return held;
}

TEST(Devices, AgreeWithTheSlowOracleOnRandomHolds) {
  std::mt19937 random(20260801);
  const std::vector<Fraction> weights = {{1, 7}, {1, 2}, {1, 3}, {3, 4}, {1, 1}, {1, 1'000'000}};
  for (int world = 0; world < 400; ++world) {
    auto pick = [&](int below) {
      return static_cast<int>(random() % static_cast<unsigned>(below));
    };
    int devices = 1 + pick(4);
    std::vector<Attempt> attempts = make_attempts(4, 2);
    std::vector<int32_t> parents(attempts.size(), -1);
    std::vector<CanonicalHold> holds;
    for (int i = 0, count = 1 + pick(8); i < count; ++i) {
      int start = pick(20);
      CanonicalHold one = hold(pick(8), start, start + 1 + pick(10));
      if (pick(2) == 0) one.device = std::to_string(pick(devices));
      if (pick(2) == 0) one.weight = weights[static_cast<size_t>(pick(6))];
      holds.push_back(one);
    }
    DeviceSet set = indexed(devices);
    std::string id = "node";
    PieceContext context{&id, &set, {}, &attempts, &parents, nullptr};
    std::map<int32_t, int64_t> held;
    size_t pieces = 0;
    for (const Piece& piece : make_pieces(context, holds, nullptr)) {
      std::vector<HeldTime> parts;
      add_held(piece, piece.span.length_ns(), &parts);
      int64_t sum = 0;
      for (const HeldTime& part : parts) {
        held[part.attempt] += part.held_ns;
        sum += part.held_ns;
      }
      EXPECT_LE(sum, devices * piece.span.length_ns());
      ++pieces;
    }
    auto wanted = slow_held(holds, attempts, devices, 40);
    double tolerance = static_cast<double>(pieces * static_cast<size_t>(devices)) + 1;
    for (const auto& [attempt, ticks] : wanted) {
      EXPECT_NEAR(static_cast<double>(held[attempt]), ticks * static_cast<double>(kStep), tolerance)
          << "world " << world << " attempt " << attempt;
    }
    for (const auto& [attempt, ns] : held) EXPECT_TRUE(ns == 0 || wanted.contains(attempt));
  }
}

struct Case {
  std::vector<Attempt> attempts = make_attempts(6, 1);
  std::vector<int32_t> parents = std::vector<int32_t>(6, -1);
  std::string id = "node";
  Findings findings;

  std::vector<HeldTime> held(const DeviceSet& set, const std::vector<CanonicalHold>& holds,
                             std::optional<Fraction> cpus = {}) {
    PieceContext context{&id, &set, cpus, &attempts, &parents, &findings};
    std::vector<HeldTime> all;
    for (const Piece& piece : make_pieces(context, holds, nullptr))
      add_held(piece, piece.span.length_ns(), &all);
    return all;
  }
};

TEST(Devices, CountsTakeWhatNoIndexedHoldHas) {
  Case world;
  CanonicalHold a = hold(0, 0, 1), b = hold(1, 0, 1);
  a.device = "0";
  b.count = 2;
  auto held = world.held(indexed(4), {a, b});
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0].held_ns, kStep);
  EXPECT_EQ(held[1].held_ns, 2 * kStep);
}

TEST(Devices, CountsBeyondTheDevicesShareInProportion) {
  Case world;
  CanonicalHold a = hold(0, 0, 1), b = hold(1, 0, 1);
  a.count = 3;
  b.count = 1;
  auto held = world.held(indexed(2), {a, b});
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0].held_ns, kStep * 3 / 2);
  EXPECT_EQ(held[1].held_ns, kStep / 2);
  EXPECT_EQ(world.findings.rows_of("held-beyond-devices"), 2);
}

TEST(Devices, FourQuartersOfOneDeviceAreOneDevice) {
  Case world;
  std::vector<CanonicalHold> holds;
  for (int32_t i = 0; i < 4; ++i) {
    holds.push_back(hold(i, 0, 1));
    holds.back().count = 1;
    holds.back().weight = Fraction{1, 4};
  }
  DeviceSet set = device_set("node", {}, holds, nullptr);
  EXPECT_EQ(set.names.size(), 1U);
  auto held = world.held(set, holds);
  ASSERT_EQ(held.size(), 4U);
  for (const HeldTime& one : held) EXPECT_EQ(one.held_ns, kStep / 4);
}

TEST(Devices, AParentHoldsNothingBesideItsChild) {
  Case world;
  world.parents[1] = 0;
  auto held = world.held(indexed(1), {hold(0, 0, 3), hold(1, 1, 2)});
  ASSERT_EQ(held.size(), 3U);
  EXPECT_EQ(held[1].attempt, 1);
  EXPECT_EQ(held[1].held_ns, kStep);
}

TEST(Devices, CpusAreAFractionOfTheNode) {
  Case world;
  CanonicalHold a = hold(0, 0, 1), b = hold(1, 0, 1);
  a.cpus = Fraction{2, 1};
  b.cpus = Fraction{1, 2};
  DeviceSet set = device_set("node", {}, {a, b}, nullptr);
  EXPECT_EQ(set.device_class, store::DeviceClass::kNode);
  auto held = world.held(set, {a, b}, Fraction{8, 1});
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0].held_ns, kStep / 4);
  EXPECT_EQ(held[1].held_ns, kStep / 16);
  // One unknown request: all share equally.
  b.cpus.reset();
  held = world.held(set, {a, b}, Fraction{8, 1});
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0].held_ns, kStep / 2);
  EXPECT_EQ(held[1].held_ns, kStep / 2);
}

TEST(Devices, TheSchemeWithMoreNamesCounts) {
  Findings findings;
  CanonicalHold a = hold(0, 0, 1), b = hold(1, 0, 1), c = hold(2, 0, 1);
  a.device = "GPU-aaaa";
  b.device = "GPU-bbbb";
  c.device = "0";
  DeviceSet set = device_set("node", {.sku = 4, .inventory = {}, .seen = {}}, {a, b, c}, &findings);
  EXPECT_EQ(set.names.size(), 4U);
  EXPECT_GE(set.index_of("GPU-bbbb"), 0);
  EXPECT_EQ(set.index_of("0"), -1);
  EXPECT_EQ(findings.rows_of("device-names-mixed"), 1);
}

TEST(Devices, OverOneIsNormalisedAndFound) {
  Case world;
  CanonicalHold a = hold(0, 0, 1), b = hold(1, 0, 1), c = hold(2, 0, 1);
  a.weight = Fraction{3, 4};
  b.weight = Fraction{3, 4};
  auto held = world.held(indexed(1), {a, b, c});
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0].held_ns, kStep / 2);
  EXPECT_EQ(held[1].held_ns, kStep / 2);
  EXPECT_EQ(world.findings.rows_of("weight-over-one"), 3);
}

}  // namespace
}  // namespace tare::timeline
