#include "store/disk.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

#include <sys/stat.h>

#include "base/errors.h"

namespace tare::store {

namespace {

[[noreturn]] void fail(const char* what, const std::string& path) {
  const int number = errno;
  throw UserError("write-failed",
                  std::string("cannot ") + what + " '" + path + "': " + std::strerror(number));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  // The last chance of some file systems to say that a write failed.
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

}  // namespace

void sync_path(const std::string& path) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.get() < 0) fail("open", path);
  if (::fsync(descriptor.get()) != 0) fail("sync", path);
}

void replace_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail("rename to", to);
  std::string folder = std::filesystem::path(to).parent_path().string();
  sync_path(folder.empty() ? "." : folder);
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  const std::string aside = path + ".part";
  {
    Descriptor descriptor(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                                 S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH));
    if (descriptor.get() < 0) fail("create", aside);
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor.get(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write", aside);
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    if (::fsync(descriptor.get()) != 0) fail("sync", aside);
    if (descriptor.close() != 0) fail("close", aside);
  }
  replace_file(aside, path);
}

}  // namespace tare::store
