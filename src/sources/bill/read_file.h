// One input file of a bill: its rows become lines of the store files of their billing periods.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sources/bill/native/native.h"
#include "sources/bill/period_file.h"
#include "sources/bill/unusable.h"
#include "sources/discover.h"
#include "sources/sources.h"

namespace tare::sources {

// The store files that a load writes, opened when the first row of their period comes.
class PeriodFiles {
 public:
  PeriodFiles(const std::string& directory, const std::string& source, const BillDefaults& defaults)
      : directory_(directory), source_(source), defaults_(defaults) {}

  PeriodFile& at(Month period);
  const std::string& directory() const { return directory_; }
  std::map<Month, std::unique_ptr<PeriodFile>>& all() { return files_; }

 private:
  std::string directory_, source_;
  BillDefaults defaults_;
  std::map<Month, std::unique_ptr<PeriodFile>> files_;
};

struct ReadScope {
  const BillFormat& format;
  const Source& source;
  const BillDefaults& defaults;
  PeriodFiles& periods;
  std::vector<UnusableRow>& homeless;  // rows of no billing period
  bool compare = false;                // the source has several files
  int threads = 2;
  const Progress& progress;
  NativeShared& shared;  // of all files of the source
  std::string part_of =
      {};  // the delivery that a manifest says the file is a part of; "" none says
};

struct WantedPeriods {
  std::optional<std::set<Month>> only;
  std::set<Month> replaced;  // by newer deliveries
};
// Reads all rows but those of the `replaced` periods, or with `only` those of the named ones (rows
// without a period always). Sets hash, counts, sums and periods of `input`, with `only` nothing.
// Throws UserError.
void read_bill_file(const ReadScope& scope, const FoundFile& file, const WantedPeriods& wanted,
                    store::InputFile* input);

// What is left over of the netted rows of a period, of all files, becomes lines of its own, each a
// finding.
void add_remainders(const ReadScope& scope, PeriodFile& file);

}  // namespace tare::sources
