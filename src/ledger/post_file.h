// Posts one bill file: each line to accounts, with its proof, its summaries and its findings.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ledger/account_table.h"
#include "ledger/parts.h"
#include "ledger/summaries.h"

namespace tare::ledger {

// Effective cost (billed where there is none) posted to models by rules 1-3, by currency and model:
// what `proportional` shares go by (R51). One billing period, all sources.
using ModelCosts = std::map<std::string, std::map<std::string, Money>>;

class FilePoster {
 public:
  FilePoster(const Project& project, const timeline::Timeline& timeline,
             const timeline::BillFile& bill, const std::string& store_directory,
             const std::string& derived_from);
  ~FilePoster();
  // All lines but those that other postings decide; adds to `model_costs`.
  void post_lines(store::Connection& connection, ModelCosts* model_costs, const Progress& progress);
  // The shared charges that are left.
  void post_shared(store::Connection& connection, const ModelCosts& model_costs);
  // Asserts conservation, writes summaries, audits in SQL, seals.
  store::StoreFile finish();

 private:
  struct Line {
    Hash128 id;
    int32_t dim;
    Span period;
    Costs costs;
    std::optional<Money> consumed;
  };
  // The first rule that a line meets, strongest evidence first.
  enum class Route : uint8_t { kFee, kManaged, kTracked, kTaggedRun, kTag, kShared, kWhole };
  // Device-time of a line, and all that was billed in its period.
  struct LineNs {
    int64_t line_ns, base_ns;
  };
  struct Posting {
    int32_t account;
    store::Evidence evidence;
    store::Rule rule;
    int64_t held_ns = 0, billed_ns = 0;
  };
  // Who shares a resource in a period; the lines of one resource and hour come together.
  struct Shares {
    int32_t resource = -1;
    Span period;
    std::vector<timeline::HeldTime> held;
    std::vector<timeline::StateTime> states;
    int64_t base_ns = 0;
  };

  template <typename Use>
  void each_line(store::Connection& connection, const std::string& where, Use use);
  timeline::DimTime time_of(const Line& line) const;
  const DimRule& rule_of(const Line& line);
  Route route_of(const Line& line, const DimRule& rule) const;
  bool is_tracked(const Line& line, const DimRule& rule) const;
  int64_t devices_of(int32_t resource) const;
  std::vector<timeline::HeldTime> held_by_tagged_run(const Line& line, const DimRule& rule) const;
  void post_line(const Line& line);
  void post_whole(const Line& line, const Target& target, store::Evidence evidence,
                  store::Rule rule);
  void post_tracked(const Line& line, const DimRule& rule, const timeline::DimTime& time);
  void post_tagged_run(const Line& line, const DimRule& rule, const timeline::DimTime& time);
  void post_parts(const Line& line, const std::vector<Part>& parts, store::Evidence evidence,
                  store::Rule rule, LineNs ns, const std::vector<timeline::StateTime>* states);
  std::vector<std::pair<std::string, Money>> shared_weights(const Line& line, const DimRule& rule,
                                                            const ModelCosts& model_costs) const;
  void post_by_weights(const Line& line, int32_t shared,
                       const std::vector<std::pair<std::string, Money>>& weights);
  const Shares& shares_of(int32_t resource, Span period);
  int64_t line_ns(const Line& line, const timeline::DimTime& time) const;
  void append(const Line& line, const Posting& posting, const Costs& costs);
  void add_states(const Line& line, const Posting& posting, const Costs& costs, int32_t attempt,
                  const std::vector<timeline::StateTime>* states, bool device_time);
  void add_model_cost(const Target& target, const Line& line, const Costs& costs);
  void note(std::string_view code, const Line& line, const std::string& subject,
            std::string_view text);
  void write_dims();
  void assert_conserved() const;

  const Project& project_;
  const timeline::Timeline& timeline_;
  const timeline::BillFile& bill_;
  Rules rules_;
  std::vector<DimRule> dim_rules_;
  const std::vector<timeline::DimTime>& dim_times_;
  AccountTable accounts_;
  std::vector<int32_t> whole_account_;  // of each dim, -1: not yet used
  StateCosts state_costs_;
  Findings findings_;
  ModelCosts* model_costs_ = nullptr;
  DimRule rule_then_;  // see rule_of
  Shares shares_;
  std::vector<std::array<int128, kCostColumns>> line_sums_, posting_sums_;  // by conserved key
  store::StoreFile entry_;
  std::string bill_path_;
  std::unique_ptr<store::FileWriter> file_;
  std::unique_ptr<store::TableWriter> postings_;
  std::vector<Money> cost_parts_;
  std::vector<int64_t> weights_, ns_parts_, held_parts_;
};

}  // namespace tare::ledger
