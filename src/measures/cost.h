// `tare cost` and `tare waste` before they forget what stands behind their figures.
#pragma once

#include "measures/scope.h"
#include "measures/traced.h"

namespace tare::measures {

TracedDocument traced_cost(store::Store& store, const Project& project, Question question);
TracedDocument traced_waste(store::Store& store, const Project& project, Question question);

}  // namespace tare::measures
