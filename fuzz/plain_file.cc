// Any bytes as the rows of a plain file, of each format in turn: no row is lost, as many rows as a
// plain reader finds; or one error of the user's. The first byte chooses the format.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors.h"
#include "plain_reader.h"
#include "sources/sources.h"
#include "temporary_folder.h"

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
  static const tare::fuzz::TemporaryFolder folder;
  const Shape& shape = kShapes[bytes[0] % std::size(kShapes)];
  const std::string text = shape.header + "\n" + std::string(bytes + 1, bytes + count);
  folder.write("rows.csv", text);
  tare::Project project;
  project.directory = folder.path();
  project.name = "fuzz";
  project.currency = "USD";
  tare::Source source;
  source.kind = shape.kind;
  source.format = shape.format;
  source.name = "plain/fuzz";
  source.path = "rows.csv";
  project.sources.push_back(source);
  try {
    const tare::sources::SourceResult result =
        tare::sources::load_source(project, source, {}, {.threads = 1}, {});
    TARE_ASSERT(result.inputs.size() == 1, "one file is one input");
    const tare::store::InputFile& input = result.inputs.front();
    TARE_ASSERT(input.rows_in == input.rows_used + input.rows_netted + input.rows_quarantined,
                "no row is lost");
    const tare::fuzz::PlainTable plain = tare::fuzz::read_plainly(text, ',');
    TARE_ASSERT(plain.broken || input.rows_in == static_cast<int64_t>(plain.rows.size()) - 1,
                "as many rows");
  } catch (const tare::UserError& error) {
    TARE_ASSERT(!error.code().empty(), "an error has a code");
  }
  return 0;
}
