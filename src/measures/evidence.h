// What `tare explain` lays out behind a figure or a name: postings, device time, runs with what
// they held, bill lines, idle, outcomes. Parts of each table sum to the figure.
#pragma once

#include <string>

#include "measures/scope.h"
#include "measures/traced.h"

namespace tare::measures {

inline constexpr int64_t kShownParts = 20;  // the largest; the rest is summed

struct Evidence {
  store::Store& store;
  const Project& project;
  Document& document;
  CostBasis basis = CostBasis::kEffective;
  bool full = false;  // all columns; else what fits a screen
};

// Postings for which `selection` (over measure_posting) holds, all of one currency: by account and
// rule, by run, by bill line, and by the rates at which these were converted.
void add_postings(const Evidence& evidence, const std::string& selection,
                  const std::string& currency);

// Device time for which `selection` (over measure_state) holds, by account and state.
void add_device_time(const Evidence& evidence, const std::string& selection,
                     const std::string& currency);

// How the idle money of the scope's months was spread, as far as it concerns a model and stage (""
// all).
void add_idle(const Evidence& evidence, const Scope& scope, const Behind& behind);

// The counts that a unit cost divides by.
void add_outcomes(const Evidence& evidence, const Months& months, const std::string& model,
                  const std::string& outcome);
void add_retrains(const Evidence& evidence, const Months& months, const std::string& model);

// The input files that the lines of a source and billing period came from.
std::string files_of(const store::Catalog& catalog, const std::string& source,
                     const std::string& period);

}  // namespace tare::measures
