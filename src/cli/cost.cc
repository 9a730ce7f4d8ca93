#include "cli/commands.h"
#include "cli/session.h"
#include "measures/measures.h"

namespace tare::cli {

int run_cost(const Options& options) {
  Session session = open_session(options);
  const measures::Question question = question_of(options, session);
  return finish(measures::cost(session.store, session.project, question), options, session);
}

}  // namespace tare::cli
