// Any bytes as the tags of a bill line: never a crash; what is read is normal form already, and the
// timeline reads the same keys from it.

#include "sources/bill/tags.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const std::string text(bytes, bytes + count);
  const auto tags = tare::sources::normalise_tags(text);
  if (tags) {
    const auto again = tare::sources::normalise_tags(tags->text);
    TARE_ASSERT(again && again->text == tags->text, "normal tags are normal");
    TARE_ASSERT(again->untrimmed_key == tags->untrimmed_key, "keys are kept as they are");
  }
  std::string quoted = "{\"key\":";
  tare::sources::append_json_string(quoted, text);
  quoted += "}";
  // Text that is not UTF-8 is no JSON, so it may be refused; it may not break out of its quotes.
  const auto one = tare::sources::normalise_tags(quoted);
  TARE_ASSERT(!one || one->text.starts_with("{\"key\":\""), "a text stays within its quotes");
  return 0;
}
