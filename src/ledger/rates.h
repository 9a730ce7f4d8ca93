// Exchange rates of a project: the usable ones, one a day and direction, and which of them a charge
// is converted at.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace tare::ledger {

// A rate as it is applied. One unit of the line's currency is numerator() / denominator() units of
// the project's.
struct Rate {
  int64_t day_ns = 0;    // the day that the file gives it for
  Money given;           // as it stands there, above zero
  bool inverse = false;  // the file gives the rate from the project's currency to the line's
  int128 numerator() const { return inverse ? int128{Money::kAttoPerUnit} : given.atto(); }
  int128 denominator() const { return inverse ? given.atto() : int128{Money::kAttoPerUnit}; }
  auto operator<=>(const Rate&) const = default;
};

// How old a rate may be: fixings pause for holidays, and a monthly rate holds for its month.
inline constexpr int64_t kOldestRateDays = 31;

bool is_rates_file(const store::StoreFile& file);  // of the sources' own kind "facts"

class Rates {
 public:
  Rates() = default;
  // Reads the rates that the catalog names. Of equal rates of one day one counts, of rates that
  // disagree none does; both are findings.
  static Rates read(const std::string& store_directory, const store::Catalog& catalog,
                    Findings* findings);

  // Whether there is any rate between the two, whatever its day.
  bool connects(const std::string& from, const std::string& to) const;
  // The newest on or before the instant's UTC day that is not too old, in either direction; of one
  // day the one that is given from `from` to `to`. Empty where there is none: rates are not
  // chained.
  std::optional<Rate> find(const std::string& from, const std::string& to,
                           int64_t instant_ns) const;

  // rates-<derived_from>, the file of the store with these rates.
  store::StoreFile write(const std::string& store_directory, const std::string& derived_from,
                         const Findings& findings) const;

 private:
  using Pair = std::pair<std::string, std::string>;  // from, to
  using Days = std::map<int64_t, Money>;
  const Days* days_of(const std::string& from, const std::string& to) const;

  std::map<Pair, Days> days_;
};

}  // namespace tare::ledger
