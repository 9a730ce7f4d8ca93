// What the tests of the project file, of plain files and of tare init share: a project folder of
// their own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "base/errors.h"
#include "sources/sources.h"

namespace tare::sources {

class TestProject {
 public:
  TestProject() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tare-project-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TestProject() { std::filesystem::remove_all(path_); }
  TestProject(const TestProject&) = delete;
  TestProject& operator=(const TestProject&) = delete;

  const std::string& path() const { return path_; }

  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }

  // Reads a tare.yaml that holds `text`.
  Project read(const std::string& text) const {
    write("tare.yaml", text);
    return read_project(path_);
  }
  // The same below a head with the needed keys.
  Project read_body(const std::string& body) const {
    return read("project: test\ncurrency: USD\n" + body);
  }

  // A UserError as it is printed, without the folder's name; "no error" where there is none.
  template <typename Action>
  std::string error_of(Action action) const {
    try {
      action();
    } catch (const UserError& error) {
      std::string text = to_text(error);
      for (size_t at = text.find(path_); at != std::string::npos; at = text.find(path_)) {
        text.erase(at, path_.size() + 1);
      }
      return text;
    }
    return "no error";
  }
  std::string read_error(const std::string& text) const {
    return error_of([&] { read(text); });
  }
  std::string body_error(const std::string& body) const {
    return error_of([&] { read_body(body); });
  }

 private:
  std::string path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Compares a committed file with what is printed; TARE_UPDATE_GOLDEN=1 writes it instead.
inline void expect_committed(const std::string& path, const std::string& printed) {
  if (std::getenv("TARE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << printed;
  }
  EXPECT_TRUE(read_file(path) == printed)
      << path << " differs from what is printed; TARE_UPDATE_GOLDEN=1 rewrites it";
}

}  // namespace tare::sources
