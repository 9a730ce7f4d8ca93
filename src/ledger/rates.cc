#include "ledger/rates.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

namespace tare::ledger {
namespace {

std::vector<RateRow> read_rows(const std::string& store_directory, const store::Catalog& catalog) {
  std::vector<RateRow> rows;
  store::Database database({.threads = 1});
  store::Connection connection = database.connect();
  int number = 0;
  for (const store::StoreFile& file : catalog.files) {
    if (!is_rates_file(file)) continue;
    const std::string alias = fmt::format("rates_{}", number++);
    store::attach_file(connection, store_directory + "/" + file.name, alias);
    store::Stream stream = connection.stream_store(fmt::format(
        "SELECT from_currency, to_currency, day_ns, rate_units, rate_atto, source FROM {}.rate",
        alias));
    while (const store::Chunk* chunk = stream.next()) {
      for (size_t row = 0; row < chunk->rows(); ++row) {
        rows.push_back({std::string(chunk->text(0, row)), std::string(chunk->text(1, row)),
                        chunk->i64(2, row),
                        Money::from_stored(chunk->i64(3, row), chunk->i64(4, row)),
                        std::string(chunk->text(5, row))});
      }
    }
  }
  std::sort(rows.begin(), rows.end(), [](const RateRow& a, const RateRow& b) {
    return std::tie(a.from_currency, a.to_currency, a.day_ns, a.rate, a.source) <
           std::tie(b.from_currency, b.to_currency, b.day_ns, b.rate, b.source);
  });
  return rows;
}

// Rows of one day and direction, sorted by rate: the rate that they give, or none.
std::optional<Money> rate_of_day(std::span<const RateRow> rows, Findings* findings) {
  const RateRow& first = rows.front();
  const bool agree = first.rate == rows.back().rate;
  if (rows.size() > 1) {
    const bool one_source = std::all_of(
        rows.begin(), rows.end(), [&](const RateRow& row) { return row.source == first.source; });
    findings->add({.code = agree ? "rate-duplicate" : "rate-conflict",
                   .source = one_source ? std::string_view(first.source) : "",
                   .subject = first.from_currency + " to " + first.to_currency,
                   .cost = {},
                   .currency = "",
                   .place = day_text(first.day_ns),
                   .text = agree ? to_text(first.rate)
                                 : to_text(first.rate) + " to " + to_text(rows.back().rate),
                   .rows = static_cast<int64_t>(rows.size()) - (agree ? 1 : 0)});
  }
  return agree ? std::optional(first.rate) : std::nullopt;
}

}  // namespace

bool is_rates_file(const store::StoreFile& file) {
  return file.kind == "facts" && file.table == "rate";
}

Rates Rates::read(const std::string& store_directory, const store::Catalog& catalog,
                  Findings* findings) {
  const std::vector<RateRow> rows = read_rows(store_directory, catalog);
  Rates rates;
  for (size_t at = 0, end = 0; at < rows.size(); at = end) {
    const auto same = [&](const RateRow& row) {
      return std::tie(row.from_currency, row.to_currency, row.day_ns) ==
             std::tie(rows[at].from_currency, rows[at].to_currency, rows[at].day_ns);
    };
    while (end < rows.size() && same(rows[end])) ++end;
    const auto rate = rate_of_day(std::span(rows).subspan(at, end - at), findings);
    if (!rate) continue;
    rates.days_[{rows[at].from_currency, rows[at].to_currency}][rows[at].day_ns] = *rate;
  }
  return rates;
}

const Rates::Days* Rates::days_of(const std::string& from, const std::string& to) const {
  const auto found = days_.find({from, to});
  return found == days_.end() ? nullptr : &found->second;
}

bool Rates::connects(const std::string& from, const std::string& to) const {
  return days_of(from, to) != nullptr || days_of(to, from) != nullptr;
}

std::optional<Rate> Rates::find(const std::string& from, const std::string& to,
                                int64_t instant_ns) const {
  const int64_t day_ns = floor_day(instant_ns);
  std::optional<Rate> best;
  for (const bool inverse : {false, true}) {
    const Days* days = inverse ? days_of(to, from) : days_of(from, to);
    if (days == nullptr) continue;
    const auto after = days->upper_bound(day_ns);
    if (after == days->begin()) continue;
    const auto& [rate_day_ns, given] = *std::prev(after);
    if (day_ns - rate_day_ns > kOldestRateDays * kNsPerDay) continue;
    if (!best || best->day_ns < rate_day_ns) best = Rate{rate_day_ns, given, inverse};
  }
  return best;
}

store::StoreFile Rates::write(const std::string& store_directory, const std::string& derived_from,
                              const Findings& findings) const {
  store::StoreFile entry;
  entry.kind = "rates";
  entry.derived_from = derived_from;
  store::FileWriter file(store_directory, "rates-" + derived_from);
  store::TableWriter table = file.table("rate", store::usable_rate_columns());
  for (const auto& [pair, days] : days_) {
    for (const auto& [day_ns, rate] : days) {
      table.set_text(0, pair.first);
      table.set_text(1, pair.second);
      table.set_i64(2, day_ns);
      table.set_money(3, rate);
      table.end_row();
    }
  }
  entry.rows = table.rows();
  table.close();
  store::write_findings(file, findings);
  entry.name = file.seal();
  return entry;
}

}  // namespace tare::ledger
