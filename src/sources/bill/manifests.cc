#include "sources/bill/manifests.h"

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/instant.h"
#include "sources/csv_layout.h"

namespace tare::sources {
namespace {

using ManifestJson = nlohmann::json;

std::string text_of(const ManifestJson& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// The folder of a path that begins so: Data Exports writes BILLING_PERIOD=2026-08 and, under it, a
// folder for each execution whose name begins with its time.
std::string part_starting(const std::string& path, const std::string& begin) {
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    if (part.string().starts_with(begin)) return part.string();
  }
  return "";
}

// {"reportName":…,"billingPeriod":{"start":"20260801T000000.000Z"},"reportKeys":[…]}
void read_legacy_cur(const ManifestJson& json, Manifest& manifest) {
  const ManifestJson period = json.value("billingPeriod", ManifestJson::object());
  manifest.scope =
      "aws " + text_of(json, "reportName") + " " + text_of(period, "start").substr(0, 6);
  for (const ManifestJson& key : json.at("reportKeys")) {
    if (key.is_string()) manifest.files.push_back({key.get<std::string>(), std::nullopt});
  }
}

// {"exportName":…,"executionId":…,"dataFiles":["s3://…"]}
void read_data_export(const ManifestJson& json, Manifest& manifest) {
  std::string period = part_starting(manifest.path, "BILLING_PERIOD=");
  for (const ManifestJson& file : json.at("dataFiles")) {
    std::string key = file.is_string() ? file.get<std::string>() : text_of(file, "key");
    if (period.empty()) period = part_starting(key, "BILLING_PERIOD=");
    if (!key.empty()) manifest.files.push_back({std::move(key), std::nullopt});
  }
  manifest.scope = "aws " + text_of(json, "exportName") + " " + period;
  manifest.moment = text_of(json, "executionId");
  if (manifest.moment.empty()) {
    const std::string folder = std::filesystem::path(manifest.path).parent_path().filename();
    if (folder.starts_with("20")) manifest.moment = folder;
  }
}

// {"exportConfig":{"exportName":…},"runInfo":{"submittedTime":…,"startDate":…},
//  "blobs":[{"blobName":…,"dataRowCount":…}]}
void read_azure(const ManifestJson& json, Manifest& manifest) {
  const ManifestJson config = json.value("exportConfig", ManifestJson::object());
  const ManifestJson run = json.value("runInfo", ManifestJson::object());
  manifest.scope = "azure " + text_of(config, "exportName") + " " + text_of(config, "type") + " " +
                   text_of(run, "startDate").substr(0, 7);
  const InstantResult submitted = parse_instant(text_of(run, "submittedTime"));
  if (submitted.ok) manifest.moment = to_text(submitted.ns);
  for (const ManifestJson& blob : json.at("blobs")) {
    Manifest::File file{text_of(blob, "blobName"), std::nullopt};
    const auto rows = blob.find("dataRowCount");
    if (rows != blob.end() && rows->is_number_integer()) file.rows = rows->get<int64_t>();
    if (!file.key.empty()) manifest.files.push_back(std::move(file));
  }
}

bool is_list(const ManifestJson& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_array();
}

}  // namespace

std::optional<Manifest> read_manifest(const std::string& path, const std::string& shown) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const ManifestJson json = ManifestJson::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                                text.end(), nullptr, false);
  if (json.is_discarded()) {
    throw UserError(
        "manifest-unreadable", "'" + shown + "' is no JSON, though it is named like a manifest",
        "fetch it again, or move it away: then all files of the folder count", place_at(shown));
  }
  Manifest manifest;
  manifest.path = path;
  if (is_list(json, "reportKeys")) {
    read_legacy_cur(json, manifest);
  } else if (is_list(json, "dataFiles")) {
    read_data_export(json, manifest);
  } else if (is_list(json, "blobs")) {
    read_azure(json, manifest);
  } else {
    return std::nullopt;
  }
  return manifest;
}

}  // namespace tare::sources
