#include "sources/plain/signs.h"

#include <algorithm>
#include <array>
#include <string>

namespace tare::sources {
namespace {

struct Sentinels {
  int64_t first = 0;
  int64_t last = 0;
};
// 32 and 64 bits and floating point: blank, not found, not supported, not permissioned; then NVML's
// unsigned "not available".
constexpr auto kSentinels =
    std::to_array<Sentinels>({{2'147'483'632, 2'147'483'635},
                              {9'223'372'036'854'775'792, 9'223'372'036'854'775'795},
                              {140'737'488'355'328, 140'737'488'355'331},
                              {4'294'967'295, 4'294'967'295}});

}  // namespace

bool is_blank_sentinel(Money value) {
  return std::any_of(kSentinels.begin(), kSentinels.end(), [&](const Sentinels& range) {
    return value >= Money::from_units(range.first) && value <= Money::from_units(range.last);
  });
}

bool is_not_a_number_text(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '-' || c == '+') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  constexpr auto kTexts = std::to_array<std::string_view>(
      {"nan", "inf", "infinity", "n/a", "not supported", "unknown error", "not available"});
  return std::find(kTexts.begin(), kTexts.end(), plain) != kTexts.end();
}

}  // namespace tare::sources
