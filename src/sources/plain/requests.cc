#include "sources/plain/formats.h"

namespace tare::sources {
namespace {
namespace of_requests {

enum Column {
  kModel,
  kArrival,
  kServiceMs,
  kQueueMs,
  kKey,
  kSize,
  kTokensIn,
  kTokensOut,
  kStatus,
  kReplica,
  kColumns
};

constexpr auto kTable = std::to_array<PlainColumn>({
    {"model", Need::kCell, CellType::kText, "the model that was asked"},
    {"arrival", Need::kCell, CellType::kTime, "when the request arrived"},
    {"service_ms", Need::kOptional, CellType::kDecimal, "time of the answer, without waiting"},
    {"queue_ms", Need::kOptional, CellType::kDecimal, "time it waited"},
    {"key", Need::kOptional, CellType::kText, "what makes two requests the same, for caching"},
    {"size", Need::kOptional, CellType::kCount, "items in the request"},
    {"tokens_in", Need::kOptional, CellType::kCount, "tokens of the prompt"},
    {"tokens_out", Need::kOptional, CellType::kCount, "tokens of the answer"},
    {"status", Need::kOptional, CellType::kText, "how it ended"},
    {"replica", Need::kOptional, CellType::kText, "who answered"},
});
static_assert(kTable.size() == kColumns);

void make_row(RowReader& in, RowWriter& out) {
  RequestRow row;
  row.model = in.text_or_empty(kModel);
  row.arrival_ns = in.time(kArrival).value_or(0);
  row.service_ms = in.decimal_of_zero_or_more(kServiceMs);
  row.queue_ms = in.decimal_of_zero_or_more(kQueueMs);
  row.key = in.optional_text(kKey);
  row.status = in.optional_text(kStatus);
  row.replica = in.optional_text(kReplica);
  row.size = in.count(kSize);
  row.tokens_in = in.count(kTokensIn);
  row.tokens_out = in.count(kTokensOut);
  if (in.rejected()) return;
  out.text(row.model)
      .number(row.arrival_ns)
      .money(row.service_ms)
      .money(row.queue_ms)
      .optional_text(row.key)
      .optional_text(row.status)
      .optional_text(row.replica)
      .number(row.size)
      .number(row.tokens_in)
      .number(row.tokens_out)
      .end();
}

}  // namespace of_requests
}  // namespace

constinit const PlainFormat kRequestsFormat = {
    "requests", SourceKind::kRequests,  "a request log",      of_requests::kTable,
    "request",  store::request_columns, of_requests::make_row};

}  // namespace tare::sources
