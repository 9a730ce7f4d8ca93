// Files that an export makes aside and then puts in place, so that nobody ever reads half of one.
#pragma once

#include <filesystem>
#include <string>

namespace tare::cli {

[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& why);

// The path without a slash at its end, so that its last part is its name.
std::filesystem::path canonical_target(const std::filesystem::path& shown);

// The folder in which files are made, beside the target where they will stand. What an interrupted
// export left in it goes first; it is ours by its name.
std::filesystem::path fresh_folder_beside(const std::filesystem::path& target);

void sync_path(const std::filesystem::path& path);
void rename_or_fail(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace tare::cli
