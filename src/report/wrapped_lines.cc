#include "report/wrapped_lines.h"

#include "base/errors.h"
#include "base/printable.h"

namespace tare {

std::vector<std::string> wrapped_lines(std::string_view text, size_t width) {
  TARE_ASSERT(width > 0, "a line has a width");
  std::vector<std::string> lines;
  while (display_width(text) > width) {
    size_t end = 0;         // bytes of `width` code points
    size_t after_mark = 0;  // bytes up to the last place where a word may break
    size_t space = std::string_view::npos;
    for (size_t i = 0; i <= width; ++i) {
      const std::string_view rest = text.substr(end);
      if (rest.front() == ' ' && end > 0) space = end;
      if (i == width) break;
      const size_t bytes = first_code_point(rest).bytes;
      if (std::string_view("/,:;-").find(rest.front()) != std::string_view::npos) {
        after_mark = end + bytes;
      }
      end += bytes;
    }
    const bool at_space = space != std::string_view::npos;
    const size_t length = at_space ? space : after_mark > 0 ? after_mark : end;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(at_space ? space + 1 : length);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace tare
