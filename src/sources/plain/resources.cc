#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_resources {

enum Column {
  kResourceId,
  kPool,
  kTeam,
  kDevices,
  kDeviceModel,
  kCpus,
  kMemoryBytes,
  kFrom,
  kTo,
  kColumns
};

constexpr auto kTable = std::to_array<PlainColumn>({
    {"resource_id", Need::kCell, CellType::kText, "the machine, as the bill or an alias names it"},
    {"pool", Need::kOptional, CellType::kText, "the pool that its idle time goes to"},
    {"team", Need::kOptional, CellType::kText, "who owns it"},
    {"devices", Need::kOptional, CellType::kCount, "accelerators; 0 for none"},
    {"device_model", Need::kOptional, CellType::kText, "the accelerator's name"},
    {"cpus", Need::kOptional, CellType::kFraction, "CPUs"},
    {"memory_bytes", Need::kOptional, CellType::kCount, "memory"},
    {"from", Need::kOptional, CellType::kTime, "since when this row holds"},
    {"to", Need::kOptional, CellType::kTime, "until when this row holds"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  ResourceRow row;
  row.resource_id = in.text_or_empty(kResourceId);
  row.pool = in.text_or_empty(kPool);
  row.team = in.text_or_empty(kTeam);
  row.device_model = in.text_or_empty(kDeviceModel);
  row.devices = in.count(kDevices);
  row.memory_bytes = in.count(kMemoryBytes);
  row.cpus = in.fraction(kCpus);
  row.from_ns = in.time(kFrom);
  row.to_ns = in.time(kTo);
  if (row.from_ns && row.to_ns && *row.to_ns < *row.from_ns) in.reject("row-unreadable", kTo);
  if (in.rejected()) return;
  out.text(row.resource_id)
      .text(row.pool)
      .text(row.team)
      .text(row.device_model)
      .number(row.devices)
      .number(row.memory_bytes)
      .fraction(row.cpus)
      .number(row.from_ns)
      .number(row.to_ns)
      .end();
}

}  // namespace of_resources
}  // namespace

constinit const PlainFormat kResourcesFormat = {
    "resources", SourceKind::kResources,  "inventory of machines", of_resources::kTable,
    "resource",  store::resource_columns, of_resources::make_row};

}  // namespace tare::sources
