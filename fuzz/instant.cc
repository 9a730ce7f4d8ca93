// Any bytes as an instant, in each unit: never a crash, and what was read prints and reads back.

#include "base/instant.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const std::string text(bytes, bytes + count);
  for (const auto unit : {tare::TimeUnit::kIso, tare::TimeUnit::kSeconds, tare::TimeUnit::kMillis,
                          tare::TimeUnit::kMicros, tare::TimeUnit::kNanos}) {
    const tare::InstantResult instant = tare::parse_instant(text, unit);
    if (!instant.ok) {
      TARE_ASSERT(instant.ns == 0, "a refused instant has no value");
      continue;
    }
    const tare::InstantResult again = tare::parse_instant(tare::to_text(instant.ns));
    TARE_ASSERT(again.ok && again.zone_given && again.ns == instant.ns,
                "an instant reads back from its text");
    const int64_t day = tare::floor_day(instant.ns);
    TARE_ASSERT(day <= instant.ns && day % tare::kNsPerDay == 0, "a day begins at midnight");
    TARE_ASSERT(tare::span_of(tare::month_of(instant.ns)).contains(instant.ns),
                "an instant lies in its month");
  }
  if (const auto month = tare::parse_month(text)) {
    TARE_ASSERT(tare::parse_month(tare::to_text(*month)) == *month,
                "a month reads back from its text");
  }
  return 0;
}
