// The store's door: everything that other folders may use of it.
//
// <project>/.tare/ holds catalog.json and immutable files; it can be rebuilt from the inputs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/findings.h"
#include "store/catalog.h"
#include "store/database.h"
#include "store/files.h"
#include "store/project.h"
#include "store/rows.h"
#include "store/schema.h"
#include "store/summed_costs.h"

namespace tare::store {

std::string store_directory(const std::string& project_directory);  // "<dir>/.tare"

struct OpenOptions {
  int threads = 2;
  bool for_user_sql = false;  // locked down: no external files, no installs, read-only
};

// A read-only store with its views. The views that people are promised (bill_line, posting, run,
// hold, resource, device_state, outcome, finding, lineage; model.md) and those of our own stages
// (store_*: accounts, day and state summaries, dims; see views.cc) exist whether or not there are
// rows.
class Store {
 public:
  // Throws UserError store-missing (hint: tare load). Retries when a loader replaces the catalog
  // between reading it and opening its files.
  static Store open(const std::string& project_directory, const OpenOptions& options = {});
  Store(Store&&) noexcept;
  ~Store();
  Connection& connection();
  const Catalog& catalog() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Writes `findings` as the tables finding and finding_example of a file.
void write_findings(FileWriter& file, const Findings& findings);

}  // namespace tare::store
