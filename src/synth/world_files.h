// The files of a made world beside its bill: what ran, what was held, what machines and devices
// there were, what was asked and achieved, and tare.yaml that names them.
#pragma once

#include <string>
#include <vector>

#include "synth/bill.h"
#include "synth/table_file.h"

namespace tare::synth {

// Writes the record files that have rows, and adds each with its number of rows to `written`.
void write_records(const World& world, const Destination& to, Written* written);

// `totals` by month.
void write_invoices(const World& world, const std::vector<PeriodTotals>& totals,
                    const Destination& to, Written* written);

// tare.yaml of what was written.
void write_project(const World& world, const std::string& folder, const Written& written);

// Writes a whole text file. Throws UserError where it can't.
void write_text(const std::string& path, const std::string& text);

}  // namespace tare::synth
