#include "store/catalog.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <tuple>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/file.h>

#include "base/decimal_text.h"
#include "base/errors.h"
#include "base/hash128.h"
#include "store/disk.h"

namespace tare::store {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHint = "tare load --full-refresh";

std::string catalog_path(const std::string& store_directory) {
  return (std::filesystem::path(store_directory) / "catalog.json").string();
}

// Names of files may hold any bytes; those that JSON can't hold are replaced, and such an input is
// read again each time.
std::string dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json input_to_json(const InputFile& input) {
  Json json;
  json["source"] = input.source;
  json["kind"] = input.kind;
  json["format"] = input.format;
  json["file"] = input.file;
  json["size"] = input.size;
  json["mtime_ns"] = input.mtime_ns;
  json["ctime_ns"] = input.ctime_ns;
  json["sha256"] = input.sha256;
  json["reader_hash"] = input.reader_hash;
  json["rows_in"] = input.rows_in;
  json["rows_used"] = input.rows_used;
  json["rows_netted"] = input.rows_netted;
  json["rows_quarantined"] = input.rows_quarantined;
  json["lines_out"] = input.lines_out;
  json["sums_in"] = input.sums_in;
  json["sums_out"] = input.sums_out;
  json["periods"] = input.periods;
  json["replaced_periods"] = input.replaced_periods;
  return json;
}

InputFile input_from_json(const Json& json) {
  InputFile input;
  json.at("source").get_to(input.source);
  json.at("kind").get_to(input.kind);
  json.at("format").get_to(input.format);
  json.at("file").get_to(input.file);
  json.at("size").get_to(input.size);
  json.at("mtime_ns").get_to(input.mtime_ns);
  json.at("ctime_ns").get_to(input.ctime_ns);
  json.at("sha256").get_to(input.sha256);
  json.at("reader_hash").get_to(input.reader_hash);
  json.at("rows_in").get_to(input.rows_in);
  json.at("rows_used").get_to(input.rows_used);
  json.at("rows_netted").get_to(input.rows_netted);
  json.at("rows_quarantined").get_to(input.rows_quarantined);
  json.at("lines_out").get_to(input.lines_out);
  json.at("sums_in").get_to(input.sums_in);
  json.at("sums_out").get_to(input.sums_out);
  json.at("periods").get_to(input.periods);
  if (json.contains("replaced_periods")) json.at("replaced_periods").get_to(input.replaced_periods);
  return input;
}

Json file_to_json(const StoreFile& file) {
  Json json;
  json["name"] = file.name;
  json["kind"] = file.kind;
  json["source"] = file.source;
  json["period"] = file.period;
  json["table"] = file.table;
  json["derived_from"] = file.derived_from;
  json["span_start_ns"] = file.span_start_ns;
  json["span_end_ns"] = file.span_end_ns;
  json["rows"] = file.rows;
  return json;
}

StoreFile file_from_json(const Json& json) {
  StoreFile file;
  json.at("name").get_to(file.name);
  json.at("kind").get_to(file.kind);
  json.at("source").get_to(file.source);
  json.at("period").get_to(file.period);
  json.at("table").get_to(file.table);
  json.at("derived_from").get_to(file.derived_from);
  json.at("span_start_ns").get_to(file.span_start_ns);
  json.at("span_end_ns").get_to(file.span_end_ns);
  json.at("rows").get_to(file.rows);
  return file;
}

Json catalog_to_json(const Catalog& catalog) {
  Json json;
  json["schema_version"] = catalog.schema_version;
  json["tool_version"] = catalog.tool_version;
  json["project"] = catalog.project;
  json["policy_hash"] = catalog.policy_hash;
  json["generation"] = catalog.generation;
  json["horizon_ns"] = catalog.horizon_ns;
  json["inputs"] = Json::array();
  json["files"] = Json::array();
  std::vector<InputFile> inputs = catalog.inputs;
  std::ranges::sort(inputs, {},
                    [](const InputFile& input) { return std::tie(input.source, input.file); });
  std::vector<StoreFile> files = catalog.files;
  std::ranges::sort(files, {}, &StoreFile::name);
  for (const InputFile& input : inputs) json["inputs"].push_back(input_to_json(input));
  for (const StoreFile& file : files) json["files"].push_back(file_to_json(file));
  return json;
}

Catalog catalog_from_json(const Json& json) {
  Catalog catalog;
  json.at("schema_version").get_to(catalog.schema_version);
  json.at("tool_version").get_to(catalog.tool_version);
  json.at("project").get_to(catalog.project);
  json.at("policy_hash").get_to(catalog.policy_hash);
  json.at("generation").get_to(catalog.generation);
  json.at("horizon_ns").get_to(catalog.horizon_ns);
  for (const Json& input : json.at("inputs")) catalog.inputs.push_back(input_from_json(input));
  for (const Json& file : json.at("files")) catalog.files.push_back(file_from_json(file));
  return catalog;
}

// Over the text that the rest of the catalog would be written as: a changed digit is still JSON.
std::string checksum(const Json& without_checksum) {
  return to_text(hash128(dump(without_checksum)));
}

[[noreturn]] void fail_damaged(const std::string& path, const std::string& why) {
  throw UserError("store-damaged", "cannot read the store's catalog '" + path + "': " + why, kHint);
}

bool belongs_to_the_store(const std::string& name) {
  return name.ends_with(".duckdb") || name.ends_with(".part") || name.ends_with(".part.wal") ||
         name.ends_with(".part.tmp") || name.ends_with(".duckdb.wal");
}

}  // namespace

