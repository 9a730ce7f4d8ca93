// How values of tare.yaml are written. Each parser takes the whole text or nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tare::sources {

// "6h", "15m", "2d", "90s", "1h30m": whole numbers with units w d h m s, each unit once, larger
// first. At most 100 years.
std::optional<int64_t> parse_duration(std::string_view text);

// A decimal from 0 to 1, never through double; returns its shortest form ("5e-2" is "0.05").
std::optional<std::string> parse_ratio(std::string_view text);

// "UTC" or an offset "+02:00", "-0530", "+05"; returns "UTC" or "+02:00".
std::optional<std::string> parse_zone_offset(std::string_view text);

// Whether exact fractions ("1/3", "0.25") add up to exactly one. False too where one can't be read
// or their common denominator passes 1e24.
bool fractions_sum_to_one(const std::map<std::string, std::string>& fractions);

}  // namespace tare::sources
