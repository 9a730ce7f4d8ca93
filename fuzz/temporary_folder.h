// A folder of one fuzzing process, in memory where there is such a place.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace tare::fuzz {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    const char* const memory = "/dev/shm";
    const auto parent = std::filesystem::is_directory(memory)
                            ? std::filesystem::path(memory)
                            : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "tare-fuzz-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::string file(std::string_view name) const { return (path_ / name).string(); }
  void write(std::string_view name, std::string_view text) const {
    std::ofstream out(path_ / name, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tare::fuzz
