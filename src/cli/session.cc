#include "cli/session.h"

#include <algorithm>

#include "cli/console.h"
#include "sources/sources.h"

namespace tare::cli {
namespace {

struct Months {
  Month first, last;
};

Months posted_months(store::Store& store) {
  const store::Result months =
      store.connection().query("SELECT min(month), max(month) FROM store_day_cost");
  if (months.is_null(0, 0)) {
    throw UserError("no-lines", "the store has no bill line that could be read",
                    "name a bill under 'sources:' in tare.yaml, then: tare load");
  }
  return {Month{static_cast<int32_t>(months.i64(0, 0))},
          Month{static_cast<int32_t>(months.i64(0, 1))}};
}

// The period that was asked for. Requires that one was.
Span whole_months(const Options& options, store::Store& store) {
  std::optional<Month> first = options.first_month, last = options.last_month;
  if (!first || !last) {
    const Months posted = posted_months(store);
    if (!first) first = options.newest_month ? posted.last : posted.first;
    if (!last) last = posted.last;
  }
  if (*first <= *last) return {span_of(*first).start_ns, span_of(*last).end_ns};
  if (options.first_month) {
    throw UserError("period-without-bill", "the newest month of the bill, " + to_text(*last) +
                                               ", is before '--from " + to_text(*first) + "'");
  }
  throw UserError("period-without-bill", "the oldest month of the bill, " + to_text(*first) +
                                             ", is after '--to " + to_text(*last) + "'");
}

}  // namespace

Session open_session(const Options& options) {
  const std::string directory = sources::find_project(options.directory);
  Project project = sources::read_project(directory);
  say_detail("project '" + project.name + "' in '" + directory + "'", options);
  store::OpenOptions open;
  open.threads = options.threads;
  open.for_user_sql = options.command->id == CommandId::kSql;
  Session session{std::move(project), store::Store::open(directory, open)};
  if (session.store.catalog().policy_hash != to_text(session.project.policy_hash)) {
    say("tare.yaml has changed since the last load; 'tare load' brings the figures up to date",
        options);
  }
  return session;
}

measures::Question question_of(const Options& options, Session& session) {
  measures::Question question;
  question.basis = options.basis.value_or(session.project.basis.value_or(CostBasis::kEffective));
  question.by = options.by;
  question.where = options.where;
  question.sort = options.sort;
  question.limit = options.limit;
  // A table with a row a run is for programs; people ask for it by 'cost --by run'.
  question.full = options.format == Format::kJson || options.format == Format::kCsv;
  if (!options.first_month && !options.last_month && !options.newest_month) return question;
  question.period = whole_months(options, session.store);
  return question;
}

int strict_exit(store::Store& store, const Options& options) {
  if (!options.strict) return kDone;
  const store::Result count = store.connection().query(
      "SELECT count(DISTINCT code) FROM finding WHERE severity IN ('warning', 'error')");
  const int64_t kinds = count.i64(0, 0);
  if (kinds == 0) return kDone;
  say("--strict: " + std::to_string(kinds) + (kinds == 1 ? " kind" : " kinds") +
          " of finding; 'tare findings' lists them",
      options);
  return kAnswerIsNo;
}

int finish(const Document& document, const Options& options, Session& session) {
  answer(document, options);
  return strict_exit(session.store, options);
}

}  // namespace tare::cli
