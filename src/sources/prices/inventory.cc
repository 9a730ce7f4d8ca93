#include "sources/prices/inventory.h"

#include <algorithm>

namespace tare::sources {
namespace {

std::optional<Money> optional_money(const store::Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  return Money::from_stored(chunk.i64(column, row), chunk.i64(column + 1, row));
}

std::optional<int64_t> optional_ns(const store::Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  return chunk.i64(column, row);
}

class InventoryReader {
 public:
  InventoryReader(store::Connection& connection, const std::string& currency)
      : connection_(connection), currency_(currency) {}

  void read(const store::StoreFile& file, const std::string& alias) {
    if (file.kind == "bill") read_bill(alias);
    if (file.table == "resource") read_machines(alias);
    if (file.table == "rate_card") read_cards(alias);
    if (file.table == "alias") read_aliases(alias);
    if (file.table == "device_usage")
      read_end("SELECT max(end_ns) FROM " + alias + ".device_usage");
    if (file.table == "request") read_end("SELECT max(arrival_ns) FROM " + alias + ".request");
  }

  Inventory finish() {
    for (auto& [name, spans] : inventory_.machines) {
      std::sort(spans.begin(), spans.end());
      spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
    }
    std::sort(inventory_.cards.begin(), inventory_.cards.end());
    for (const auto& [name, month] : billed_names_) {
      for (const std::string& meant : meanings_of(inventory_.aliases, name))
        inventory_.billed.emplace(meant, month);
    }
    return std::move(inventory_);
  }

 private:
  template <typename Use>
  void each_row(const std::string& sql, Use use) {
    store::Stream stream = connection_.stream_store(sql);
    while (const store::Chunk* chunk = stream.next()) {
      for (size_t row = 0; row < chunk->rows(); ++row) use(*chunk, row);
    }
  }

  void read_end(const std::string& sql) {
    each_row(sql, [&](const store::Chunk& chunk, size_t row) {
      if (!chunk.valid(0, row)) return;
      inventory_.horizon_ns =
          std::max(inventory_.horizon_ns.value_or(INT64_MIN), chunk.i64(0, row));
    });
  }

  void read_bill(const std::string& alias) {
    const std::string joined =
        " FROM " + alias + ".line AS line JOIN " + alias + ".dim AS dim ON dim.id = line.dim ";
    read_end("SELECT max(line.charge_end)" + joined + "WHERE dim.charge_category = 'Usage'");
    each_row("SELECT dim.resource_id, min(line.charge_start)" + joined +
                 "WHERE dim.resource_id IS NOT NULL GROUP BY dim.resource_id, "
                 "date_trunc('month', make_timestamp_ns(line.charge_start))",
             [&](const store::Chunk& chunk, size_t row) {
               billed_names_.emplace(chunk.text(0, row), month_of(chunk.i64(1, row)));
             });
  }

  void read_machines(const std::string& alias) {
    each_row("SELECT resource_id, from_ns, to_ns FROM " + alias + ".resource",
             [&](const store::Chunk& chunk, size_t row) {
               const Span span{optional_ns(chunk, 1, row).value_or(INT64_MIN),
                               optional_ns(chunk, 2, row).value_or(kNoEnd)};
               inventory_.machines[std::string(chunk.text(0, row))].push_back(span);
             });
  }

  void read_aliases(const std::string& alias) {
    each_row("SELECT alias, resource_id FROM " + alias + ".alias",
             [&](const store::Chunk& chunk, size_t row) {
               inventory_.aliases[std::string(chunk.text(0, row))].emplace(chunk.text(1, row));
             });
  }

  void read_cards(const std::string& alias) {
    each_row(
        "SELECT resource_id, pool, team, currency, from_ns, to_ns, per_hour_units, per_hour_atto, "
        "capex_units, capex_atto, life_years_units, life_years_atto, power_watts_units, "
        "power_watts_atto, per_kwh_units, per_kwh_atto, pue_units, pue_atto, "
        "staff_per_year_units, staff_per_year_atto, source FROM " +
            alias + ".rate_card",
        [&](const store::Chunk& chunk, size_t row) {
          RateCardRow card;
          card.pattern = chunk.text(0, row);
          card.pool = chunk.text(1, row);
          card.team = chunk.text(2, row);
          card.currency = chunk.text(3, row);
          card.from_ns = chunk.i64(4, row);
          card.to_ns = optional_ns(chunk, 5, row);
          card.per_hour = optional_money(chunk, 6, row);
          card.capex = optional_money(chunk, 8, row);
          card.life_years = optional_money(chunk, 10, row);
          card.power_watts = optional_money(chunk, 12, row);
          card.per_kwh = optional_money(chunk, 14, row);
          card.pue = optional_money(chunk, 16, row);
          card.staff_per_year = optional_money(chunk, 18, row);
          card.source = chunk.text(20, row);
          inventory_.cards.emplace_back(std::move(card), currency_);
        });
  }

  store::Connection& connection_;
  const std::string& currency_;
  Inventory inventory_;
  std::set<std::pair<std::string, Month>> billed_names_;
};

}  // namespace

std::set<std::string> meanings_of(const std::map<std::string, std::set<std::string>>& aliases,
                                  const std::string& name) {
  std::set<std::string> found = {name};
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    const auto next = aliases.find(open.back());
    open.pop_back();
    if (next == aliases.end()) continue;
    for (const std::string& meant : next->second) {
      if (found.insert(meant).second) open.push_back(meant);
    }
  }
  return found;
}

bool Inventory::is_billed(const std::string& machine, Month month) const {
  const std::set<std::string> names = meanings_of(aliases, machine);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return billed.contains({name, month}); });
}

Inventory read_inventory(const std::string& store_directory, const store::Catalog& catalog,
                         const std::string& currency) {
  store::Database database;
  store::Connection connection = database.connect();
  InventoryReader reader(connection, currency);
  int number = 0;
  for (const store::StoreFile& file : catalog.files) {
    if (file.kind != "bill" && file.kind != "facts") continue;
    const std::string alias = "priced_" + std::to_string(number++);
    store::attach_file(connection, store_directory + "/" + file.name, alias);
    reader.read(file, alias);
  }
  return reader.finish();
}

}  // namespace tare::sources
