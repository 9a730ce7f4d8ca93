#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_replicas {

enum Column { kModel, kResourceId, kStart, kEnd, kEndpoint, kDevice, kWeight, kCount, kColumns };

constexpr auto kTable = std::to_array<PlainColumn>({
    {"model", Need::kCell, CellType::kText, "the model that is served"},
    {"resource_id", Need::kCell, CellType::kText, "the machine, as the bill or an alias names it"},
    {"start", Need::kCell, CellType::kTime, "from when"},
    {"end", Need::kColumn, CellType::kTime, "until when; empty: still there, or unknown"},
    {"endpoint", Need::kOptional, CellType::kText, "the endpoint; else it is named as the model"},
    {"device", Need::kOptional, CellType::kText, "the device, by index or UUID"},
    {"weight", Need::kOptional, CellType::kFraction, "the part of a device, such as 1/7"},
    {"count", Need::kOptional, CellType::kCount, "how many devices, where no index is known"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  HoldRow row;
  row.model = in.text_or_empty(kModel);
  row.run_id = "endpoint/" + in.optional_text(kEndpoint).value_or(row.model);
  row.resource_id = in.text_or_empty(kResourceId);
  row.device = in.optional_text(kDevice);
  row.device_count = in.count(kCount);
  row.start_ns = in.time(kStart).value_or(0);
  row.end_ns = in.time(kEnd);
  row.weight = in.fraction(kWeight);
  write_hold(row, kEnd, in, out);
}

}  // namespace of_replicas
}  // namespace

constinit const PlainFormat kReplicasFormat = {"replicas",
                                               SourceKind::kHolds,
                                               "the machines of endpoints over time",
                                               of_replicas::kTable,
                                               "hold",
                                               store::hold_columns,
                                               of_replicas::make_row};

}  // namespace tare::sources
