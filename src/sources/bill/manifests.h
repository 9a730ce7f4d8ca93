// The manifests that providers write beside their exports: which files are one delivery.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tare::sources {

struct Manifest {
  std::string path;    // absolute
  std::string scope;   // export and billing period: of one scope the newest counts
  std::string moment;  // later texts are newer; "" where it does not say
  struct File {
    std::string key;  // its path where the provider wrote it
    std::optional<int64_t> rows;
  };
  std::vector<File> files;
};

// Empty where the file is JSON of another kind (a Redshift manifest, data). `shown` is for
// messages. Throws UserError manifest-unreadable for what is named like a manifest and is no JSON.
std::optional<Manifest> read_manifest(const std::string& path, const std::string& shown);

}  // namespace tare::sources
