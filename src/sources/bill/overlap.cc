#include "sources/bill/overlap.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tare::sources {
namespace {

// A key tells rows apart when at most a tenth of a file's rows repeat the key of another.
constexpr size_t kTellingNumerator = 9, kTellingDenominator = 10;
// Of a hash that stands in more files, the first ones speak for all.
constexpr size_t kMostFilesCompared = 16;

struct Occurrence {
  uint64_t hash = 0;
  size_t file = 0;
  auto operator<=>(const Occurrence&) const = default;
};

size_t distinct(const std::vector<uint64_t>& sorted) {
  size_t count = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || sorted[i] != sorted[i - 1]) ++count;
  }
  return count;
}

}  // namespace

void DeliveryFiles::begin_file(const std::string& name) {
  const auto known = std::find(names_.begin(), names_.end(), name);
  current_ = static_cast<size_t>(known - names_.begin());
  if (known != names_.end()) return;
  names_.push_back(name);
  files_.emplace_back();
}

void DeliveryFiles::add(uint64_t key, uint64_t line) {
  if (key <= limit_) files_[current_].keys.push_back(key);
  if (line <= limit_) files_[current_].lines.push_back(line);
  if (++kept_ >= kMostKept) let_go();
}

void DeliveryFiles::let_go() {
  limit_ /= 2;
  kept_ = 0;
  const auto above = [&](uint64_t hash) { return hash > limit_; };
  for (Kept& file : files_) {
    std::erase_if(file.keys, above);
    std::erase_if(file.lines, above);
    kept_ += std::max(file.keys.size(), file.lines.size());
  }
}

std::optional<std::pair<std::string, std::string>> DeliveryFiles::find_overlap() {
  if (files_.size() < 2) return std::nullopt;
  std::vector<size_t> order(files_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return names_[a] < names_[b]; });
  DeliveryFiles sorted;
  for (const size_t at : order) {
    sorted.names_.push_back(names_[at]);
    sorted.files_.push_back(std::move(files_[at]));
  }
  for (Kept& file : sorted.files_) {
    std::sort(file.keys.begin(), file.keys.end());
    std::sort(file.lines.begin(), file.lines.end());
    file.keys_tell_apart =
        distinct(file.keys) * kTellingDenominator >= file.keys.size() * kTellingNumerator;
  }
  *this = std::move(sorted);
  auto pair = overlapping_pair(&Kept::keys, true);
  if (!pair) pair = overlapping_pair(&Kept::lines, false);
  if (!pair) return std::nullopt;
  return std::pair{names_[pair->first], names_[pair->second]};
}

std::optional<std::pair<size_t, size_t>> DeliveryFiles::overlapping_pair(Hashes hashes,
                                                                         bool by_key) const {
  std::vector<Occurrence> all;
  for (size_t file = 0; file < files_.size(); ++file) {
    for (const uint64_t hash : files_[file].*hashes) all.push_back({hash, file});
  }
  std::sort(all.begin(), all.end());
  std::map<std::pair<size_t, size_t>, size_t> shared;  // rows of the first that the second has
  for (size_t i = 0; i < all.size();) {
    std::vector<std::pair<size_t, size_t>> in_files;  // file, rows
    const uint64_t hash = all[i].hash;
    for (; i < all.size() && all[i].hash == hash; ++i) {
      if (in_files.empty() || in_files.back().first != all[i].file) {
        if (in_files.size() == kMostFilesCompared) continue;
        in_files.emplace_back(all[i].file, 0);
      }
      ++in_files.back().second;
    }
    for (const auto& [a, rows] : in_files) {
      for (const auto& [b, other_rows] : in_files) {
        if (a != b) shared[{a, b}] += rows;
      }
    }
  }
  for (const auto& [pair, rows] : shared) {
    const Kept &a = files_[pair.first], &b = files_[pair.second];
    const size_t size = (a.*hashes).size(), other = (b.*hashes).size();
    if ((a.keys_tell_apart && b.keys_tell_apart) != by_key || size > other) continue;
    if (rows * 2 > size) return std::minmax(pair.first, pair.second);
  }
  return std::nullopt;
}

}  // namespace tare::sources
