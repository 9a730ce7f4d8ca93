#include "cli/commands.h"
#include "cli/journal.h"
#include "cli/session.h"
#include "measures/measures.h"

namespace tare::cli {

int run_reconcile(const Options& options) {
  Session session = open_session(options);
  const measures::Question question = question_of(options, session);
  const measures::Closings closings{read_closed_months(session.project), options.as_of};
  const measures::Reconciliation result =
      measures::reconcile(session.store, session.project, question, options.verify, closings);
  const int strict = finish(result.document, options, session);
  return result.reconciled ? strict : kAnswerIsNo;
}

}  // namespace tare::cli
