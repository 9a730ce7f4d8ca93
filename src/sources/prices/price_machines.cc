// Machines without a bill, charged by their rate cards: made of what the other sources have loaded.
#include <algorithm>
#include <iterator>
#include <set>

#include "sources/prices/priced_file.h"
#include "sources/sources.h"

namespace tare::sources {
namespace {

// Stands for all that pricing reads. Findings stand in a file of this name.
std::string inputs_hash(const Project& project, const store::Catalog& loaded) {
  HashBuilder hash;
  hash.add("prices-1").add(int64_t{store::kSchemaVersion}).add(project.currency);
  for (const store::StoreFile& file : loaded.files) hash.add(file.name);
  return to_text(hash.finish());
}

// Where nothing has changed, all files that pricing made before; else none.
std::vector<store::StoreFile> unchanged_files(const std::set<std::string>& sources,
                                              const std::string& hash,
                                              const std::vector<store::StoreFile>& before) {
  const auto is_prices = [&](const store::StoreFile& file) {
    return file.kind == "prices" && file.derived_from == hash;
  };
  std::vector<store::StoreFile> kept;
  if (std::none_of(before.begin(), before.end(), is_prices)) return kept;
  std::copy_if(before.begin(), before.end(), std::back_inserter(kept),
               [&](const store::StoreFile& file) {
                 return is_prices(file) || (file.kind == "bill" && sources.contains(file.source));
               });
  return kept;
}

store::StoreFile write_findings_file(const std::string& store_directory, const std::string& hash,
                                     const Findings& findings) {
  store::StoreFile entry;
  entry.kind = "prices";
  entry.derived_from = hash;
  store::FileWriter file(store_directory, "prices-" + hash);
  store::write_findings(file, findings);
  entry.name = file.seal();
  return entry;
}

// The bill file of one source and month, or the one of `before` that has the same content.
store::StoreFile write_priced(const std::string& store_directory, const std::string& source,
                              Month period, const std::vector<PricedLine>& lines,
                              const std::vector<store::StoreFile>& before) {
  PricedFile file(source, period);
  for (const PricedLine& line : lines) file.add(line);
  const std::string wanted = file.content_hash();
  for (const store::StoreFile& known : before) {
    if (known.kind == "bill" && known.source == source && known.derived_from == wanted)
      return known;
  }
  return file.write(store_directory);
}

}  // namespace

std::vector<store::StoreFile> price_machines(const Project& project, const store::Catalog& loaded,
                                             const store::Catalog& before,
                                             const LoadOptions& options) {
  std::set<std::string> sources;
  for (const Source& source : project.sources) {
    if (source.kind == SourceKind::kRateCards) sources.insert(source.name);
  }
  if (sources.empty()) return {};
  const std::string hash = inputs_hash(project, loaded);
  const std::vector<store::StoreFile> none;
  const std::vector<store::StoreFile>& known = options.full_refresh ? none : before.files;
  std::vector<store::StoreFile> files = unchanged_files(sources, hash, known);
  if (!files.empty()) return files;
  const std::string directory = store::store_directory(project.directory);
  const Inventory inventory = read_inventory(directory, loaded, project.currency);
  Findings findings;
  for (const auto& [key, lines] : price_inventory(inventory, &findings))
    files.push_back(write_priced(directory, key.first, key.second, lines, known));
  files.push_back(write_findings_file(directory, hash, findings));
  return files;
}

}  // namespace tare::sources
