#include "sources/bill/deliveries.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "sources/bill/manifests.h"
#include "sources/bill/native/export_time.h"
#include "sources/csv_layout.h"

namespace tare::sources {
namespace {

namespace fs = std::filesystem;

using Parts = std::vector<std::string>;

Parts parts_of(const std::string& path) {
  Parts parts;
  for (const fs::path& part : fs::path(path).lexically_normal()) {
    if (part != "/" && !part.empty()) parts.push_back(part.string());
  }
  return parts;
}

size_t common_end(const Parts& a, const Parts& b) {
  size_t same = 0;
  while (same < a.size() && same < b.size() && a[a.size() - 1 - same] == b[b.size() - 1 - same]) {
    ++same;
  }
  return same;
}

bool is_manifest_name(const fs::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.ends_with("manifest.json");
}

// The folder that a source's path names or, of a pattern, the one before the first wildcard.
fs::path root_of(const Project& project, const Source& source) {
  fs::path absolute = (fs::absolute(project.directory) / source.path).lexically_normal();
  if (fs::is_directory(absolute)) return absolute;
  if (absolute.string().find_first_of("*?[") == std::string::npos) return {};
  fs::path root;
  for (const fs::path& part : absolute) {
    if (part.string().find_first_of("*?[") != std::string::npos) break;
    root /= part;
  }
  return fs::is_directory(root) ? root : fs::path();
}

struct Below {
  std::vector<fs::path> manifests, others;
};

Below files_below(const fs::path& root) {
  Below below;
  std::error_code error;
  for (fs::recursive_directory_iterator at(root, error), end; !error && at != end;
       at.increment(error)) {
    if (!fs::is_regular_file(at->path())) continue;
    (is_manifest_name(at->path()) ? below.manifests : below.others).push_back(at->path());
  }
  std::sort(below.manifests.begin(), below.manifests.end());
  std::sort(below.others.begin(), below.others.end());
  return below;
}

// "part-2" before "part-10".
bool natural_less(const std::string& a, const std::string& b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto number = [&](const std::string& text, size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string x = number(a, i), y = number(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

class ManifestChooser {
 public:
  ManifestChooser(const Project& project, const Source& source, const Below& below)
      : project_(project), source_(source) {
    for (const fs::path& path : below.others) files_.push_back(path.string());
    for (const fs::path& path : below.manifests) {
      auto manifest = read_manifest(path.string(), shown_path(project, path.string()));
      if (manifest) all_[manifest->scope].push_back(std::move(*manifest));
    }
    for (const auto& [scope, manifests] : all_) choose(scope, manifests);
  }

  bool has_any() const { return !newest_.empty(); }

  // Of the files that the source would have had without manifests.
  std::vector<std::string> left_out(const std::vector<FoundFile>& files) const {
    std::vector<std::string> found;
    for (const FoundFile& file : files) {
      if (!is_named(file.path)) found.push_back(file.shown);
    }
    return found;
  }

  std::vector<DeliveryFile> files() const {
    std::map<std::string, DeliveryFile> chosen;
    for (const auto& [scope, manifest] : newest_) {
      for (const Manifest::File& named : manifest.files) {
        FoundFile file = describe_file(project_, local_of(manifest, named));
        chosen[file.shown] = {file, 0, scope, named.rows};
      }
    }
    std::vector<DeliveryFile> all;
    for (auto& [shown, file] : chosen) all.push_back(std::move(file));
    // Files of one manifest one after the other.
    std::sort(all.begin(), all.end(), [](const DeliveryFile& a, const DeliveryFile& b) {
      return std::tie(a.manifest, a.file.shown) < std::tie(b.manifest, b.file.shown);
    });
    if (!all.empty()) return all;
    const std::string shown = shown_path(project_, newest_.begin()->second.path);
    throw UserError("file-missing", "'" + shown + "' names no file", "fetch the export again",
                    source_.place);
  }

 private:
  size_t depth_of(const Manifest& manifest) const { return parts_of(manifest.path).size(); }

  // Whether a counts before b: later where both say when they were made, else nearer to the source.
  bool is_newer(const Manifest& a, const Manifest& b) const {
    const bool both_say = !a.moment.empty() && !b.moment.empty();
    if (both_say && a.moment != b.moment) return a.moment > b.moment;
    return depth_of(a) < depth_of(b);
  }

  void choose(const std::string& scope, const std::vector<Manifest>& manifests) {
    const Manifest* newest = &manifests.front();
    for (const Manifest& manifest : manifests) {
      if (is_newer(manifest, *newest)) newest = &manifest;
    }
    for (const Manifest& other : manifests) {
      if (&other == newest || is_newer(*newest, other) || same_files(other, *newest)) continue;
      throw UserError(
          "two-deliveries",
          "'" + shown_path(project_, newest->path) + "' and '" + shown_path(project_, other.path) +
              "' are manifests of one export and month, and neither says which is newer",
          "name the newer one's folder in 'path:' of source '" + source_.name + "'", source_.place);
    }
    newest_.emplace(scope, *newest);
  }

  // Whether some manifest, newest or older, means this file.
  bool is_named(const std::string& file) const {
    const Parts parts = parts_of(file);
    for (const auto& [scope, manifests] : all_) {
      for (const Manifest& manifest : manifests) {
        const std::string folder = fs::path(manifest.path).parent_path().string() + "/";
        for (const Manifest::File& named : manifest.files) {
          const size_t same = common_end(parts, parts_of(named.key));
          if (same > 1 || (same == 1 && file.starts_with(folder))) return true;
        }
      }
    }
    return false;
  }

  static bool same_files(const Manifest& a, const Manifest& b) {
    return std::equal(a.files.begin(), a.files.end(), b.files.begin(), b.files.end(),
                      [](const auto& x, const auto& y) { return x.key == y.key; });
  }

  // The file whose path ends as the key does, by as many parts as any does; by its name alone only
  // where it lies below the manifest, as another delivery's file has that name too.
  std::string local_of(const Manifest& manifest, const Manifest::File& named) const {
    const Parts key = parts_of(named.key);
    const std::string folder = fs::path(manifest.path).parent_path().string() + "/";
    size_t best = 0;
    std::vector<std::string> found;
    for (const std::string& file : files_) {
      const size_t same = common_end(parts_of(file), key);
      if (same == 0 || same < best) continue;
      if (same == 1 && key.size() > 1 && !file.starts_with(folder)) continue;
      if (same > best) found.clear();
      best = same;
      found.push_back(file);
    }
    const std::string shown = shown_path(project_, manifest.path);
    if (found.empty()) {
      throw UserError("manifest-file-missing",
                      "'" + shown + "' names '" + named.key + "', which is not here",
                      "fetch the whole delivery: without a part of it the month is incomplete",
                      place_at(shown));
    }
    if (found.size() > 1) {
      throw UserError("two-deliveries",
                      "'" + shown + "' names '" + named.key + "', which may be '" +
                          shown_path(project_, found[0]) + "' or '" +
                          shown_path(project_, found[1]) + "'",
                      "keep the folders as the provider wrote them", place_at(shown));
    }
    return found.front();
  }

  const Project& project_;
  const Source& source_;
  std::vector<std::string> files_;
  std::map<std::string, std::vector<Manifest>> all_;  // by scope
  std::map<std::string, Manifest> newest_;            // by scope
};

// By what the files of a delivery are known, and in which order deliveries come.
class Grouping {
 public:
  Grouping(const Source& source, const std::vector<FoundFile>& files) : source_(source) {
    for (const FoundFile& file : files) folders_.insert(folder_of(file));
    for (const FoundFile& file : files) note(file);
    std::sort(names_.begin(), names_.end(), [&](const std::string& a, const std::string& b) {
      const std::string &x = times_[a], &y = times_[b];
      return x != y ? x < y : natural_less(a, b);
    });
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  }

  size_t delivery_of(const FoundFile& file) const {
    const auto at = std::find(names_.begin(), names_.end(), name_of(file));
    return static_cast<size_t>(at - names_.begin());
  }

 private:
  static std::string folder_of(const FoundFile& file) {
    return fs::path(file.shown).parent_path().generic_string();
  }

  std::string name_of(const FoundFile& file) const {
    const bool by_time = source_.newest == Newest::kExportTime;
    if (source_.newest == Newest::kFolder || (by_time && folders_.size() > 1)) {
      return folder_of(file);
    }
    if (source_.newest == Newest::kFile || by_time) return fs::path(file.shown).filename().string();
    return "";
  }

  void note(const FoundFile& file) {
    const std::string name = name_of(file);
    names_.push_back(name);
    if (source_.newest != Newest::kExportTime) return;
    std::string& newest = times_[name];
    newest = std::max(newest, newest_export_time(file.path, file.shown));
  }

  const Source& source_;
  std::set<std::string> folders_;
  std::vector<std::string> names_;
  std::map<std::string, std::string> times_;  // "" where no time decides
};

std::vector<DeliveryFile> group(const Source& source, std::vector<FoundFile> files) {
  const Grouping grouping(source, files);
  std::vector<DeliveryFile> all;
  for (FoundFile& file : files) {
    const size_t delivery = grouping.delivery_of(file);
    all.push_back({std::move(file), delivery, "", std::nullopt});
  }
  return all;
}

std::vector<const Source*> sources_of(const Project& project, std::string_view format) {
  std::vector<const Source*> found;
  for (const Source& source : project.sources) {
    if (source.format == format) found.push_back(&source);
  }
  return found;
}

}  // namespace

const Source* paired_export(const Project& project, const Source& source) {
  const bool actual = source.format == "azure-actual";
  if (!actual && source.format != "azure-amortized") return nullptr;
  const auto own = sources_of(project, source.format);
  const auto others = sources_of(project, actual ? "azure-amortized" : "azure-actual");
  for (size_t i = 0; i < std::min(own.size(), others.size()); ++i) {
    if (own[i]->name == source.name) return others[i];
  }
  return nullptr;
}

std::vector<DeliveryFile> choose_deliveries(const Project& project, const Source& source,
                                            std::vector<FoundFile> files,
                                            std::vector<std::string>* left_out) {
  if (const fs::path root = root_of(project, source); !root.empty()) {
    const ManifestChooser chooser(project, source, files_below(root));
    if (chooser.has_any()) {
      if (left_out != nullptr) *left_out = chooser.left_out(files);
      return chooser.files();
    }
  }
  return group(source, std::move(files));
}

}  // namespace tare::sources
