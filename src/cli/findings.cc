#include "cli/commands.h"
#include "cli/session.h"
#include "measures/measures.h"

namespace tare::cli {

int run_findings(const Options& options) {
  Session session = open_session(options);
  const Document document =
      measures::findings(session.store, session.project, options.operand(0), options.rows);
  return finish(document, options, session);
}

}  // namespace tare::cli
