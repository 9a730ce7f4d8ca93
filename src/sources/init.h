// How `tare init` works, in three steps: recognise each file by its header, group files into
// sources, write tare.yaml. The door is plan_init in sources.h.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sources/sources.h"

namespace tare::sources {

enum class Certainty : uint8_t {
  kNone,   // nothing fits
  kNear,   // like a format, but something is missing: written as a comment
  kLater,  // a format that this version does not read: written as a comment
  kSure,
};

struct Verdict {
  Certainty certainty = Certainty::kNone;
  std::string format;
  std::string why;    // one line
  std::string entry;  // kNear: what the source's entry needs besides format and path
};
// What a table with these columns is.
Verdict recognise_header(const std::vector<std::string>& header, const std::string& file_name);

// Cells of the named columns in the first rows of a file (about 1 MiB, or 20,000 rows of Parquet);
// a column that the file lacks is empty in all rows. Never throws for what stands in the file.
std::vector<std::vector<std::string>> sample_rows(const std::string& path,
                                                  const std::vector<std::string>& columns);

struct InitSource {
  std::string kind, format, path;
  std::string why;
  int64_t files = 0;
};
struct InitFacts {
  std::string project;
  std::string currency;                                   // "" where no file names one
  std::string currency_from;                              // the file
  std::vector<InitSource> sources;                        // by kind, then path
  std::map<std::string, std::set<std::string>> outcomes;  // model -> its outcomes but predictions
  std::vector<std::pair<std::string, Verdict>> others;    // path -> why it is no source
  bool cut = false;  // there were more files than are looked at
};
std::string init_yaml(const InitFacts& facts);

// Whether a path can stand in tare.yaml: UTF-8 without control characters.
bool can_be_written(const std::string& path);

}  // namespace tare::sources
