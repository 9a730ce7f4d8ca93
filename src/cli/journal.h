// journal/ in the project: what people decided, one JSON object a line, appended whole or not at
// all and never changed. It is kept apart from the store, which can be deleted.
#pragma once

#include <vector>

#include "measures/measures.h"
#include "store/store.h"

namespace tare::cli {

// Of journal/closed.jsonl, in its order; none where there is no such file. Throws UserError
// journal-unreadable with the line.
std::vector<measures::ClosedMonth> read_closed_months(const Project& project);

// Throws UserError input-output. The line is on disk when this returns.
void append_closed_month(const Project& project, const measures::ClosedMonth& closed);

}  // namespace tare::cli
