// Any bytes as the rows of a plain file, of each format in turn: no row is lost, as many rows as a
// plain reader finds; or one error of the user's. The first byte chooses the format.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors.h"
#include "one_source.h"
#include "plain_reader.h"

namespace {

struct Shape {
  std::string format, header;
  tare::SourceKind kind;
};
const Shape kShapes[] = {
    {"runs", "run_id,model,stage,state,start,end,attempt,last_checkpoint", tare::SourceKind::kRuns},
    {"holds", "run_id,resource_id,start,end,device,device_count,weight,cpus",
     tare::SourceKind::kHolds},
    {"replicas", "model,resource_id,start,end,endpoint,weight,count", tare::SourceKind::kHolds},
    {"resources", "resource_id,pool,devices,cpus,from,to", tare::SourceKind::kResources},
    {"aliases", "alias,resource_id,device,from,to", tare::SourceKind::kAliases},
    {"device-usage", "resource_id,device,start,end,busy_ratio,sm_active_ratio",
     tare::SourceKind::kTelemetry},
    {"outcomes", "model,outcome,day,count,count_low,count_high", tare::SourceKind::kOutcomes},
    {"requests", "model,arrival,service_ms,tokens_in", tare::SourceKind::kRequests},
    {"invoices", "invoice_id,total,currency,issuer", tare::SourceKind::kInvoices},
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  if (count == 0) return 0;
  const Shape& shape = kShapes[bytes[0] % std::size(kShapes)];
  const std::string text = shape.header + "\n" + std::string(bytes + 1, bytes + count);
  tare::fuzz::load_one(shape.kind, shape.format, text, [&](const tare::store::InputFile& input) {
    const tare::fuzz::PlainTable plain = tare::fuzz::read_plainly(text, ',');
    TARE_ASSERT(plain.broken || input.rows_in == static_cast<int64_t>(plain.rows.size()) - 1,
                "as many rows");
  });
  return 0;
}
