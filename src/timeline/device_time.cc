#include "timeline/device_time.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/decimal_text.h"

namespace tare::timeline {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

struct TimeWord {
  std::string_view text;
  int64_t ns;
};
constexpr std::array<TimeWord, 13> kTimeWords = {{
    {"hour", kNsPerHour},
    {"hours", kNsPerHour},
    {"hrs", kNsPerHour},
    {"hr", kNsPerHour},
    {"second", kNsPerSecond},
    {"seconds", kNsPerSecond},
    {"secs", kNsPerSecond},
    {"sec", kNsPerSecond},
    {"minute", kNsPerMinute},
    {"minutes", kNsPerMinute},
    {"mins", kNsPerMinute},
    {"min", kNsPerMinute},
    {"days", kNsPerDay},
}};
constexpr std::array<std::string_view, 3> kDeviceWords = {"gpu", "device", "accelerator"};
constexpr std::array<std::string_view, 3> kCoreWords = {"vcpu", "core", "cpu"};

int64_t time_word_ns(std::string_view word) {
  for (const TimeWord& candidate : kTimeWords) {
    if (candidate.text == word) return candidate.ns;
  }
  return 0;
}

// Words of the provider's own descriptions that mark a charge beside the machine.
constexpr std::array<std::string_view, 22> kBesideWords = {
    "license", "licence",  "licensing", "licenses",  "software", "throughput",
    "iops",    "address",  "addresses", "disk",      "disks",    "volume",
    "volumes", "snapshot", "snapshots", "bandwidth", "gateway",  "balancer",
    "ebs",     "transfer", "egress",    "backup"};
// These say so only where nothing names an instance ("storage optimized" machines exist).
constexpr std::array<std::string_view, 4> kBesideUnlessNamed = {"storage", "support", "network",
                                                                "monitoring"};
constexpr std::array<std::string_view, 22> kGpuWords = {
    "gpu",    "gpus",  "a100", "h100",     "h200",       "b200", "gb200", "v100",
    "p100",   "t4",    "l4",   "l40",      "l40s",       "a10",  "a10g",  "k80",
    "mi300x", "mi250", "tpu",  "trainium", "inferentia", "gaudi"};

template <typename Words>
bool holds_word(const std::string& text, const Words& words) {
  size_t at = 0;
  auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  while (at < text.size()) {
    while (at < text.size() && !is_word(text[at])) ++at;
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    std::string_view word(text.data() + at, end - at);
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    at = end;
  }
  return false;
}

std::optional<int64_t> json_count(const nlohmann::json& value) {
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_string()) return parse_integer(value.get<std::string>());
  if (value.is_number_float()) {
    auto decimal = parse_decimal(value.dump());
    if (!decimal.ok() || !decimal.value.fits_store()) return std::nullopt;
    Money floor = Money::from_units(decimal.value.stored().units);
    if (floor == decimal.value) return decimal.value.stored().units;
  }
  return std::nullopt;
}

void read_details(const std::string& text, const InstanceTypes& types, DimSigns* signs) {
  auto details = nlohmann::json::parse(text, nullptr, false);
  if (!details.is_object()) return;
  for (const auto& [raw_key, value] : details.items()) {
    std::string key = lower(raw_key);
    if (key.starts_with("x_")) key = key.substr(2);
    if (key == "gpucount" || key == "acceleratorcount") {
      auto count = json_count(value);
      if (count && *count >= 0 && *count <= kMostDevices) {
        signs->devices = count;
        signs->names_instance = true;
      } else if (!value.is_null()) {
        signs->count_unusable = true;
      }
    } else if (key == "corecount" || key == "vcpucount" || key == "vcpus") {
      if (auto count = json_count(value); count && *count > 0) signs->cpus = count;
    } else if ((key == "instancetype" || key == "servicetype") && value.is_string() &&
               !value.get<std::string>().empty()) {
      signs->names_instance = true;
      if (auto shape = types.find(value.get<std::string>())) {
        if (!signs->devices) signs->devices = shape->devices;
        if (!signs->cpus && shape->cpus > 0) signs->cpus = shape->cpus;
      }
    }
  }
}

bool is_compute(const DimText& category) {
  if (!category) return true;  // not said: the words decide
  std::string text = lower(*category);
  return text == "compute" || text == "ai and machine learning";
}

}  // namespace

UnitWord unit_word(std::string_view unit) {
  std::string text = lower(unit);
  if (int64_t ns = time_word_ns(text); ns > 0) return {TimeKind::kNodeTime, ns};
  size_t gap = text.find_first_of("- ");
  if (gap == std::string::npos) return {};
  int64_t ns = time_word_ns(std::string_view(text).substr(gap + 1));
  std::string_view what = std::string_view(text).substr(0, gap);
  if (ns == 0) return {};
  if (std::find(kDeviceWords.begin(), kDeviceWords.end(), what) != kDeviceWords.end()) {
    return {TimeKind::kDeviceTime, ns};
  }
  if (std::find(kCoreWords.begin(), kCoreWords.end(), what) != kCoreWords.end()) {
    return {TimeKind::kCoreTime, ns};
  }
  return {};
}

DimSigns read_signs(const BillDim& dim, const InstanceTypes& types) {
  DimSigns signs;
  const auto& category = dim[DimColumn::kChargeCategory];
  signs.usage = category && *category == "Usage";
  signs.correction = dim[DimColumn::kChargeClass] && *dim[DimColumn::kChargeClass] == "Correction";
  if (const auto& unit = dim[DimColumn::kConsumedUnit]) {
    UnitWord word = unit_word(*unit);
    signs.kind = word.kind;
    signs.unit_ns = word.unit_ns;
  }
  if (const auto& details = dim[DimColumn::kSkuPriceDetails]) read_details(*details, types, &signs);
  std::string words;
  for (DimColumn column :
       {DimColumn::kSkuId, DimColumn::kChargeDescription, DimColumn::kResourceType}) {
    if (dim[column]) words += lower(*dim[column]) + ' ';
  }
  for (DimColumn column : {DimColumn::kSkuId, DimColumn::kChargeDescription}) {
    if (signs.names_instance || !dim[column]) continue;
    if (auto shape = types.find_in(*dim[column])) {
      signs.names_instance = true;
      signs.devices = shape->devices;
      if (!signs.cpus && shape->cpus > 0) signs.cpus = shape->cpus;
    }
  }
  bool beside = holds_word(words, kBesideWords);
  bool names_gpu = holds_word(words, kGpuWords);
  if (!signs.names_instance && names_gpu && signs.kind == TimeKind::kNodeTime) {
    // A SKU that names the accelerator and no machine is sold by the accelerator's own hour.
    signs.kind = TimeKind::kDeviceTime;
  }
  signs.names_instance = (signs.names_instance || names_gpu) && !beside;
  signs.instance_like = !beside && !holds_word(words, kBesideUnlessNamed) &&
                        is_compute(dim[DimColumn::kServiceCategory]);
  return signs;
}

}  // namespace tare::timeline
