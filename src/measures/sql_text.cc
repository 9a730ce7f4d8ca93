#include "measures/sql_text.h"

#include <algorithm>

#include "base/errors.h"

namespace tare::measures {

std::string fill(std::string_view sql, const Blanks& blanks) {
  std::string text;
  std::vector<bool> used(blanks.size(), false);
  size_t at = 0;
  while (true) {
    const size_t open = sql.find("${", at);
    text += sql.substr(at, open == std::string_view::npos ? open : open - at);
    if (open == std::string_view::npos) break;
    const size_t close = sql.find('}', open);
    TARE_ASSERT(close != std::string_view::npos, "an embedded query has an open blank");
    const std::string_view name = sql.substr(open + 2, close - open - 2);
    const auto blank =
        std::find_if(blanks.begin(), blanks.end(), [&](const auto& b) { return b.first == name; });
    TARE_ASSERT(blank != blanks.end(), name);
    used[static_cast<size_t>(blank - blanks.begin())] = true;
    text += blank->second;
    at = close + 1;
  }
  TARE_ASSERT(std::find(used.begin(), used.end(), false) == used.end(),
              "a value fills no blank of its query");
  return text;
}

Money money_at(const store::Result& answer, size_t row, size_t column) {
  if (answer.is_null(row, column)) return Money();
  return Money::from_stored(answer.i128(row, column), answer.i128(row, column + 1));
}

int128 sum_at(const store::Result& answer, size_t row, size_t column) {
  return answer.is_null(row, column) ? 0 : answer.i128(row, column);
}

int64_t count_at(const store::Result& answer, size_t row, size_t column) {
  if (answer.is_null(row, column)) return 0;
  const int128 value = answer.i128(row, column);
  TARE_ASSERT(value >= INT64_MIN && value <= INT64_MAX, "a sum of counts passes 64 bits");
  return static_cast<int64_t>(value);
}

}  // namespace tare::measures
