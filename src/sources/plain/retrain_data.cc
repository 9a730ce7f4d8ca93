#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_retrain_data {

enum Column { kModel, kDay, kRowsChanged, kRowsTotal, kColumns };

constexpr auto kTable = std::to_array<PlainColumn>({
    {"model", Need::kCell, CellType::kText, "the model that is trained on the data"},
    {"day", Need::kCell, CellType::kDay, "the day, in UTC"},
    {"rows_changed", Need::kCell, CellType::kCount, "rows that were added or changed on the day"},
    {"rows_total", Need::kOptional, CellType::kCount, "rows in all"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  RetrainDataRow row;
  row.model = in.text_or_empty(kModel);
  row.day_ns = in.time(kDay).value_or(0);
  row.rows_changed = in.count(kRowsChanged).value_or(0);
  row.rows_total = in.count(kRowsTotal);
  if (in.rejected()) return;
  out.text(row.model).number(row.day_ns).number(row.rows_changed).number(row.rows_total).end();
}

}  // namespace of_retrain_data
}  // namespace

constinit const PlainFormat kRetrainDataFormat = {
    "retrain-data",           SourceKind::kRuns, "how much training data changed, a day a row",
    of_retrain_data::kTable,  "retrain_data",    store::retrain_data_columns,
    of_retrain_data::make_row};

}  // namespace tare::sources
