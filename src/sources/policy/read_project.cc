// Finding and reading tare.yaml: the only file of this folder that touches the disk.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "sources/policy/build_project.h"
#include "sources/policy/keys.h"
#include "sources/sources.h"

namespace tare::sources {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "tare.yaml";
constexpr uintmax_t kMaxFileBytes = 4 << 20;

// "." reads as "tare.yaml", so that messages can be clicked from where the user stands.
std::string shown_path(const std::string& directory) {
  return (fs::path(directory) / kFileName).lexically_normal().string();
}

std::string read_text(const std::string& directory) {
  const std::string path = (fs::path(directory) / kFileName).string();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw UserError("no-project",
                    "there is no " + std::string(kFileName) + " in '" + directory + "'",
                    "tare init writes one");
  }
  if (fs::file_size(path, error) > kMaxFileBytes) {
    throw UserError("yaml-syntax", "the file is larger than 4 MiB and no project file", "",
                    {.file = shown_path(directory), .source_line = ""});
  }
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) {
    throw UserError("file-unreadable", "can't read '" + shown_path(directory) + "'");
  }
  return text;
}

}  // namespace

std::string find_project(const std::string& start) {
  std::error_code error;
  fs::path directory = start.empty() ? fs::path(".") : fs::path(start);
  if (!fs::is_directory(directory, error)) {
    throw UserError("no-project", "there is no folder '" + directory.string() + "'");
  }
  while (!fs::is_regular_file(directory / kFileName, error)) {
    const fs::path parent = directory == "." ? fs::path("..") : directory / "..";
    if (fs::equivalent(directory, parent, error) || error) {
      throw UserError("no-project",
                      "there is no " + std::string(kFileName) + " in '" +
                          (start.empty() ? "." : start) + "' or above it",
                      "tare init writes one, -C DIR names a project elsewhere");
    }
    directory = parent;
  }
  return directory.is_absolute() ? fs::weakly_canonical(directory).string() : directory.string();
}

Project read_project(const std::string& directory) {
  const YamlFile file = YamlFile::parse(read_text(directory), shown_path(directory));
  check_keys(file);
  Project project = build_project(file);
  project.directory = directory;
  project.policy_hash = policy_hash(project);
  return project;
}

}  // namespace tare::sources
