#include "ledger/parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace tare::ledger {
namespace {

// A run that serves several models: its time goes to each model's account of the same stage and
// run.
void divide(const Rules& rules, const timeline::Timeline& timeline, const LineTime& line,
            const timeline::HeldTime& held, std::vector<Part>* parts) {
  const timeline::Attempt& attempt = timeline.attempts()[static_cast<size_t>(held.attempt)];
  Target target = rules.target_of(held.attempt);
  std::vector<std::pair<std::string, int64_t>> shares = attempt.model_shares;
  if (attempt.shares_by_requests) {
    for (const auto& [model, count] : timeline.requests_in(month_of(line.period.start_ns))) {
      bool served = attempt.models_served.empty() ||
                    std::find(attempt.models_served.begin(), attempt.models_served.end(), model) !=
                        attempt.models_served.end();
      if (served && count > 0) shares.emplace_back(model, count);
    }
  }
  if (shares.empty()) {
    if (attempt.shares_by_requests) {  // nobody asked: nothing tells whose it is
      target.account = "shared/" + timeline::account_part(attempt.stage);
      target.kind = "shared";
      target.model.clear();
    }
    parts->push_back({target, held.held_ns, held.held_ns});
    return;
  }
  std::vector<int64_t> weights, times(shares.size());
  for (const auto& [model, weight] : shares) weights.push_back(weight);
  split_count(held.held_ns, std::span<const int64_t>(weights), std::span<int64_t>(times));
  for (size_t i = 0; i < shares.size(); ++i) {
    if (times[i] == 0) continue;
    target.model = shares[i].first;
    target.kind = "model";
    target.account =
        fmt::format("model/{}/{}/{}", timeline::account_part(shares[i].first),
                    timeline::account_part(attempt.stage), timeline::account_part(attempt.run_id));
    parts->push_back({target, times[i], times[i]});
  }
}

}  // namespace

std::vector<Part> make_parts(const Rules& rules, const timeline::Timeline& timeline,
                             const DimRule& rule, const LineTime& line,
                             const std::vector<timeline::HeldTime>& held) {
  std::vector<Part> parts;
  int64_t held_ns = 0;
  for (const timeline::HeldTime& one : held) {
    if (one.held_ns <= 0) continue;
    held_ns += one.held_ns;
    divide(rules, timeline, line, one, &parts);
  }
  int64_t idle_ns = line.base_ns - held_ns;
  if (parts.empty()) idle_ns = std::max<int64_t>(idle_ns, 1);  // all of it, whatever its length
  if (idle_ns > 0) parts.push_back({rules.idle(rule), idle_ns, 0});
  for (Part& part : parts) part.target.pool = rule.idle_pool;
  auto key = [&](const Part& part) {
    const timeline::Attempt* attempt =
        part.target.attempt < 0 ? nullptr
                                : &timeline.attempts()[static_cast<size_t>(part.target.attempt)];
    return std::tuple(std::string_view(part.target.account),
                      attempt == nullptr ? std::string_view() : std::string_view(attempt->run_id),
                      attempt == nullptr ? 0 : attempt->attempt);
  };
  bool sorted = std::is_sorted(parts.begin(), parts.end(),
                               [&](const Part& a, const Part& b) { return key(a) < key(b); });
  if (!sorted) {
    std::sort(parts.begin(), parts.end(),
              [&](const Part& a, const Part& b) { return key(a) < key(b); });
  }
  return parts;
}

std::vector<timeline::HeldTime> held_by_run(const timeline::Timeline& timeline,
                                            const std::string& run_id, Span period,
                                            int64_t devices) {
  std::vector<timeline::HeldTime> held;
  auto indexes = timeline.attempts_of_run(run_id);
  std::vector<Span> taken;  // by later attempts
  for (auto at = indexes.rbegin(); at != indexes.rend(); ++at) {
    const timeline::Attempt& attempt = timeline.attempts()[static_cast<size_t>(*at)];
    if (period.empty()) {  // who held it at that instant, over an hour
      if (!Span{attempt.start_ns, attempt.end_ns}.contains(period.start_ns)) continue;
      held.push_back({*at, devices * kNsPerHour});
      break;
    }
    Span span = intersect({attempt.start_ns, attempt.end_ns}, period);
    if (span.empty()) continue;
    std::vector<Span> left = {span};
    for (const Span& other : taken) {
      std::vector<Span> next;
      for (const Span& piece : left) {
        Span before{piece.start_ns, std::min(piece.end_ns, other.start_ns)};
        Span after{std::max(piece.start_ns, other.end_ns), piece.end_ns};
        if (!before.empty()) next.push_back(before);
        if (!after.empty()) next.push_back(after);
      }
      left = std::move(next);
    }
    int64_t ns = 0;
    for (const Span& piece : left) ns += piece.length_ns();
    taken.push_back(span);
    if (ns > 0) held.push_back({*at, ns * devices});
  }
  std::sort(held.begin(), held.end(),
            [](const auto& a, const auto& b) { return a.attempt < b.attempt; });
  return held;
}

}  // namespace tare::ledger
