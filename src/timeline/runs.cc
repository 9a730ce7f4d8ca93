#include "timeline/runs.h"

#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>

#include "base/glob.h"

namespace tare::timeline {
namespace {

constexpr std::string_view kEndpointPrefix = "endpoint/";

struct Draft {
  Attempt attempt;
  std::optional<int64_t> record_end_ns;
  std::set<std::string> models;  // that replicas name
  std::vector<const ResolvedHold*> holds;
};
// All attempts of one run, by attempt number.
using Drafts = std::vector<Draft>;

bool better_record(const RunRow& a, const RunRow& b) {
  // A record with an end knows more than one without; then the later end, the later checkpoint, and
  // the later in order.
  auto known = [](const RunRow& run) {
    return std::pair(run.end_ns.value_or(INT64_MIN), run.last_checkpoint_ns.value_or(INT64_MIN));
  };
  return known(a) >= known(b);
}

bool same_record(const RunRow& a, const RunRow& b) {
  return a.start_ns == b.start_ns && a.end_ns == b.end_ns && a.model == b.model &&
         a.stage == b.stage && a.state == b.state;
}

void note(Findings* findings, std::string_view code, const std::string& run_id,
          const std::string& source, std::string_view text) {
  findings->add({.code = code,
                 .source = source,
                 .subject = run_id,
                 .cost = {},
                 .currency = "",
                 .place = run_id,
                 .text = text});
}

void draft_from_record(RunRow* run, Draft* draft) {
  Attempt& attempt = draft->attempt;
  attempt.run_id = std::move(run->run_id);
  attempt.attempt = run->attempt;
  attempt.parent_run_id = std::move(run->parent_run_id);
  attempt.model = run->model;
  attempt.stage = run->stage;
  attempt.team = run->team;
  attempt.state = run->state;
  attempt.source = run->source;
  attempt.exit_reason = run->exit_reason;
  attempt.name = std::move(run->name);
  attempt.experiment = run->experiment;
  attempt.cost_center = run->cost_center;
  attempt.start_ns = run->start_ns;
  attempt.last_checkpoint_ns = run->last_checkpoint_ns;
  attempt.has_record = true;
  draft->record_end_ns = run->end_ns;
}

// The records of one run, sorted by attempt; of several of one attempt the better one counts.
void draft_records(std::span<RunRow> runs, Drafts* drafts, Findings* findings) {
  for (size_t i = 0; i < runs.size();) {
    size_t best = i, end = i + 1;
    for (; end < runs.size() && runs[end].attempt == runs[i].attempt; ++end) {
      note(findings, "duplicate-run", runs[end].run_id, runs[end].source,
           same_record(runs[end], runs[best]) ? "the same record again" : "records differ");
      if (better_record(runs[end], runs[best])) best = end;
    }
    draft_from_record(&runs[best], &drafts->emplace_back());
    i = end;
  }
}

// A draft for an attempt that only holds name, in its place by attempt number.
Draft* draft_without_record(const ResolvedHold& hold, Drafts* drafts, Findings* findings) {
  Draft draft;
  Attempt& attempt = draft.attempt;
  attempt.run_id = hold.row->run_id;
  attempt.attempt = hold.row->attempt;
  attempt.start_ns = hold.start_ns;
  attempt.source = hold.row->source;
  auto other = std::find_if(drafts->begin(), drafts->end(),
                            [](const Draft& known) { return known.attempt.has_record; });
  if (other != drafts->end()) {
    attempt.model = other->attempt.model;
    attempt.stage = other->attempt.stage;
    attempt.team = other->attempt.team;
    attempt.parent_run_id = other->attempt.parent_run_id;
  } else if (attempt.run_id.starts_with(kEndpointPrefix)) {
    attempt.stage = "serving";
    attempt.state = "running";
  } else {
    note(findings, "hold-without-run", attempt.run_id, hold.row->source, hold.row->resource_id);
  }
  auto at = std::find_if(drafts->begin(), drafts->end(), [&](const Draft& known) {
    return known.attempt.attempt > attempt.attempt;
  });
  return &*drafts->insert(at, std::move(draft));
}

void draft_from_hold(const ResolvedHold& hold, Drafts* drafts, Findings* findings) {
  auto known = std::find_if(drafts->begin(), drafts->end(), [&](const Draft& draft) {
    return draft.attempt.attempt == hold.row->attempt;
  });
  Draft* draft = known != drafts->end() ? &*known : draft_without_record(hold, drafts, findings);
  Attempt& attempt = draft->attempt;
  if (!attempt.has_record) attempt.start_ns = std::min(attempt.start_ns, hold.start_ns);
  if (!hold.row->model.empty()) draft->models.insert(hold.row->model);
  draft->holds.push_back(&hold);
}

void find_end(Draft* draft, const Ends& ends, std::optional<int64_t> next_attempt_ns,
              Findings* findings) {
  Attempt& attempt = draft->attempt;
  if (draft->record_end_ns) {
    attempt.end_ns = *draft->record_end_ns;
    attempt.end_known_by = "record";
    return;
  }
  int64_t end = kNoEnd;
  auto consider = [&](int64_t instant, const char* by) {
    if (instant >= attempt.start_ns && instant < end) {
      end = instant;
      attempt.end_known_by = by;
    }
  };
  bool all_end = !draft->holds.empty();
  int64_t last = INT64_MIN;
  for (const ResolvedHold* hold : draft->holds) {
    all_end = all_end && hold->row->end_ns.has_value();
    if (hold->row->end_ns) last = std::max(last, *hold->row->end_ns);
  }
  bool endpoint = attempt.run_id.starts_with(kEndpointPrefix);
  if (all_end) consider(last, "hold");
  if (next_attempt_ns) consider(*next_attempt_ns, "next attempt");
  for (const ResolvedHold* hold : draft->holds) {
    // An endpoint outlives each of its machines; a job does not.
    if (hold->row->end_ns || endpoint) continue;
    auto gone = ends.node_gone_ns.find(hold->resource_id);
    if (gone != ends.node_gone_ns.end()) consider(gone->second, "node gone");
  }
  if (end == kNoEnd) {
    end = std::max(ends.horizon_ns, attempt.start_ns);
    attempt.end_known_by = "horizon";
    if (!endpoint) note(findings, "run-without-end", attempt.run_id, attempt.source, attempt.state);
  }
  attempt.end_ns = end;
}

void find_lost(Attempt* attempt, Findings* findings) {
  // What a serving replica answered before it died was delivered, not thrown away.
  if (attempt->stage == "serving") return;
  bool failed =
      attempt->state == "failed" || attempt->state == "preempted" || attempt->state == "lost";
  bool cancelled = attempt->state == "cancelled" && attempt->last_checkpoint_ns.has_value();
  if (!failed && !cancelled) return;
  if (attempt->last_checkpoint_ns) {
    attempt->lost_from_ns = *attempt->last_checkpoint_ns;
    return;
  }
  attempt->lost_from_ns = attempt->start_ns;
  attempt->lost_assumed = true;
  note(findings, "checkpoint-assumed-lost", attempt->run_id, attempt->source, attempt->state);
}

void name_account(const Project& project, Draft* draft, Findings* findings) {
  Attempt& attempt = draft->attempt;
  if (attempt.stage == "-") attempt.stage.clear();
  for (const ShareRule& rule : project.shares) {
    if (!glob_matches(rule.run, attempt.run_id)) continue;
    attempt.model_shares = whole_shares(rule.declared);
    attempt.shares_by_requests = rule.declared.empty();
    attempt.models_served.assign(draft->models.begin(), draft->models.end());
    break;
  }
  bool shared = attempt.model_shares.empty() && !attempt.shares_by_requests;
  if (attempt.model.empty() && draft->models.size() == 1) attempt.model = *draft->models.begin();
  if (shared && attempt.model.empty() && draft->models.size() > 1) {
    attempt.account = "shared/" + account_part(attempt.stage);
    return;
  }
  if (attempt.model.empty() && draft->models.empty() && attempt.has_record) {
    note(findings, "run-without-model", attempt.run_id, attempt.source, attempt.name);
  }
  attempt.account =
      fmt::format("model/{}/{}/{}", attempt.model.empty() ? "unnamed" : account_part(attempt.model),
                  account_part(attempt.stage), account_part(attempt.run_id));
  if (!attempt.team.empty()) return;
  for (const ModelPolicy& model : project.models) {
    if (model.name == attempt.model) attempt.team = model.team;
  }
}

void link_parents(Attempts* attempts, Findings* findings) {
  attempts->parents.assign(attempts->all.size(), -1);
  for (size_t i = 0; i < attempts->all.size(); ++i) {
    const Attempt& attempt = attempts->all[i];
    if (attempt.parent_run_id.empty()) continue;
    auto parent = attempts->by_run.find(attempt.parent_run_id);
    if (parent == attempts->by_run.end()) {
      note(findings, "parent-run-unknown", attempt.run_id, attempt.source, attempt.parent_run_id);
    } else if (attempt.parent_run_id != attempt.run_id) {
      attempts->parents[i] = parent->second.front();
    }
  }
}

// Parents that lead back to the run are none.
void drop_loops(Attempts* attempts, Findings* findings) {
  std::vector<int32_t> parents = attempts->parents;
  for (size_t i = 0; i < parents.size(); ++i) {
    const Attempt& attempt = attempts->all[i];
    std::set<int32_t> seen;
    for (int32_t at = parents[i]; at >= 0 && seen.insert(at).second;
         at = parents[static_cast<size_t>(at)]) {
      if (attempts->all[static_cast<size_t>(at)].run_id != attempt.run_id) continue;
      attempts->parents[i] = -1;
      note(findings, "parent-loop", attempt.run_id, attempt.source, attempt.parent_run_id);
      break;
    }
  }
}

}  // namespace

std::string account_part(std::string_view text) {
  if (text.empty()) return "-";
  std::string part;
  for (char c : text) {
    if (c == '/') {
      part += "%2F";
    } else if (c == '%') {
      part += "%25";
    } else {
      part += c;
    }
  }
  return part;
}

std::vector<std::pair<std::string, int64_t>> whole_shares(
    const std::map<std::string, std::string>& declared) {
  std::vector<std::pair<std::string, int64_t>> shares;
  int128 common = 1;
  for (const auto& [model, text] : declared) {
    int64_t den = parse_fraction(text).value_or(Fraction{1, 1}).den;
    int128 x = common, y = den;
    while (y != 0) std::swap(x %= y, y);
    common *= den / x;
    TARE_ASSERT(common < (static_cast<int128>(1) << 62),
                "declared shares have a common denominator in 62 bits");
  }
  for (const auto& [model, text] : declared) {
    Fraction part = parse_fraction(text).value_or(Fraction{0, 1});
    shares.emplace_back(model, static_cast<int64_t>(common / part.den * part.num));
  }
  return shares;
}

int32_t Attempts::find(const std::string& run_id, int32_t attempt) const {
  auto found = by_run.find(run_id);
  if (found == by_run.end()) return -1;
  for (int32_t index : found->second) {
    if (all[static_cast<size_t>(index)].attempt == attempt) return index;
  }
  return -1;
}

Attempts make_attempts(const Project& project, std::vector<RunRow> runs,
                       const std::vector<ResolvedHold>& holds, const Ends& ends,
                       Findings* findings) {
  std::vector<const ResolvedHold*> by_run;
  by_run.reserve(holds.size());
  for (const ResolvedHold& hold : holds) by_run.push_back(&hold);
  std::stable_sort(by_run.begin(), by_run.end(), [](const ResolvedHold* a, const ResolvedHold* b) {
    return a->row->run_id < b->row->run_id;
  });
  Attempts attempts;
  attempts.all.reserve(runs.size());
  auto run = runs.begin();
  auto hold = by_run.begin();
  while (run != runs.end() || hold != by_run.end()) {
    bool by_record =
        run != runs.end() && (hold == by_run.end() || run->run_id <= (*hold)->row->run_id);
    const std::string run_id = by_record ? run->run_id : (*hold)->row->run_id;
    Drafts drafts;
    auto first = run;
    while (run != runs.end() && run->run_id == run_id) ++run;
    draft_records({first, run}, &drafts, findings);
    for (; hold != by_run.end() && (*hold)->row->run_id == run_id; ++hold)
      draft_from_hold(**hold, &drafts, findings);
    for (size_t i = 0; i < drafts.size(); ++i) {
      std::optional<int64_t> next_attempt_ns;
      if (i + 1 < drafts.size()) next_attempt_ns = drafts[i + 1].attempt.start_ns;
      find_end(&drafts[i], ends, next_attempt_ns, findings);
      find_lost(&drafts[i].attempt, findings);
      name_account(project, &drafts[i], findings);
      attempts.all.push_back(std::move(drafts[i].attempt));
    }
  }
  std::sort(attempts.all.begin(), attempts.all.end(), [](const Attempt& a, const Attempt& b) {
    return std::tie(a.account, a.run_id, a.attempt) < std::tie(b.account, b.run_id, b.attempt);
  });
  for (size_t i = 0; i < attempts.all.size(); ++i) {
    attempts.by_run[attempts.all[i].run_id].push_back(static_cast<int32_t>(i));
  }
  for (auto& [run_id, indexes] : attempts.by_run) {
    std::sort(indexes.begin(), indexes.end(), [&](int32_t a, int32_t b) {
      return attempts.all[static_cast<size_t>(a)].attempt <
             attempts.all[static_cast<size_t>(b)].attempt;
    });
  }
  link_parents(&attempts, findings);
  drop_loops(&attempts, findings);
  return attempts;
}

}  // namespace tare::timeline
