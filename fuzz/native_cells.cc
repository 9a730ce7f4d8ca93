// Any bytes as a cell of a provider's export: what is made of it is JSON or a time as we write it,
// and made of that again, the same.

#include <cstddef>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/instant.h"
#include "sources/bill/native/cells.h"

namespace {

using namespace tare::sources;

void check_records(const std::string& text) {
  const auto records = json_records(text);
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_object()) TARE_ASSERT(records && records->size() == 1, "an object is a record");
  if (!records) return;
  for (const JsonRecord& record : *records) {
    const std::string object = json_object(record);
    TARE_ASSERT(object.empty() == record.empty(), "members make an object");
    if (object.empty()) continue;
    TARE_ASSERT(nlohmann::json::accept(object), "an object of JSON");
    const auto again = json_records(object);
    TARE_ASSERT(again && again->size() == 1 && again->front() == record, "the same record");
    const std::string details = json_details(record);
    TARE_ASSERT(details.empty() || nlohmann::json::accept(details), "details are JSON");
    for (const auto& [name, value] : record) {
      TARE_ASSERT(!member(record, name).empty() || value.empty() || record.size() > 1, "a member");
    }
  }
}

void check_times(const std::string& text) {
  const std::string utc = utc_text(text);
  if (!utc.empty()) {
    const tare::InstantResult instant = tare::parse_instant(utc);
    TARE_ASSERT(instant.ok && instant.zone_given, "a time in UTC");
    TARE_ASSERT(utc_text(utc) == utc, "the same time");
    const std::string next = next_day_text(utc);
    TARE_ASSERT(next.empty() ? instant.ns > INT64_MAX - tare::kNsPerDay
                             : tare::parse_instant(next).ns - instant.ns == tare::kNsPerDay,
                "a day later");
  }
  const std::string month = month_start_text(text);
  if (month.empty()) return;
  TARE_ASSERT(tare::parse_month(month.substr(0, 7)).has_value(), "a month");
  TARE_ASSERT(month.ends_with("-01T00:00:00Z"), "its start");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const std::string text(bytes, bytes + count);
  check_records(text);
  check_times(text);
  const std::string braced = with_braces(text);
  TARE_ASSERT(with_braces(braced) == braced, "braces once");
  const Amount amount = amount_of(text);
  TARE_ASSERT(amount.ok || !amount.money, "an amount that is none is no money");
  if (amount.money)
    TARE_ASSERT(amount_of(tare::to_text(*amount.money)).money == amount.money, "it");
  return 0;
}
