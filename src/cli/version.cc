#include "cli/commands.h"
#include "cli/console.h"
#include "cli/session.h"

namespace tare::cli {

int run_version(const Options& options) {
  write_stdout("tare " + options.version + "\n");
  return kDone;
}

}  // namespace tare::cli
