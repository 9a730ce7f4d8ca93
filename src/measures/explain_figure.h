// A figure's way back: its table is made again, the cell found by its id, and what stands behind
// the cell laid out.
#pragma once

#include <string>

#include "measures/measures.h"

namespace tare::measures {

// "2026-08/...", "2026-06..2026-08@list/...": the front of a table id of ours.
bool looks_like_figure(const std::string& text);

// Throws UserError figure-unknown with the nearest id.
void explain_figure(store::Store& store, const Project& project, const Question& question,
                    const std::string& id, Document* document);

}  // namespace tare::measures
