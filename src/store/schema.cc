#include "store/schema.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "store/rows.h"

namespace tare {

const std::array<const char*, kDimColumns> kDimColumnNames = {"billing_currency",
                                                              "billing_account_id",
                                                              "sub_account_id",
                                                              "invoice_id",
                                                              "invoice_issuer_name",
                                                              "charge_category",
                                                              "charge_class",
                                                              "service_name",
                                                              "service_category",
                                                              "resource_id",
                                                              "resource_type",
                                                              "region_id",
                                                              "provider_name",
                                                              "sku_id",
                                                              "sku_price_id",
                                                              "sku_price_details",
                                                              "pricing_category",
                                                              "commitment_discount_id",
                                                              "commitment_discount_status",
                                                              "capacity_reservation_id",
                                                              "capacity_reservation_status",
                                                              "consumed_unit",
                                                              "pricing_unit",
                                                              "charge_description",
                                                              "charge_frequency",
                                                              "tags",
                                                              "run_id"};

}  // namespace tare

namespace tare::store {

namespace {

// Reads like the column lists of schema.h: a list is built once, left to right.
class Columns {
 public:
  Columns&& texts(std::initializer_list<const char*> names) && {
    return add(names, Type::kVarchar);
  }
  Columns&& numbers(std::initializer_list<const char*> names) && {
    return add(names, Type::kBigint);
  }
  Columns&& integers(std::initializer_list<const char*> names) && {
    return add(names, Type::kInteger);
  }
  Columns&& enums(std::initializer_list<const char*> names) && {
    return add(names, Type::kUtinyint);
  }
  Columns&& boolean(const char* name) && { return add({name}, Type::kBoolean); }
  Columns&& uuid(const char* name) && { return add({name}, Type::kUuid); }
  Columns&& decimal(const char* name) && { return add({name}, Type::kDecimal); }
  Columns&& money(std::initializer_list<const char*> names) && {
    for (const char* name : names) {
      columns_.push_back({std::string(name) + "_units", Type::kBigint});
      columns_.push_back({std::string(name) + "_atto", Type::kBigint});
    }
    return std::move(*this);
  }
  Columns&& costs() && {
    return std::move(*this).money({"billed", "effective", "list", "contracted"});
  }
  Columns&& summed_costs() && {
    return std::move(*this).costs().money(
        {"effective_missing", "list_missing", "contracted_missing"});
  }
  std::vector<ColumnSpec> list() && { return std::move(columns_); }

