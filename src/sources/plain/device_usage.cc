#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_device_usage {

enum Column {
  kResourceId,
  kDevice,
  kStart,
  kEnd,
  kBusyRatio,
  kSmActiveRatio,
  kTensorActiveRatio,
  kDramActiveRatio,
  kMemoryUsedBytes,
  kPowerWatts,
  kColumns
};

constexpr auto kTable = std::to_array<PlainColumn>({
    {"resource_id", Need::kCell, CellType::kText, "the machine, as the bill or an alias names it"},
    {"device", Need::kCell, CellType::kText, "the device, by index or UUID"},
    {"start", Need::kCell, CellType::kTime, "of the interval that the row averages"},
    {"end", Need::kCell, CellType::kTime, "of the interval, after its start"},
    {"busy_ratio", Need::kOptional, CellType::kRatio, "part of the interval with a kernel running"},
    {"sm_active_ratio", Need::kOptional, CellType::kRatio,
     "average part of multiprocessors at work"},
    {"tensor_active_ratio", Need::kOptional, CellType::kRatio, "part with tensor cores at work"},
    {"dram_active_ratio", Need::kOptional, CellType::kRatio, "part with device memory at work"},
    {"memory_used_bytes", Need::kOptional, CellType::kCount, "device memory in use"},
    {"power_watts", Need::kOptional, CellType::kDecimal, "average power"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  DeviceUsageRow row;
  row.resource_id = in.text_or_empty(kResourceId);
  row.device = in.text_or_empty(kDevice);
  row.start_ns = in.time(kStart).value_or(0);
  row.end_ns = in.time(kEnd).value_or(0);
  row.busy_ppb = in.ratio_ppb(kBusyRatio);
  row.sm_active_ppb = in.ratio_ppb(kSmActiveRatio);
  row.tensor_active_ppb = in.ratio_ppb(kTensorActiveRatio);
  row.dram_active_ppb = in.ratio_ppb(kDramActiveRatio);
  row.memory_used_bytes = in.sign_count(kMemoryUsedBytes);
  row.power_watts = in.sign_decimal(kPowerWatts);
  // An average over no time says nothing.
  if (!in.rejected() && row.end_ns <= row.start_ns) in.reject("row-unreadable", kEnd);
  if (in.rejected()) return;
  out.text(row.resource_id)
      .text(row.device)
      .number(row.start_ns)
      .number(row.end_ns)
      .number(row.busy_ppb)
      .number(row.sm_active_ppb)
      .number(row.tensor_active_ppb)
      .number(row.dram_active_ppb)
      .number(row.memory_used_bytes)
      .money(row.power_watts)
      .end();
}

}  // namespace of_device_usage
}  // namespace

constinit const PlainFormat kDeviceUsageFormat = {
    "device-usage",           SourceKind::kTelemetry, "how busy each device was, an interval a row",
    of_device_usage::kTable,  "device_usage",         store::device_usage_columns,
    of_device_usage::make_row};

}  // namespace tare::sources
