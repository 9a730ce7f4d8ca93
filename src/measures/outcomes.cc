#include "measures/outcomes.h"

#include "embedded/measures.h"

#include "measures/sql_text.h"

namespace tare::measures {
namespace {

std::optional<CountInterval> limits_at(const store::Result& answer, size_t row, Money count) {
  const Money limited = money_at(answer, row, 4);
  CountInterval limits{money_at(answer, row, 6), money_at(answer, row, 8)};
  const Money others = count - limited;
  const bool all_limited = others.is_zero() && !answer.is_null(row, 6);
  if (all_limited) return limits;
  const bool countable = answer.i64(row, 10) != 0 && !others.is_negative();
  if (!countable) return std::nullopt;
  const CountInterval poisson = garwood(static_cast<int64_t>(others.atto() / Money::kAttoPerUnit));
  return CountInterval{limits.low + poisson.low, limits.high + poisson.high};
}

}  // namespace

OutcomeCounts read_outcomes(store::Connection& connection, const Project& project,
                            int64_t horizon_ns, Span span) {
  const store::Result answer =
      connection.query(fill(embedded::outcomes_sql(), {{"horizon_ns", std::to_string(horizon_ns)},
                                                       {"start_ns", std::to_string(span.start_ns)},
                                                       {"end_ns", std::to_string(span.end_ns)}}));
  const int64_t maturity_ns = project.policy.maturity_days * kNsPerDay;
  OutcomeCounts counts;
  for (size_t row = 0; row < answer.rows(); ++row) {
    OutcomeCount outcome;
    outcome.count = money_at(answer, row, 2);
    outcome.limits = limits_at(answer, row, outcome.count);
    outcome.preliminary = maturity_ns > 0 && answer.i64(row, 11) < maturity_ns;
    counts[{answer.text(row, 0), answer.text(row, 1)}] = outcome;
  }
  return counts;
}

std::map<std::string, int64_t> read_retrains(store::Connection& connection, const Months& months) {
  const store::Result answer = connection.query(
      fill(embedded::retrains_sql(), {{"first_month", std::to_string(months.first.index)},
                                      {"last_month", std::to_string(months.last.index)}}));
  std::map<std::string, int64_t> retrains;
  for (size_t row = 0; row < answer.rows(); ++row) {
    retrains[answer.text(row, 0)] = count_at(answer, row, 1);
  }
  return retrains;
}

}  // namespace tare::measures
