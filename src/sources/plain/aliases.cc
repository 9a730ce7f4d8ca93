#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_aliases {

enum Column { kAlias, kResourceId, kDevice, kFrom, kTo, kColumns };

constexpr auto kTable = std::to_array<PlainColumn>({
    {"alias", Need::kCell, CellType::kText, "another name of the machine, or of the device"},
    {"resource_id", Need::kCell, CellType::kText, "the machine, as the bill names it"},
    {"device", Need::kOptional, CellType::kText, "the device that the alias names"},
    {"from", Need::kOptional, CellType::kTime, "since when"},
    {"to", Need::kOptional, CellType::kTime, "until when"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  AliasRow row;
  row.alias = in.text_or_empty(kAlias);
  row.resource_id = in.text_or_empty(kResourceId);
  row.device = in.optional_text(kDevice);
  row.from_ns = in.time(kFrom);
  row.to_ns = in.time(kTo);
  if (row.from_ns && row.to_ns && *row.to_ns < *row.from_ns) in.reject("row-unreadable", kTo);
  if (in.rejected()) return;
  out.text(row.alias)
      .text(row.resource_id)
      .optional_text(row.device)
      .number(row.from_ns)
      .number(row.to_ns)
      .end();
}

}  // namespace of_aliases
}  // namespace

constinit const PlainFormat kAliasesFormat = {"aliases",
                                              SourceKind::kAliases,
                                              "other names of machines and devices",
                                              of_aliases::kTable,
                                              "alias",
                                              store::alias_columns,
                                              of_aliases::make_row};

}  // namespace tare::sources
