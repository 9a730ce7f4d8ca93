// By which rule a bill line is posted: everything that its dim alone decides, worked out once a
// dim. Categories first, then the evidence levels (docs/ledger.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/findings.h"
#include "timeline/timeline.h"

namespace tare::ledger {

// Where one part of a line goes. attempt -1: no run.
struct Target {
  Word account;
  Word kind;  // first part of the account: "model", "idle", "tax", ...
  Word model, stage, team, pool;
  int32_t attempt = -1;
};

struct DimRule {
  // The first of these that is set decides; `whole` is the last resort and always set.
  bool by_category = false;  // `whole` at once, whatever names the resource
  bool line_run = false;     // managed_attempt_run is of the plain line's own run_id
  bool moves = false;        // the machine or its pool depends on the charge's start
  store::Rule whole_rule = store::Rule::kUnassigned;
  int32_t managed_attempt_run = -1;  // an attempt of the run whose id is the resource's
  int32_t resource = -1;             // tracked from a month on: the timeline governs
  int32_t shared = -1;               // index into the policy's shared charges, not `keep`
  std::optional<Target> fee;     // a Purchase: this where effective is 0 and billed is not (R05)
  Word tag_run;                  // run named by a run-id tag, "" none
  std::optional<Target> by_tag;  // rule 3
  Target whole;

  Word idle_pool;      // the machine's pool: of the idle part, and of those who hold it
  Word idle_team;      // whose idle time it is
  Word unknown_run;    // a run id on the line that no run has
  int32_t place = -1;  // pool and team, as AccountTable counts them
};

class Rules {
 public:
  Rules(const Project& project, const timeline::Timeline& timeline)
      : project_(project), timeline_(timeline) {}
  DimRule rule_for(const BillDim& dim, const timeline::DimTime& time) const;
  // Sets what depends on the machine and, where its pool or its name is for a time, on the
  // charge's.
  void place(const BillDim& dim, int32_t resource, Span charge, DimRule* rule) const;
  Target target_of(int32_t attempt) const;  // the run's own account
  static Target idle(const std::string& pool, const std::string& team);
  Target shared_part(const std::string& model, int32_t shared) const;

 private:
  // An account of a commitment or reservation, whose team is what `pools:` says of its id, else of
  // the pool that its line is tagged with.
  Target commitment(const char* word, const std::string& id, const BillDim& dim) const;
  bool category_rule(const BillDim& dim, DimRule* rule) const;
  void run_rules(const BillDim& dim, const timeline::Tags& tags, DimRule* rule) const;
  std::optional<Target> tag_rule(const timeline::Tags& tags) const;
  int32_t shared_rule(const BillDim& dim) const;
  Target model_target(const std::string& model, const std::string& stage,
                      const std::string& team) const;

  const Project& project_;
  const timeline::Timeline& timeline_;
};

}  // namespace tare::ledger
