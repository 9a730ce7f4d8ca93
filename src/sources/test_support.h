// What the tests of tables and bills share: a folder, files in it, and what a reader throws.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include <zlib.h>

#include "base/errors.h"

namespace tare::sources {

class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tare-sources-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    std::ofstream stream(file(name), std::ios::binary | std::ios::trunc);
    stream << bytes;
    return file(name);
  }

 private:
  std::string path_;
};

// One gzip member.
inline std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

// "code file:line:column" of the UserError that `action` throws, "" where it throws none. The
// file's folder is left out.
template <typename Action>
std::string refusal_of(Action action) {
  try {
    action();
  } catch (const UserError& error) {
    Place place = error.place();
    place.file = std::filesystem::path(place.file).filename().string();
    const std::string where = to_text(place);
    return error.code() + (where.empty() ? "" : " " + where);
  }
  return "";
}

// The folder of real files that others made, or "" where it is absent.
inline std::string shared_data() {
  const char* named = std::getenv("TARE_SHARED_DATA");
  const std::string folder = named != nullptr ? named : TARE_SOURCE_DIR "/../shared/data";
  return std::filesystem::is_directory(folder) ? folder : "";
}

}  // namespace tare::sources
