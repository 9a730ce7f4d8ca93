#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_holds {

enum Column {
  kRunId,
  kResourceId,
  kStart,
  kEnd,
  kAttempt,
  kDevice,
  kDeviceCount,
  kWeight,
  kCpus,
  kColumns
};

constexpr auto kTable = std::to_array<PlainColumn>({
    {"run_id", Need::kCell, CellType::kText, "the run that holds"},
    {"resource_id", Need::kCell, CellType::kText, "the machine, as the bill or an alias names it"},
    {"start", Need::kCell, CellType::kTime, "from when"},
    {"end", Need::kColumn, CellType::kTime, "until when; empty: until the run ends"},
    {"attempt", Need::kOptional, CellType::kCount, "of a retried run: 0, 1, ..."},
    {"device", Need::kOptional, CellType::kText, "the device, by index or UUID"},
    {"device_count", Need::kOptional, CellType::kCount,
     "how many devices, where no index is known"},
    {"weight", Need::kOptional, CellType::kFraction,
     "the part of a device that is held, such as 1/7; without it, an equal share of what is left"},
    {"cpus", Need::kOptional, CellType::kFraction,
     "requested CPUs, on a node without accelerators"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  HoldRow row;
  row.run_id = in.text_or_empty(kRunId);
  row.attempt = static_cast<int32_t>(in.count(kAttempt, INT32_MAX).value_or(0));
  row.resource_id = in.text_or_empty(kResourceId);
  row.device = in.optional_text(kDevice);
  row.device_count = in.count(kDeviceCount);
  row.start_ns = in.time(kStart).value_or(0);
  row.end_ns = in.time(kEnd);
  row.weight = in.fraction(kWeight);
  row.cpus = in.fraction(kCpus);
  write_hold(row, kEnd, in, out);
}

}  // namespace of_holds
}  // namespace

void write_hold(const HoldRow& row, int end_column, RowReader& in, RowWriter& out) {
  if (!in.rejected() && row.end_ns && *row.end_ns < row.start_ns) {
    in.reject("hold-end-before-start", end_column);
  }
  if (in.rejected()) return;
  out.text(row.run_id)
      .small(row.attempt)
      .text(row.resource_id)
      .optional_text(row.device)
      .number(row.device_count)
      .number(row.start_ns)
      .number(row.end_ns)
      .fraction(row.weight)
      .fraction(row.cpus)
      .text(row.model)
      .end();
}

constinit const PlainFormat kHoldsFormat = {"holds",
                                            SourceKind::kHolds,
                                            "who held which machine or device",
                                            of_holds::kTable,
                                            "hold",
                                            store::hold_columns,
                                            of_holds::make_row};

}  // namespace tare::sources
