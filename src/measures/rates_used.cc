#include "measures/rates_used.h"

#include <algorithm>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "measures/groupings.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

struct Converted {
  int64_t lines = 0;
  Money own, billed;
  void add(const Converted& more) {
    lines += more.lines;
    own += more.own;
    billed += more.billed;
  }
};

struct ConvertedAt {
  UsedRate rate;
  Converted sum;
};

// By currency, then by the day of the rate.
std::vector<ConvertedAt> read_used(store::Connection& connection, const std::string& condition,
                                   const std::string& currency) {
  const store::Result answer =
      connection.query(fill(embedded::rates_used_sql(),
                            {{"condition", condition}, {"currency", store::quote_text(currency)}}));
  std::vector<ConvertedAt> used;
  for (size_t row = 0; row < answer.rows(); ++row) {
    used.push_back(
        {{answer.text(row, 0), currency, answer.i64(row, 1), money_at(answer, row, 2),
          answer.i64(row, 4) != 0},
         {count_at(answer, row, 5), money_at(answer, row, 6), money_at(answer, row, 8)}});
  }
  return used;
}

// The used rates of each currency in turn.
template <typename Use>
void each_currency(const std::vector<ConvertedAt>& used, Use use) {
  for (size_t at = 0, end = 0; at < used.size(); at = end) {
    Converted sum;
    while (end < used.size() && used[end].rate.from == used[at].rate.from) sum.add(used[end++].sum);
    use(std::span(used).subspan(at, end - at), sum);
  }
}

std::string rates_text(std::span<const ConvertedAt> rates) {
  if (rates.size() == 1) return rate_text(rates.front().rate);
  return fmt::format("{} rates, of {} to {}", rates.size(), day_text(rates.front().rate.day_ns),
                     day_text(rates.back().rate.day_ns));
}

Row rates_row(std::string key, std::string label, const Converted& sum, std::string rates) {
  return {.key = std::move(key),
          .adds_up = false,
          .cells = {std::move(label), sum.lines, sum.own, sum.billed, std::move(rates)}};
}

}  // namespace

std::string rate_text(const UsedRate& rate) {
  return fmt::format("1 {} = {} {} of {}", rate.inverse ? rate.to : rate.from, to_text(rate.given),
                     rate.inverse ? rate.from : rate.to, day_text(rate.day_ns));
}

TracedTable rates_table(const Page& page, bool full) {
  TracedTable traced{.kind = "rates", .table = {}, .behind = {}};
  Table& table = traced.table;
  table.id = page.id("rates");
  table.title = fmt::format("Bill lines in other currencies, converted to {}", page.currency);
  table.columns = {text_column("from", "from"), number_column("lines", "lines", 0),
                   number_column("own_billed", "as billed"),
                   number_column("billed", page.money_heading("billed")),
                   text_column("rates", "at")};
  const std::vector<ConvertedAt> used =
      read_used(page.store.connection(), page.scope.state_months_sql(), page.currency);
  each_currency(used, [&](std::span<const ConvertedAt> rates, const Converted& sum) {
    const std::string& from = rates.front().rate.from;
    const std::string of_currency = "own_currency = " + store::quote_text(from);
    const auto behind = [&](std::string condition) {
      Behind postings = page.behind({of_currency, std::move(condition)});
      postings.own_currency = from;
      return postings;
    };
    traced.add(rates_row(key_of({from}), from, sum, rates_text(rates)),
               behind("rate_day IS NOT NULL"));
    if (!full) return;
    for (const ConvertedAt& one : rates) {
      const std::string day = day_text(one.rate.day_ns);
      Row row = rates_row(key_of({from, day}), day, one.sum, rate_text(one.rate));
      row.depth = 1;
      traced.add(std::move(row), behind(fmt::format("rate_day = {}", one.rate.day_ns)));
    }
  });
  return traced;
}

std::vector<std::string> conversion_notes(store::Connection& connection,
                                          const std::string& condition,
                                          const std::string& currency) {
  std::vector<std::string> notes;
  each_currency(read_used(connection, condition, currency), [&](std::span<const ConvertedAt> rates,
                                                                const Converted& sum) {
    notes.push_back(fmt::format("{} {} of {} {} counted as {} {}: {}", sum.lines,
                                sum.lines == 1 ? "line" : "lines", to_text_rounded(sum.own, 2),
                                rates.front().rate.from, to_text_rounded(sum.billed, 2), currency,
                                rates_text(rates)));
  });
  return notes;
}

}  // namespace tare::measures