Catalog read_catalog(const std::string& store_directory) {
  const std::string path = catalog_path(store_directory);
  if (std::error_code error; std::filesystem::is_directory(path, error))
    fail_damaged(path, "it is a folder");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    if (std::error_code error; !std::filesystem::exists(path, error)) return {};
    fail_damaged(path, std::strerror(errno));
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  try {
    Json json = Json::parse(text);
    const int version = json.at("schema_version").get<int>();
    if (version > kSchemaVersion) {
      throw UserError("store-newer",
                      "the store '" + store_directory + "' was written by a newer tare (" +
                          json.value("tool_version", "?") + ")",
                      "use that version, or rebuild the store: " + std::string(kHint));
    }
    const std::string written = json.at("checksum").get<std::string>();
    json.erase("checksum");
    if (checksum(json) != written) fail_damaged(path, "its checksum is wrong");
    if (version < kSchemaVersion) return {};
    return catalog_from_json(json);
  } catch (const Json::exception&) {
    fail_damaged(path, "it is not the JSON that was written");
  }
}

void write_catalog(const std::string& store_directory, const Catalog& catalog) {
  Json json = catalog_to_json(catalog);
  // Read back before it is hashed: bytes that JSON replaced must hash as they will be read.
  json = Json::parse(dump(json));
  json["checksum"] = checksum(json);
  write_file_atomically(catalog_path(store_directory), dump(json));
}

void remove_unreferenced(const std::string& store_directory, const Catalog& catalog) {
  std::set<std::string> referenced;
  for (const StoreFile& file : catalog.files) referenced.insert(file.name);
  std::vector<std::filesystem::path> doomed;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(store_directory, error)) {
    const std::string name = entry.path().filename().string();
    if (belongs_to_the_store(name) && !referenced.contains(name)) doomed.push_back(entry.path());
  }
  // A file that can't be removed does no harm: the next load tries again.
  for (const auto& path : doomed) std::filesystem::remove_all(path, error);
}

namespace {

// Opens the file that a loader locks; makes it, and the store's folder, where they are missing.
int open_lock(const std::string& store_directory, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(store_directory, error);
  const auto status = std::filesystem::status(store_directory, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
    throw UserError("write-failed",
                    "'" + store_directory + "' is a file, where the store's folder must be",
                    "move it away; tare load makes the folder anew");
  }
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd >= 0) return fd;
  const int number = errno;
  if (number == EISDIR) {
    throw UserError("write-failed", "'" + path + "' is a folder, where a file must be",
                    "move it away; tare load makes the file anew");
  }
  throw UserError("write-failed", "cannot create '" + path + "': " + std::strerror(number));
}

}  // namespace

LoadLock::LoadLock(const std::string& store_directory) {
  const std::string path = (std::filesystem::path(store_directory) / "lock").string();
  fd_ = open_lock(store_directory, path);
  char buffer[32] = {};
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    const int number = errno;
    const ssize_t length = ::pread(fd_, buffer, sizeof buffer - 1, 0);
    ::close(fd_);
    if (number != EWOULDBLOCK) {
      throw UserError("write-failed", "cannot lock '" + path + "': " + std::strerror(number));
    }
    const std::string text(buffer, length > 0 ? static_cast<size_t>(length) : 0);
    const auto pid = parse_integer(text.substr(0, text.find('\n')));
    throw UserError("store-locked",
                    "another tare load " + (pid ? "(pid " + std::to_string(*pid) + ") " : "") +
                        "is writing this store",
                    "wait until it has ended; what is in the store can be read meanwhile");
  }
  // Only told to people, so a failure to write it is no failure of the load.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd_, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(fd_, pid.data(), pid.size(), 0);
  }
}

// The file stays: to remove it would let two loaders lock two files of one name.
LoadLock::~LoadLock() { ::close(fd_); }

}  // namespace tare::store
