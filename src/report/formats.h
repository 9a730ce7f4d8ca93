// The formats behind the door, one file each.
#pragma once

#include <string>
#include <string_view>

#include "base/table.h"
#include "report/report.h"

namespace tare {

void write_text(std::string& out, const Document& document, const Style& style);
void write_json(std::string& out, const Document& document);
void write_csv(std::string& out, const Document& document, const Style& style);
void write_markdown(std::string& out, const Document& document, const Style& style);

std::string row_id(const Table& table, const Row& row);  // "2026-08/models/reco/training"

}  // namespace tare
