// What this folder's tests share: a folder of their own, and children of this test program that may
// be killed.
#pragma once

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/errors.h"
#include "store/store.h"

namespace tare::store {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tare-store-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string read_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << bytes;
}

// The code of the UserError that `action` throws, or "".
template <typename Action>
std::string error_code_of(Action action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.code();
  }
  return "";
}

// This program again, running only `test` with TARE_TEST_STEP and TARE_TEST_FOLDER set. A fork
// alone would inherit the locks of DuckDB's threads. Killed with its owner's scope.
class Child {
 public:
  Child(const std::string& test, const std::string& step, const std::string& folder) {
    pid_ = fork();
    if (pid_ != 0) return;
    setenv("TARE_TEST_STEP", step.c_str(), 1);
    setenv("TARE_TEST_FOLDER", folder.c_str(), 1);
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    const std::string filter = "--gtest_filter=" + test;
    execl("/proc/self/exe", "tare_store_test", filter.c_str(), nullptr);
    _exit(127);
  }
  ~Child() {
    if (pid_ > 0) kill_and_wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  int wait() {  // the status of waitpid
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }
  int kill_and_wait() {
    kill(pid_, SIGKILL);
    return wait();
  }

 private:
  pid_t pid_ = 0;
};

inline std::string child_step() {
  const char* step = std::getenv("TARE_TEST_STEP");
  return step != nullptr ? step : "";
}
inline std::string child_folder() { return std::getenv("TARE_TEST_FOLDER"); }

}  // namespace tare::store
