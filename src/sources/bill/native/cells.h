// What cells of providers' exports hold: amounts, dates, and small JSON, as they really write it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash128.h"
#include "base/money.h"

namespace tare::sources {

// The amount of a cell; an unknown one is empty and fine, one that is no decimal is not fine.
struct Amount {
  bool ok = true;
  std::optional<Money> money;
  Money or_zero() const { return money.value_or(Money()); }
};
Amount amount_of(std::string_view cell);

// Members of a flat object: values as their text, without quotes; null and nested ones left out.
using JsonRecord = std::vector<std::pair<std::string, std::string>>;
// An object, or a list of objects. Also of what is no JSON but stands there: members without the
// braces around them, Python's single quotes, None, True and False, and a comma or colon too many
// at the end. No records of nothing, None and nan. Empty where it is none of these.
std::optional<std::vector<JsonRecord>> json_records(std::string_view text);
std::string_view member(const JsonRecord& record, std::string_view name);  // "" absent
std::string json_object(const JsonRecord& members);                        // "" of none
std::string json_details(const JsonRecord& members);  // the same, whole numbers without quotes
// "\"a\": \"b\"" with braces around it; what has them stays. A comma at the end is left out, and a
// last member without a value.
std::string with_braces(std::string_view text);

// As FOCUS writes instants, of a provider whose times are UTC: ISO text, "2021-02-02", "02/02/2021"
// or "9/2/2023" (month first). Empty where the text is none of these.
std::string utc_text(std::string_view cell);
std::string next_day_text(std::string_view utc);  // a day later
// "202308", "2023-08" and a date of that month to the text of its start; empty otherwise.
std::string month_start_text(std::string_view cell);

std::string folded_word(std::string_view text);  // a-z in lower case
// Whether the text is `word`, which is in lower case, in any case of letters.
bool is_word(std::string_view text, std::string_view word);

// Texts made of cells, made once for cells that are alike. Views stay valid until clear().
class MadeTexts {
 public:
  template <typename Make>
  std::string_view find(std::string_view cell, const Make& make) {
    if (cell.empty()) return {};
    if (const auto known = texts_.find(cell); known != texts_.end()) return known->second;
    return texts_.emplace(std::string(cell), make(cell)).first->second;
  }
  // Where nobody looks at a view any more.
  void trim_to_size() {
    if (texts_.size() > kMost) texts_.clear();
  }

 private:
  static constexpr size_t kMost = 100'000;
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> texts_;
};

}  // namespace tare::sources
