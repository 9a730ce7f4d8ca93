// What the money bought: outcomes with their uncertainty, and retrains.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "measures/interval.h"
#include "measures/scope.h"

namespace tare::measures {

inline constexpr std::string_view kPredictions = "predictions";

struct OutcomeCount {
  Money count;
  // The source's limits, summed (at least as wide as the sum's own), else Garwood's. Empty: the
  // count is an estimate without limits.
  std::optional<CountInterval> limits;
  bool preliminary = false;  // some day's labels are younger than maturity_days
};
using OutcomeCounts =
    std::map<std::pair<std::string, std::string>, OutcomeCount>;  // model, outcome

OutcomeCounts read_outcomes(store::Connection& connection, const Project& project,
                            int64_t horizon_ns, Span span);

// Finished top-level training runs by model.
std::map<std::string, int64_t> read_retrains(store::Connection& connection, const Months& months);

}  // namespace tare::measures
