#include "base/printable.h"

namespace tare {
namespace {

bool is_unsafe(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||  // separators
         c == 0x061c || c == 0x200e || c == 0x200f ||                          // marks
         (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);         // embeddings
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {lead, 1, false};
  char32_t value = lead & (0xffU >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {lead, 1, false};
    value = (value << 6) | (byte(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return {lead, 1, false};
  return {value, bytes, true};
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const std::string_view bytes = text.substr(0, point.bytes);
    if (point.valid && !is_unsafe(point.value)) {
      out += bytes;
    } else {
      append_escaped(out, bytes);
    }
    text.remove_prefix(point.bytes);
  }
  return out;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (; !text.empty(); ++width) text.remove_prefix(first_code_point(text).bytes);
  return width;
}

}  // namespace tare
