// The catalog: one small JSON file that says which immutable files are the store, what inputs they
// came from, and by which tool and policy. Replaced atomically (write aside, fsync, rename, fsync
// the folder); a reader sees the store as one catalog stands.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/money.h"

namespace tare::store {

inline constexpr int kSchemaVersion = 4;

struct InputFile {
  std::string source;  // Source::name
  std::string kind;    // "bill", "runs", ...
  std::string format;
  std::string file;  // relative to the project where it lies below it
  int64_t size = 0;
  int64_t mtime_ns = 0, ctime_ns = 0;
  std::string sha256;
  std::string reader_hash;  // of the source's mapping and the reader's version: a change re-reads
  int64_t rows_in = 0, rows_used = 0, rows_netted = 0, rows_quarantined = 0, lines_out = 0;
  std::map<std::string, std::string> sums_in, sums_out;  // "billed_cost USD" -> exact decimal
  std::vector<std::string> periods;           // of a bill: billing periods "2026-08", sorted
  std::vector<std::string> replaced_periods;  // those whose rows a newer delivery replaces
};

struct StoreFile {
  std::string name;          // "bill-focus-2026-08-<hash>.duckdb"
  std::string kind;          // "bill", "facts", "timeline", "rates", "prices", "ledger"
  std::string source;        // Source::name, "" for timeline and rates
  std::string period;        // billing period of bill and ledger files, else ""
  std::string table;         // facts: "run", "hold", ...; else ""
  std::string derived_from;  // hash
  int64_t span_start_ns = 0, span_end_ns = 0;  // of the charge periods inside (bill, ledger)
  int64_t rows = 0;
};

struct Catalog {
  int schema_version = kSchemaVersion;
  std::string tool_version;
  std::string project;
  std::string policy_hash;
  int64_t generation = 0;         // grows by one with each change
  std::vector<InputFile> inputs;  // sorted by (source, file)
  std::vector<StoreFile> files;   // sorted by name
  int64_t horizon_ns = 0;         // R39; 0 where nothing is loaded
};

// Empty catalog where none exists. Throws UserError store-damaged for one that can't be read,
// store-newer for a schema_version above ours; an older version reads as empty (it is rebuilt).
Catalog read_catalog(const std::string& store_directory);
void write_catalog(const std::string& store_directory, const Catalog& catalog);

// Removes store files and part files that the catalog does not name.
void remove_unreferenced(const std::string& store_directory, const Catalog& catalog);

// Held by a loader for as long as it lives; throws UserError store-locked with the other's pid.
class LoadLock {
 public:
  explicit LoadLock(const std::string& store_directory);
  ~LoadLock();
  LoadLock(const LoadLock&) = delete;
  LoadLock& operator=(const LoadLock&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace tare::store
