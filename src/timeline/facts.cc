#include "timeline/facts.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace tare::timeline {
namespace {

using store::Chunk;
using store::Connection;
using store::Stream;

std::string text_or_empty(const Chunk& chunk, size_t column, size_t row) {
  return chunk.valid(column, row) ? std::string(chunk.text(column, row)) : std::string();
}

std::optional<std::string> optional_text(const Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  return std::string(chunk.text(column, row));
}

std::optional<int64_t> optional_i64(const Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  return chunk.i64(column, row);
}

std::optional<Fraction> optional_fraction(const Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  return parse_fraction(chunk.text(column, row));
}

template <typename MakeRow>
void each_row(Connection& connection, const std::string& sql, MakeRow make_row) {
  Stream stream = connection.stream_store(sql);
  while (const Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) make_row(*chunk, row);
  }
}

void read_runs(Connection& connection, const std::string& alias, Facts* facts) {
  each_row(
      connection,
      fmt::format("SELECT run_id, attempt, parent_run_id, model, stage, team, name, experiment, "
                  "state, exit_reason, cost_center, start_ns, end_ns, last_checkpoint_ns, source "
                  "FROM {}.run",
                  alias),
      [&](const Chunk& chunk, size_t row) {
        RunRow run;
        run.run_id = text_or_empty(chunk, 0, row);
        run.attempt = chunk.i32(1, row);
        run.parent_run_id = text_or_empty(chunk, 2, row);
        run.model = text_or_empty(chunk, 3, row);
        run.stage = text_or_empty(chunk, 4, row);
        run.team = text_or_empty(chunk, 5, row);
        run.name = text_or_empty(chunk, 6, row);
        run.experiment = text_or_empty(chunk, 7, row);
        run.state = text_or_empty(chunk, 8, row);
        run.exit_reason = text_or_empty(chunk, 9, row);
        run.cost_center = text_or_empty(chunk, 10, row);
        run.start_ns = chunk.i64(11, row);
        run.end_ns = optional_i64(chunk, 12, row);
        run.last_checkpoint_ns = optional_i64(chunk, 13, row);
        run.source = text_or_empty(chunk, 14, row);
        facts->runs.push_back(std::move(run));
      });
}

void read_holds(Connection& connection, const std::string& alias, Facts* facts) {
  each_row(
      connection,
      fmt::format("SELECT run_id, attempt, resource_id, device, device_count, start_ns, end_ns, "
                  "weight, cpus, model, source FROM {}.hold",
                  alias),
      [&](const Chunk& chunk, size_t row) {
        HoldRow hold;
        hold.run_id = text_or_empty(chunk, 0, row);
        hold.attempt = chunk.i32(1, row);
        hold.resource_id = text_or_empty(chunk, 2, row);
        hold.device = optional_text(chunk, 3, row);
        hold.device_count = optional_i64(chunk, 4, row);
        hold.start_ns = chunk.i64(5, row);
        hold.end_ns = optional_i64(chunk, 6, row);
        hold.weight = optional_fraction(chunk, 7, row);
        hold.cpus = optional_fraction(chunk, 8, row);
        hold.model = text_or_empty(chunk, 9, row);
        hold.source = text_or_empty(chunk, 10, row);
        facts->holds.push_back(std::move(hold));
      });
}

void read_resources(Connection& connection, const std::string& alias, Facts* facts) {
  each_row(
      connection,
      fmt::format("SELECT resource_id, pool, team, device_model, devices, cpus, from_ns, to_ns "
                  "FROM {}.resource",
                  alias),
      [&](const Chunk& chunk, size_t row) {
        ResourceRow resource;
        resource.resource_id = text_or_empty(chunk, 0, row);
        resource.pool = text_or_empty(chunk, 1, row);
        resource.team = text_or_empty(chunk, 2, row);
        resource.device_model = text_or_empty(chunk, 3, row);
        resource.devices = optional_i64(chunk, 4, row);
        resource.cpus = optional_fraction(chunk, 5, row);
        resource.from_ns = optional_i64(chunk, 6, row);
        resource.to_ns = optional_i64(chunk, 7, row);
        facts->resources.push_back(std::move(resource));
      });
}

