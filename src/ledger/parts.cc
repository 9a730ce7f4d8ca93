#include "ledger/parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace tare::ledger {
namespace {

// The models that an attempt's cost is divided over in a month, in the order of their accounts.
struct ModelShare {
  Target target;
  int64_t weight;
};
std::vector<ModelShare> model_shares(const AccountTable& accounts, int32_t index, int32_t place,
                                     int64_t instant_ns) {
  const timeline::Timeline& timeline = accounts.timeline();
  const timeline::Attempt& attempt = timeline.attempts()[static_cast<size_t>(index)];
  Target own = accounts.target_held_by(index, place);
  std::vector<ModelShare> shares;
  auto add = [&](const std::string& model, int64_t weight) {
    Target target = own;
    target.kind = "model";
    target.model = model;
    target.account =
        fmt::format("model/{}/{}/{}", timeline::account_part(model),
                    timeline::account_part(attempt.stage), timeline::account_part(attempt.run_id));
    shares.push_back({target, weight});
  };
  for (const auto& [model, weight] : attempt.model_shares) add(model, weight);
  if (attempt.shares_by_requests) {
    for (const auto& [model, count] : timeline.requests_in(month_of(instant_ns))) {
      bool served = attempt.models_served.empty() ||
                    std::find(attempt.models_served.begin(), attempt.models_served.end(), model) !=
                        attempt.models_served.end();
      if (served && count > 0) add(model, count);
    }
  }
  if (shares.empty() && attempt.model.empty() && attempt.models_served.size() > 1) {
    own.account = "shared/" + timeline::account_part(attempt.stage);  // nobody asked for any
    own.kind = "shared";
    own.model.clear();
    shares.push_back({own, 1});
  }
  std::sort(shares.begin(), shares.end(), [](const ModelShare& a, const ModelShare& b) {
    return a.target.account < b.target.account;
  });
  return shares;
}

// `held_ns` over the models; by their shares themselves, or as time of its own in the same
// proportions.
void divide(AccountTable& accounts, const LineTime& line, timeline::HeldTime held, bool as_time,
            std::vector<Part>* parts) {
  std::vector<ModelShare> shares =
      model_shares(accounts, held.attempt, line.place, line.period.start_ns);
  if (shares.empty()) {
    int64_t weight = as_time ? held.held_ns : 1;
    parts->push_back(
        {accounts.held_by(held.attempt, line.place), held.attempt, weight, held.held_ns});
    return;
  }
  std::vector<int64_t> weights, times(shares.size());
  for (const ModelShare& share : shares) weights.push_back(share.weight);
  if (held.held_ns > 0)
    split_count(held.held_ns, std::span<const int64_t>(weights), std::span<int64_t>(times));
  for (size_t i = 0; i < shares.size(); ++i) {
    int64_t weight = as_time ? times[i] : weights[i];
    if (weight > 0)
      parts->push_back({accounts.id_of(shares[i].target), held.attempt, weight, times[i]});
  }
}

void sort_by_names(const AccountTable& accounts, std::vector<Part>* parts) {
  auto key = [&](const Part& part) {
    const timeline::Attempt* attempt =
        part.attempt < 0 ? nullptr
                         : &accounts.timeline().attempts()[static_cast<size_t>(part.attempt)];
    return std::tuple(accounts.account(part.account),
                      attempt == nullptr ? std::string_view() : std::string_view(attempt->run_id),
                      attempt == nullptr ? 0 : attempt->attempt);
  };
  std::sort(parts->begin(), parts->end(),
            [&](const Part& a, const Part& b) { return key(a) < key(b); });
}

}  // namespace

bool serves_several(const timeline::Attempt& attempt) {
  return !attempt.model_shares.empty() || attempt.shares_by_requests;
}

void make_run_parts(AccountTable& accounts, const LineTime& line, int32_t attempt,
                    std::vector<Part>* parts) {
  parts->clear();
  divide(accounts, line, {attempt, line.base_ns}, false, parts);
}

void make_parts(AccountTable& accounts, const LineTime& line,
                const std::vector<timeline::HeldTime>& held, std::vector<Part>* parts) {
  parts->clear();
  int64_t held_ns = 0;
  for (const timeline::HeldTime& one : held) held_ns += std::max<int64_t>(one.held_ns, 0);
  int64_t idle_ns = line.base_ns - held_ns;
  if (held_ns == 0) idle_ns = std::max<int64_t>(idle_ns, 1);  // all of it, whatever its length
  // "idle/" comes before "model/" and "shared/", and attempts are in the order of their names: only
  // accounts that are not an attempt's own need sorting.
  if (idle_ns > 0) parts->push_back({accounts.idle(line.place), -1, idle_ns, 0});
  bool divided = false;
  for (const timeline::HeldTime& one : held) {
    if (one.held_ns <= 0) continue;
    if (serves_several(accounts.timeline().attempts()[static_cast<size_t>(one.attempt)])) {
      divide(accounts, line, one, true, parts);
      divided = true;
    } else {
      parts->push_back(
          {accounts.held_by(one.attempt, line.place), one.attempt, one.held_ns, one.held_ns});
    }
  }
  if (divided) sort_by_names(accounts, parts);
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
