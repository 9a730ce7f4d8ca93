#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_outcomes {

enum Column { kModel, kOutcome, kDay, kCount, kCountLow, kCountHigh, kLabelledUntil, kColumns };

constexpr auto kTable = std::to_array<PlainColumn>({
    {"model", Need::kCell, CellType::kText, "the model"},
    {"outcome", Need::kCell, CellType::kText,
     "what is counted; predictions is what cost per thousand predictions divides by"},
    {"day", Need::kCell, CellType::kDay, "the day, in UTC"},
    {"count", Need::kCell, CellType::kDecimal, "how many"},
    {"count_low", Need::kOptional, CellType::kDecimal,
     "lower limit, where the count is an estimate"},
    {"count_high", Need::kOptional, CellType::kDecimal, "upper limit"},
    {"labelled_until", Need::kOptional, CellType::kTime, "until when labels had arrived"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  OutcomeRow row;
  row.model = in.text_or_empty(kModel);
  row.outcome = in.text_or_empty(kOutcome);
  row.day_ns = in.time(kDay).value_or(0);
  row.count = in.decimal(kCount).value_or(Money());
  row.count_low = in.decimal(kCountLow);
  row.count_high = in.decimal(kCountHigh);
  row.labelled_until_ns = in.time(kLabelledUntil);
  if (in.rejected()) return;
  // Limits that do not hold the count are no limits of it.
  if (row.count_low && *row.count_low > row.count) {
    in.note("quantity-unreadable", kCountLow);
    row.count_low.reset();
  }
  if (row.count_high && *row.count_high < row.count) {
    in.note("quantity-unreadable", kCountHigh);
    row.count_high.reset();
  }
  // An estimate, such as what an experiment added, may be below zero; what was counted can't be.
  if (row.count.is_negative() && !row.count_low && !row.count_high) {
    in.note("outcome-negative", kCount);
  }
  out.text(row.model)
      .text(row.outcome)
      .number(row.day_ns)
      .money(row.count)
      .money(row.count_low)
      .money(row.count_high)
      .number(row.labelled_until_ns)
      .end();
}

}  // namespace of_outcomes
}  // namespace

constinit const PlainFormat kOutcomesFormat = {"outcomes",
                                               SourceKind::kOutcomes,
                                               "what models achieved, a day and outcome a row",
                                               of_outcomes::kTable,
                                               "outcome",
                                               store::outcome_columns,
                                               of_outcomes::make_row};

}  // namespace tare::sources