void read_aliases(Connection& connection, const std::string& alias, Facts* facts) {
  each_row(
      connection,
      fmt::format("SELECT alias, resource_id, device, from_ns, to_ns, source FROM {}.alias", alias),
      [&](const Chunk& chunk, size_t row) {
        facts->aliases.push_back({text_or_empty(chunk, 0, row), text_or_empty(chunk, 1, row),
                                  optional_text(chunk, 2, row), optional_i64(chunk, 3, row),
                                  optional_i64(chunk, 4, row), text_or_empty(chunk, 5, row)});
      });
}

void read_usage(Connection& connection, const std::string& alias, Facts* facts) {
  each_row(connection,
           fmt::format("SELECT resource_id, device, start_ns, end_ns, busy_ppb, sm_active_ppb, "
                       "tensor_active_ppb FROM {}.device_usage",
                       alias),
           [&](const Chunk& chunk, size_t row) {
             DeviceUsageRow usage;
             usage.resource_id = text_or_empty(chunk, 0, row);
             usage.device = text_or_empty(chunk, 1, row);
             usage.start_ns = chunk.i64(2, row);
             usage.end_ns = chunk.i64(3, row);
             usage.busy_ppb = optional_i64(chunk, 4, row);
             usage.sm_active_ppb = optional_i64(chunk, 5, row);
             usage.tensor_active_ppb = optional_i64(chunk, 6, row);
             facts->newest_sign_ns = std::max(facts->newest_sign_ns, usage.end_ns);
             facts->usage.push_back(std::move(usage));
           });
}

void read_requests(Connection& connection, const std::string& alias, Facts* facts) {
  each_row(connection,
           fmt::format(
               "SELECT model, count(*)::BIGINT, min(arrival_ns), max(arrival_ns) FROM {}.request "
               "GROUP BY model, date_trunc('month', make_timestamp_ns(arrival_ns))",
               alias),
           [&](const Chunk& chunk, size_t row) {
             Month month = month_of(chunk.i64(2, row));
             facts->requests[{text_or_empty(chunk, 0, row), month.index}] += chunk.i64(1, row);
             facts->newest_sign_ns = std::max(facts->newest_sign_ns, chunk.i64(3, row));
           });
}

void find_repeated_outcomes(Connection& connection, const std::vector<std::string>& aliases,
                            Facts* facts) {
  if (aliases.empty()) return;
  std::string rows;
  for (const std::string& alias : aliases) {
    rows += fmt::format("{}SELECT model, outcome, day_ns, source FROM {}.outcome",
                        rows.empty() ? "" : " UNION ALL ", alias);
  }
  each_row(
      connection,
      "SELECT model, outcome, CASE WHEN min(source) = max(source) THEN min(source) ELSE '' END, "
      "day_ns, count(*)::BIGINT - 1 FROM (" +
          rows + ") GROUP BY model, outcome, day_ns HAVING count(*) > 1 ORDER BY ALL",
      [&](const Chunk& chunk, size_t row) {
        facts->repeated_outcomes.push_back(
            {text_or_empty(chunk, 0, row), text_or_empty(chunk, 1, row),
             text_or_empty(chunk, 2, row), chunk.i64(3, row), chunk.i64(4, row)});
      });
}

void read_dims(Connection& connection, BillFile* bill) {
  std::string columns = "id";
  for (const char* name : kDimColumnNames) columns += fmt::format(", {}", name);
  const store::Result count =
      connection.query(fmt::format("SELECT count(*) FROM {}.dim", bill->alias));
  bill->dims.reserve(static_cast<size_t>(count.i64(0, 0)));
  each_row(connection, fmt::format("SELECT {} FROM {}.dim", columns, bill->alias),
           [&](const Chunk& chunk, size_t row) {
             BillDim dim;
             dim.id = chunk.i32(0, row);
             for (size_t i = 0; i < kDimColumns; ++i) {
               if (chunk.valid(i + 1, row)) dim.text[i] = chunk.text(i + 1, row);
             }
             TARE_ASSERT(dim.id == static_cast<int32_t>(bill->dims.size()),
                         "dim ids are 0, 1, 2, ...");
             bill->dims.push_back(dim);
           });
}

