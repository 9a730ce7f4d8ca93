// Embedded SQL with its blanks filled in, and answers read back as exact money.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/store.h"

namespace tare::measures {

using Blanks = std::vector<std::pair<std::string_view, std::string>>;

// Replaces each ${name}; asserts that every blank of the text is filled and every value is used.
std::string fill(std::string_view sql, const Blanks& blanks);

// A sum of money stands in two columns of an answer, units first; null is zero.
Money money_at(const store::Result& answer, size_t row, size_t column);
// A sum of nanoseconds or rows; null is zero. count_at asserts that it fits 64 bits.
int128 sum_at(const store::Result& answer, size_t row, size_t column);
int64_t count_at(const store::Result& answer, size_t row, size_t column);

}  // namespace tare::measures
