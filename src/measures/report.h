// The report before it forgets what stands behind its figures; and notes that other answers share.
#pragma once

#include <string>
#include <vector>

#include "measures/scope.h"
#include "measures/traced.h"

namespace tare::measures {

// `runs`: with the table that has a row a run, if the question is for all tables.
TracedDocument traced_report(store::Store& store, const Project& project, const Question& question,
                             bool runs);

// Says that the period has nothing, and which month is the newest with lines. Leaves the relations
// as they were: the basis stays the scope's.
std::string no_lines_note(store::Store& store, const Project& project, const Scope& scope);

// Other currencies, and sources with a basis of their own.
std::vector<std::string> scope_notes(store::Store& store, const Scope& scope,
                                     const std::vector<std::string>& currencies);

}  // namespace tare::measures