void sort_facts(Facts* facts) {
  auto run_key = [](const RunRow& r) {
    return std::tie(r.run_id, r.attempt, r.start_ns, r.end_ns, r.last_checkpoint_ns, r.model,
                    r.stage, r.state, r.source, r.parent_run_id, r.team, r.name, r.experiment,
                    r.exit_reason, r.cost_center);
  };
  std::sort(facts->runs.begin(), facts->runs.end(),
            [&](const RunRow& a, const RunRow& b) { return run_key(a) < run_key(b); });
  auto parts = [](const std::optional<Fraction>& f) {
    return f ? std::pair(f->num, f->den) : std::pair<int64_t, int64_t>(-1, 1);
  };
  auto hold_key = [](const HoldRow& h) {
    return std::tie(h.resource_id, h.start_ns, h.end_ns, h.run_id, h.attempt, h.device,
                    h.device_count, h.model, h.source);
  };
  std::sort(facts->holds.begin(), facts->holds.end(), [&](const HoldRow& a, const HoldRow& b) {
    if (hold_key(a) != hold_key(b)) return hold_key(a) < hold_key(b);
    return std::pair(parts(a.weight), parts(a.cpus)) < std::pair(parts(b.weight), parts(b.cpus));
  });
  auto resource_key = [](const ResourceRow& r) {
    return std::tie(r.resource_id, r.from_ns, r.to_ns, r.pool, r.team, r.devices, r.device_model);
  };
  std::sort(facts->resources.begin(), facts->resources.end(),
            [&](const ResourceRow& a, const ResourceRow& b) {
              return resource_key(a) < resource_key(b);
            });
  auto alias_key = [](const AliasRow& a) {
    return std::tie(a.alias, a.from_ns, a.to_ns, a.resource_id, a.device);
  };
  std::sort(facts->aliases.begin(), facts->aliases.end(),
            [&](const AliasRow& a, const AliasRow& b) { return alias_key(a) < alias_key(b); });
}

}  // namespace

Facts read_facts(Connection& connection, const std::string& store_directory,
                 const store::Catalog& catalog) {
  Facts facts;
  std::vector<std::string> outcomes;
  int number = 0;
  for (const store::StoreFile& file : catalog.files) {
    if (file.kind != "bill" && file.kind != "facts") continue;
    std::string alias = fmt::format("f{}", number++);
    store::attach_file(connection, store_directory + "/" + file.name, alias);
    if (file.kind == "bill") {
      BillFile bill{.name = file.name,
                    .alias = alias,
                    .source = file.source,
                    .period = file.period,
                    .dims = {}};
      read_dims(connection, &bill);
      facts.bills.push_back(std::move(bill));
    } else if (file.table == "run") {
      read_runs(connection, alias, &facts);
    } else if (file.table == "hold") {
      read_holds(connection, alias, &facts);
    } else if (file.table == "resource") {
      read_resources(connection, alias, &facts);
    } else if (file.table == "alias") {
      read_aliases(connection, alias, &facts);
    } else if (file.table == "device_usage") {
      read_usage(connection, alias, &facts);
    } else if (file.table == "request") {
      read_requests(connection, alias, &facts);
    } else if (file.table == "outcome") {
      outcomes.push_back(alias);
    }
  }
  find_repeated_outcomes(connection, outcomes, &facts);
  std::sort(facts.bills.begin(), facts.bills.end(),
            [](const BillFile& a, const BillFile& b) { return a.name < b.name; });
  sort_facts(&facts);
  return facts;
}

}  // namespace tare::timeline
