// Files put on disk so that a crash leaves the old or the new, never half. Failures of the disk are
// the user's: UserError with the file's name and the system's reason.
#pragma once

#include <string>
#include <string_view>

namespace tare::store {

// fsync of a file or a folder.
void sync_path(const std::string& path);
// rename, then fsync of the folder, so that the new name itself survives.
void replace_file(const std::string& from, const std::string& to);
// Writes aside, fsyncs and replaces.
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace tare::store
