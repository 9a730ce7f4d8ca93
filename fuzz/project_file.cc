// Any bytes as a tare.yaml: a project, or one error of the user's with its place; nothing else.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors.h"
#include "sources/sources.h"
#include "temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  static const tare::fuzz::TemporaryFolder folder;
  folder.write("tare.yaml", {reinterpret_cast<const char*>(bytes), count});
  try {
    const tare::Project project = tare::sources::read_project(folder.path());
    TARE_ASSERT(!project.currency.empty(), "a project has a currency");
    for (const tare::Source& source : project.sources) {
      TARE_ASSERT(!source.name.empty() && source.place.line > 0, "a source has a name and a place");
    }
  } catch (const tare::UserError& error) {
    TARE_ASSERT(!error.code().empty(), "an error has a code");
  }
  return 0;
}