 private:
  Columns&& add(std::initializer_list<const char*> names, Type type) {
    for (const char* name : names) columns_.push_back({name, type});
    return std::move(*this);
  }
  std::vector<ColumnSpec> columns_;
};

}  // namespace

const std::vector<ColumnSpec>& dim_columns() {
  static const std::vector<ColumnSpec> columns = [] {
    std::vector<ColumnSpec> list = {{"id", Type::kInteger}};
    for (const char* name : kDimColumnNames) list.push_back({name, Type::kVarchar});
    return list;
  }();
  return columns;
}

const std::vector<ColumnSpec>& line_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .uuid("id")
                                                     .integers({"dim"})
                                                     .numbers({"charge_start", "charge_end"})
                                                     .costs()
                                                     .money({"consumed", "pricing"})
                                                     .texts({"x"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& line_sum_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .integers({"month"})
          .texts({"billing_currency", "invoice_issuer_name", "invoice_id", "charge_category",
                  "commitment_discount_id", "commitment_discount_status"})
          .summed_costs()
          .numbers({"lines", "effective_unknown", "list_unknown", "contracted_unknown"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& quarantine_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns().texts({"place", "code", "text"}).decimal("cost").texts({"currency"}).list();
  return columns;
}

const std::vector<ColumnSpec>& run_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .texts({"run_id"})
          .integers({"attempt"})
          .texts({"parent_run_id", "model", "stage", "team", "name", "experiment", "state",
                  "exit_reason", "cost_center"})
          .numbers({"start_ns", "end_ns", "last_checkpoint_ns", "rows_in"})
          .texts({"source"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& hold_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .texts({"run_id"})
          .integers({"attempt"})
          .texts({"resource_id", "device"})
          .numbers({"device_count", "start_ns", "end_ns"})
          .texts({"weight", "cpus", "model", "source"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& resource_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .texts({"resource_id", "pool", "team", "device_model"})
          .numbers({"devices", "memory_bytes"})
          .texts({"cpus"})
          .numbers({"from_ns", "to_ns"})
          .texts({"source"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& alias_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"alias", "resource_id", "device"})
                                                     .numbers({"from_ns", "to_ns"})
                                                     .texts({"source"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& device_usage_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .texts({"resource_id", "device"})
          .numbers({"start_ns", "end_ns", "busy_ppb", "sm_active_ppb", "tensor_active_ppb",
                    "dram_active_ppb", "memory_used_bytes"})
          .money({"power_watts"})
          .texts({"source"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& outcome_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"model", "outcome"})
                                                     .numbers({"day_ns"})
                                                     .money({"count", "count_low", "count_high"})
                                                     .numbers({"labelled_until_ns"})
                                                     .texts({"source"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& invoice_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"invoice_id", "currency", "issuer"})
                                                     .money({"total"})
                                                     .numbers({"billing_period_start_ns"})
                                                     .texts({"source"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& rate_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"from_currency", "to_currency"})
                                                     .numbers({"day_ns"})
                                                     .money({"rate"})
                                                     .texts({"source"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& rate_card_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .texts({"resource_id", "pool", "team", "currency"})
          .numbers({"from_ns", "to_ns"})
          .money({"per_hour", "capex", "life_years", "power_watts", "per_kwh", "pue",
                  "staff_per_year"})
          .texts({"source"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& usable_rate_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns().texts({"from_currency", "to_currency"}).numbers({"day_ns"}).money({"rate"}).list();
  return columns;
}

const std::vector<ColumnSpec>& used_rate_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .integers({"id"})
                                                     .texts({"from_currency", "to_currency"})
                                                     .numbers({"day_ns"})
                                                     .money({"rate"})
                                                     .boolean("inverse")
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& converted_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns().integers({"line", "dim", "rate"}).costs().list();
  return columns;
}

const std::vector<ColumnSpec>& conversion_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .integers({"month", "rate"})
          .texts({"issuer", "invoice_id"})
          .numbers({"lines", "effective_unknown", "list_unknown", "contracted_unknown"})
          .money({"own_billed", "own_effective", "own_list", "own_contracted",
                  "own_effective_missing", "own_list_missing", "own_contracted_missing"})
          .summed_costs()
          .list();
  return columns;
}

const std::vector<ColumnSpec>& request_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"model"})
                                                     .numbers({"arrival_ns"})
                                                     .money({"service_ms", "queue_ms"})
                                                     .texts({"key", "status", "replica"})
                                                     .numbers({"size", "tokens_in", "tokens_out"})
                                                     .texts({"source"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& retrain_data_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .texts({"model"})
          .numbers({"day_ns", "rows_changed", "rows_total"})
          .texts({"source"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& timeline_run_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .texts({"run_id"})
          .integers({"attempt"})
          .texts({"parent_run_id", "model", "stage", "team", "state"})
          .numbers({"start_ns", "end_ns"})
          .texts({"end_known_by", "source", "exit_reason"})
          .numbers({"last_checkpoint_ns"})
          .texts({"name", "experiment", "cost_center"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& timeline_hold_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"run_id"})
                                                     .integers({"attempt"})
                                                     .texts({"resource_id", "device"})
                                                     .numbers({"start_ns", "end_ns"})
                                                     .texts({"weight"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& timeline_resource_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"resource_id", "pool", "team"})
                                                     .numbers({"devices"})
                                                     .enums({"device_class"})
                                                     .texts({"device_model", "cpus"})
                                                     .numbers({"tracked_from_ns"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& device_state_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"resource_id", "device"})
                                                     .numbers({"start_ns", "end_ns"})
                                                     .texts({"run_id"})
                                                     .integers({"attempt"})
                                                     .enums({"state"})
                                                     .numbers({"state_ns"})
                                                     .enums({"source"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& retrain_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns().texts({"model"}).integers({"month"}).texts({"run_id"}).numbers({"runs"}).list();
  return columns;
}

const std::vector<ColumnSpec>& account_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .integers({"id"})
          .texts({"account", "kind", "model", "stage", "team", "pool", "run_id"})
          .integers({"attempt"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& posting_dim_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .integers({"id"})
          .texts({"currency", "invoice_id", "issuer", "service_name", "service_category",
                  "region_id", "resource_id", "billing_account_id"})
          .enums({"device_class"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& posting_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .integers({"line", "dim", "account"})
                                                     .enums({"rule"})
                                                     .costs()
                                                     .numbers({"held_ns", "billed_ns"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& day_cost_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .integers({"dim", "account"})
                                                     .enums({"rule", "state"})
                                                     .boolean("busy_known")
                                                     .integers({"month"})
                                                     .numbers({"day"})
                                                     .summed_costs()
                                                     .numbers({"postings", "held_ns", "billed_ns"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& month_cost_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns()
          .integers({"month"})
          .texts({"currency", "issuer", "invoice_id", "kind", "model", "stage", "pool"})
          .enums({"device_class", "state"})
          .boolean("busy_known")
          .summed_costs()
          .numbers({"billed_ns"})
          .list();
  return columns;
}

const std::vector<ColumnSpec>& finding_columns() {
  static const std::vector<ColumnSpec> columns = Columns()
                                                     .texts({"code", "source", "subject"})
                                                     .numbers({"rows"})
                                                     .texts({"currency"})
                                                     .money({"cost"})
                                                     .list();
  return columns;
}

const std::vector<ColumnSpec>& finding_example_columns() {
  static const std::vector<ColumnSpec> columns =
      Columns().texts({"code", "source", "subject", "place", "text", "cost"}).list();
  return columns;
}

std::span<const TableSpec> store_tables() {
  static constexpr auto kTables = std::to_array<TableSpec>({
      {"bill", "dim", "store_dim", dim_columns},
      {"bill", "line", "store_line", line_columns, true},
      {"bill", "line_sum", "store_line_sum", line_sum_columns},
      {"", "quarantine", "store_quarantine", quarantine_columns},
      {"facts", "run", "store_run_raw", run_columns},
      {"facts", "hold", "store_hold_raw", hold_columns},
      {"facts", "resource", "store_resource_raw", resource_columns},
      {"facts", "alias", "store_alias_raw", alias_columns},
      {"facts", "device_usage", "store_device_usage", device_usage_columns},
      {"facts", "outcome", "store_outcome", outcome_columns},
      {"facts", "invoice", "store_invoice", invoice_columns},
      {"facts", "rate", "store_rate_raw", rate_columns},
      {"facts", "rate_card", "store_rate_card", rate_card_columns},
      {"facts", "request", "store_request", request_columns},
      {"facts", "retrain_data", "store_retrain_data", retrain_data_columns},
      {"timeline", "run", "store_run", timeline_run_columns},
      {"timeline", "hold", "store_hold", timeline_hold_columns},
      {"timeline", "resource", "store_resource", timeline_resource_columns},
      {"timeline", "device_state", "store_device_state", device_state_columns},
      {"timeline", "retrain", "store_retrain", retrain_columns},
      {"rates", "rate", "store_rate", usable_rate_columns},
      {"ledger", "account", "store_account", account_columns},
      {"ledger", "posting_dim", "store_posting_dim", posting_dim_columns},
      {"ledger", "posting", "store_posting", posting_columns, true},
      {"ledger", "day_cost", "store_day_cost", day_cost_columns},
      {"ledger", "month_cost", "store_month_cost", month_cost_columns},
      {"ledger", "used_rate", "store_used_rate", used_rate_columns},
      {"ledger", "converted", "store_converted", converted_columns},
      {"ledger", "conversion", "store_conversion", conversion_columns},
      {"", "finding", "store_finding", finding_columns},
      {"", "finding_example", "store_finding_example", finding_example_columns},
  });
  return kTables;
}

}  // namespace tare::store
