// Counts the findings of used rows without a map or a text per row; examples are the rows with the
// smallest ids, so that no order of rows or files shows.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/findings.h"
#include "base/hash128.h"
#include "sources/bill/row.h"

namespace tare::sources {

class FindingCounter {
 public:
  struct Row {
    Hash128 line_id;
    size_t currency = 0;  // an index of the caller's
    std::optional<Money> cost;
  };
  // `text_of()` is asked for only where the row becomes an example.
  template <typename TextOf>
  void count(BillFinding finding, const Row& row, TextOf&& text_of) {
    Count& at = kinds_[static_cast<size_t>(finding)];
    if (add(at, row)) keep_example(at, row, text_of());
  }
  template <typename TextOf>
  void count_unprefixed(const std::string& column, const Row& row, TextOf&& text_of) {
    Count& at = unprefixed_[column];
    if (add(at, row)) keep_example(at, row, text_of());
  }
  void merge_into(Findings& findings, std::string_view source,
                  const std::vector<std::string>& currencies) const;

 private:
  static constexpr size_t kMostExamples = 20;
  struct Example {
    Hash128 line_id;
    size_t currency = 0;
    std::optional<Money> cost;
    std::string text;
  };
  struct Count {
    int64_t rows = 0;
    std::vector<std::optional<Money>> cost;  // by currency
    std::vector<Example> examples;           // sorted by id
  };

  static bool add(Count& count, const Row& row);  // whether the row is an example
  static void keep_example(Count& count, const Row& row, std::string text);
  static void merge_one(const Count& count, const BillFindingKind& kind, Findings& findings,
                        std::string_view source, const std::vector<std::string>& currencies);

  std::array<Count, kBillFindings> kinds_;
  std::map<std::string, Count> unprefixed_;  // by column
};

}  // namespace tare::sources
