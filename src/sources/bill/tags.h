// Tags as a bill delivers them, in the one form that is stored: a JSON object with its keys sorted
// by bytes, numbers as they were written, nothing else changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tare::sources {

struct NormalTags {
  std::string text;            // {"a":"1","b":true}
  bool untrimmed_key = false;  // a key begins or ends with a space
};
// Empty where the text is not a JSON object. Of a key that stands twice the last value counts.
std::optional<NormalTags> normalise_tags(std::string_view json);

// Appends `text` as a JSON string, with its quotes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace tare::sources
