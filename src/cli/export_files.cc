#include "cli/export_files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "base/errors.h"

namespace tare::cli {

namespace fs = std::filesystem;

void fail_to_write(const fs::path& path, const std::string& why) {
  throw UserError("export-not-written", "'" + path.string() + "' can't be written: " + why);
}

fs::path canonical_target(const fs::path& shown) {
  fs::path target = fs::weakly_canonical(fs::absolute(shown));
  return target.has_filename() ? target : target.parent_path();
}

fs::path fresh_folder_beside(const fs::path& target) {
  const fs::path aside = target.parent_path() / ("." + target.filename().string() + ".tare-part");
  std::error_code error;
  fs::remove_all(aside, error);
  if (!fs::create_directories(aside, error)) fail_to_write(aside, error.message());
  return aside;
}

void sync_path(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail_to_write(path, std::strerror(errno));
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  if (error != 0) fail_to_write(path, std::strerror(error));
}

void rename_or_fail(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail_to_write(to, std::strerror(errno));
}

}  // namespace tare::cli
