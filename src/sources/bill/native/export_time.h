// When the rows of a Google Cloud export were exported.
#pragma once

#include <string>

namespace tare::sources {

// The newest export_time of a file's rows as a text in UTC, which sorts as the times do. Reads the
// whole file. Throws UserError missing-column where there is none, and what opening the file does.
std::string newest_export_time(const std::string& path, const std::string& shown_path);

}  // namespace tare::sources
