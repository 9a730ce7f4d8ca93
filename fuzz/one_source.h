// A project of one source whose only file is given as text: what its load makes of it.
#pragma once

#include <string>

#include "base/errors.h"
#include "sources/sources.h"
#include "temporary_folder.h"

namespace tare::fuzz {

// Calls `use` with the input's accounting; one error of the user's, with a code, is an answer too.
template <typename Use>
void load_one(SourceKind kind, const std::string& format, const std::string& text, Use use) {
  static const TemporaryFolder folder;
  folder.write("rows.csv", text);
  Project project;
  project.directory = folder.path();
  project.name = "fuzz";
  project.currency = "USD";
  Source source;
  source.kind = kind;
  source.format = format;
  source.name = "fuzz/" + format;
  source.path = "rows.csv";
  project.sources.push_back(source);
  try {
    const sources::SourceResult result =
        sources::load_source(project, source, {}, {.threads = 1}, {});
    TARE_ASSERT(result.inputs.size() == 1, "one file is one input");
    const store::InputFile& input = result.inputs.front();
    TARE_ASSERT(input.rows_in == input.rows_used + input.rows_netted + input.rows_quarantined,
                "no row is lost");
    use(input);
  } catch (const UserError& error) {
    TARE_ASSERT(!error.code().empty(), "an error has a code");
  }
}

}  // namespace tare::fuzz
