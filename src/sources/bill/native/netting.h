// Money that one row of an export gives and another takes back, such as usage at on-demand prices
// and the negation of what a savings plan covered. The rows may stand in several files of a
// delivery.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/money.h"
#include "sources/bill/cost_sums.h"
#include "sources/bill/format.h"

namespace tare::sources {

class Netting {
 public:
  // What the rows that net have in common, which a charge of the remainder has too.
  using Words = std::vector<std::pair<BillColumn, std::string>>;

  // One text of such words, written row by row without a vector of them.
  class Key {
   public:
    void clear() { text_.clear(); }
    void add(BillColumn column, std::string_view word);
    const std::string& text() const { return text_; }
    static Words words(std::string_view text);

   private:
    std::string text_;
  };

  // What the rows of a file took part with, in a period and currency.
  struct FileSum {
    Month period;
    std::string currency;
    Money amount;
  };

  // `replaced`: months whose rows in this file a newer delivery replaces: they net with nothing.
  void begin_file(std::set<Month> replaced) {
    file_sums_.clear();
    replaced_ = std::move(replaced);
  }
  // Throws UserError cost-too-large.
  void add(Month period, const Key& key, std::string_view currency, Money amount);
  const std::vector<FileSum>& file_sums() const { return file_sums_; }
  // What is left over, where something is, in the order of the words.
  std::vector<std::pair<Words, Money>> remainders(Month period) const;

 private:
  struct Open {
    Month period;
    Money sum;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // What is not taken back so far: it grows with what is open at once, and not with rows.
  std::unordered_map<std::string, Open, Hash, std::equal_to<>> open_;
  std::vector<FileSum> file_sums_;
  std::set<Month> replaced_;
};

}  // namespace tare::sources
