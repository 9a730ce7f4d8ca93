// One bill file of priced lines: what each says in the normal columns, its id, its sums.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sources/prices/priced_lines.h"

namespace tare::sources {

// Service and provider of every line of a card, so that no output takes it for an invoiced one.
inline constexpr std::string_view kRateCardService = "rate card";

class PricedFile {
 public:
  PricedFile(std::string source, Month period) : source_(std::move(source)), period_(period) {}

  // Throws UserError cost-too-large when the period's costs pass what sums can hold.
  void add(const PricedLine& line);
  // Stands for all that the file would hold.
  std::string content_hash() const;
  store::StoreFile write(const std::string& store_directory) const;

 private:
  struct Line {
    Hash128 id;
    int32_t dim = 0;
    Span span;
    Money cost;
    std::string x;
  };
  struct Dim {
    std::string machine, currency, tags;
    auto operator<=>(const Dim&) const = default;
  };
  void write_dims(store::FileWriter* file) const;
  void write_lines(store::FileWriter* file) const;

  std::string source_;
  Month period_;
  std::map<Dim, int32_t> dim_ids_;
  std::vector<Dim> dims_;
  std::vector<Line> lines_;
  std::map<std::string, Money> sums_;  // by currency
};

}  // namespace tare::sources
