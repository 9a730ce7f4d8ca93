// What a machine costs by its rate card: an exact price of any stretch of time, part by part.
#pragma once

#include <string>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "store/store.h"

namespace tare::sources {

// A year of a card has 365 days.
inline constexpr int64_t kCardYearNs = 365 * kNsPerDay;

class Card {
 public:
  // `currency` stands in where the row names none.
  Card(RateCardRow row, const std::string& currency);

  const RateCardRow& row() const { return row_; }
  Span span() const { return {row_.from_ns, row_.to_ns.value_or(kNoEnd)}; }
  bool is_for(const std::string& machine) const;

  // The cost of so much time: each part on its own, rounded half even at 1e-18; the whole is their
  // sum. Parts by name: "hour", or "capex", "power", "staff" as far as the card has them. Throws
  // UserError cost-too-large.
  struct Cost {
    std::vector<std::pair<std::string, Money>> parts;
    Money whole;
  };
  Cost cost_of(int64_t ns) const;

  // Of two cards of one machine at one time the one that stands first counts: the pattern with more
  // characters that are no wildcard, then the later start; then by content, so that no order of
  // rows shows.
  bool operator<(const Card& other) const;

 private:
  using Integer = boost::multiprecision::cpp_int;
  struct Part {
    std::string name;
    Integer atto_per, ns;  // so many atto in so many nanoseconds
  };
  RateCardRow row_;
  size_t literals_ = 0;
  std::vector<Part> parts_;
};

}  // namespace tare::sources
