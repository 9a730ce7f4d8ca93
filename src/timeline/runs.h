// Attempts of runs: records and holds brought together, ends found for those without one, and what
// work was thrown away.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/findings.h"
#include "timeline/facts.h"
#include "timeline/timeline.h"

namespace tare::timeline {

// A hold whose resource is known by its canonical id, before its end is known.
struct ResolvedHold {
  const HoldRow* row = nullptr;
  Word resource_id;
  std::optional<std::string> device;
  int64_t start_ns = 0;
  std::optional<int64_t> end_ns;
};

struct Ends {
  int64_t horizon_ns = 0;
  // canonical resource id -> when it was gone: inventory's `to`, else the end of its billed time
  // where that is before the horizon.
  std::unordered_map<std::string, int64_t> node_gone_ns;
};

struct Attempts {
  std::vector<Attempt> all;      // by (account, run, attempt)
  std::vector<int32_t> parents;  // index of some attempt of the parent run, or -1
  std::unordered_map<std::string, std::vector<int32_t>> by_run;    // by attempt number
  int32_t find(const std::string& run_id, int32_t attempt) const;  // -1: none
};

// `runs`: sorted by run and attempt.
Attempts make_attempts(const Project& project, std::vector<RunRow> runs,
                       const std::vector<ResolvedHold>& holds, const Ends& ends,
                       Findings* findings);

}  // namespace tare::timeline
