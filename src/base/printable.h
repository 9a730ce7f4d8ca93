// Names from data made safe for a terminal: what an export calls a model must not move the cursor,
// change colours, turn the writing direction or forge a line of our own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tare {

// Control characters (C0, DEL, C1), line and paragraph separators, bidirectional controls and bytes
// that are not UTF-8 become \xNN a byte; all else is kept.
std::string printable(std::string_view text);

// Code points of a UTF-8 text, each bad byte counting as one: the width it is laid out with.
size_t display_width(std::string_view text);

// The code point at the front of `text`, or an invalid one of one byte: overlong forms, surrogates
// and values past U+10FFFF are invalid. Requires a text that is not empty.
struct CodePoint {
  char32_t value = 0;
  size_t bytes = 1;
  bool valid = false;
};
CodePoint first_code_point(std::string_view text);

}  // namespace tare
