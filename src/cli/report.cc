#include "cli/commands.h"
#include "cli/session.h"
#include "measures/measures.h"

namespace tare::cli {

int run_report(const Options& options) {
  Session session = open_session(options);
  const measures::Question question = question_of(options, session);
  return finish(measures::report(session.store, session.project, question), options, session);
}

}  // namespace tare::cli
