// Money that one row of an export gives and another takes back, such as usage at on-demand prices
// and the negation of what a savings plan covered. The rows may stand in several files of a
// delivery.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/money.h"
#include "sources/bill/format.h"

namespace tare::sources {

class Netting {
 public:
  // What the rows that net have in common, which a charge of the remainder has too.
  using Words = std::vector<std::pair<BillColumn, std::string>>;

  void add(Month period, const Words& words, Money amount) {
    Money& sum = sums_[period][words];
    sum = sum + amount;
  }
  // What is left over, where something is, in the order of the words.
  std::vector<std::pair<Words, Money>> remainders(Month period) const {
    std::vector<std::pair<Words, Money>> rest;
    const auto sums = sums_.find(period);
    if (sums == sums_.end()) return rest;
    for (const auto& [words, sum] : sums->second) {
      if (!sum.is_zero()) rest.emplace_back(words, sum);
    }
    return rest;
  }

 private:
  std::map<Month, std::map<Words, Money>> sums_;
};

}  // namespace tare::sources
