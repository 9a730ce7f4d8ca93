// The postings of one ledger file as they are written, and what is summed on the way: the first
// proof, the states that share a posting, and what each model got.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "ledger/account_table.h"
#include "ledger/summaries.h"

namespace tare::ledger {

// Effective cost (billed where there is none) posted to models by rules 1-3, by currency and model:
// what `proportional` shares go by (R51). One billing period, all sources.
using ModelCosts = std::map<std::string, std::map<std::string, Money>>;

struct Line {
  Hash128 id;
  int32_t row = 0;            // in the bill file
  int32_t dim = 0;            // of the bill file
  int32_t posted_dim = 0;     // of its postings: another one where the line was converted
  int32_t conserved_key = 0;  // its (issuer, invoice, currency of the postings)
  Span period;
  Costs costs;  // in the currency of the postings
  std::optional<Money> consumed;
  int32_t rate = -1;        // of those that the file used; -1: not converted
  bool lacks_rate = false;  // in another currency than the project's, and no rate for it
  Costs own_costs;          // of a line that was converted, as the bill has them
};

struct Posting {
  int32_t account = 0;
  store::Rule rule = store::Rule::kUnassigned;
  int64_t held_ns = 0, billed_ns = 0;
  Costs costs;
};

class PostingTable {
 public:
  // `currencies`: of each conserved key; `dims`: how many postings may name.
  PostingTable(store::FileWriter* file, const AccountTable& accounts,
               const std::vector<std::string>& currencies, size_t dims);

  void count_line(const Line& line);  // towards the proof and the file's span
  void add(const Line& line, const Posting& posting, store::State state, bool busy_known);
  // Device-time in several states, which share it by their weights.
  void add_split(const Line& line, const Posting& posting,
                 const std::vector<const timeline::StateTime*>& states);
  // A posting by rules 1-3, whose model takes part in shared charges.
  void count_for_model(const Line& line, const Posting& posting);
  void add_model_costs_to(ModelCosts* model_costs) const;

  bool conserved() const { return line_sums_ == posting_sums_; }
  Span span() const { return span_; }  // of all lines; empty and reversed where there is none
  int64_t rows() const { return writer_.rows(); }
  // Closes the table and writes its sums.
  void finish(const std::vector<DayCosts::DimWords>& dims, store::FileWriter* file);

 private:
  using Sums = std::array<int128, kCostColumns>;
  void write(const Line& line, const Posting& posting);

  const AccountTable& accounts_;
  store::TableWriter writer_;
  std::vector<Sums> line_sums_, posting_sums_;  // by conserved key
  std::vector<std::string> currencies_;         // each once
  std::vector<size_t> currency_of_key_;
  std::vector<std::vector<int128>> model_costs_;  // by currency and account
  DayCosts day_costs_;
  Span span_{INT64_MAX, INT64_MIN};
};

}  // namespace tare::ledger
