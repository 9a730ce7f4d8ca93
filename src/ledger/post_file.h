// Posts one bill file: each line to accounts, with its proof, its summaries and its findings.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ledger/conversion.h"
#include "ledger/parts.h"
#include "ledger/posting_table.h"

namespace tare::ledger {

class FilePoster {
 public:
  FilePoster(const Project& project, const timeline::Timeline& timeline, const Rates& rates,
             const timeline::BillFile& bill, const std::string& store_directory,
             const std::string& derived_from);
  ~FilePoster();
  // All lines but those that other postings decide; adds to `model_costs`.
  void post_lines(store::Connection& connection, ModelCosts* model_costs, const Progress& progress);
  // The shared charges that are left.
  void post_shared(store::Connection& connection, const ModelCosts& model_costs);
  // Asserts conservation, writes summaries, seals.
  store::StoreFile finish();

 private:
  // The first rule that a line meets, strongest evidence first.
  enum class Route : uint8_t { kFee, kManaged, kTracked, kTaggedRun, kTag, kShared, kWhole };
  // Device-time of a line, and all that was billed in its period.
  struct LineNs {
    int64_t line_ns, base_ns;
  };
  // Who shares a resource in a period; the lines of one resource and hour often come together.
  struct Shares {
    int32_t resource = -1, place = -1;
    Span period;
    std::vector<timeline::HeldTime> held;
    std::vector<timeline::StateTime> states;  // empty: all unknown
    std::vector<Part> parts;
    int64_t base_ns = 0;
  };

  template <typename Use>
  void each_line(store::Connection& connection, const std::string& where, Use use);
  timeline::DimTime time_of(const Line& line) const;
  int64_t line_ns(const Line& line, const timeline::DimTime& time) const;
  const DimRule& rule_of(const Line& line);
  void read_dims();
  const std::string& currency_of(const Line& line) const;
  void place(DimRule* rule);
  Route route_of(const Line& line, const DimRule& rule) const;
  bool is_tracked(const Line& line, const DimRule& rule) const;
  int64_t devices_of(int32_t resource) const;
  std::vector<timeline::HeldTime> held_by_tagged_run(const Line& line, const DimRule& rule) const;
  void post_line(const Line& line);
  void post_default(const Line& line, const DimRule& rule, store::Rule why);
  void post_whole(const Line& line, int32_t account, int32_t attempt, store::Rule why);
  void post_managed(const Line& line, const DimRule& rule);
  void post_tracked(const Line& line, const DimRule& rule, const timeline::DimTime& time);
  void post_tagged_run(const Line& line, const DimRule& rule, const timeline::DimTime& time);
  void post_parts(const Line& line, const std::vector<Part>& parts, store::Rule why, LineNs ns,
                  const std::vector<timeline::StateTime>& states);
  void post_part(const Line& line, const Posting& posting, int32_t attempt, bool device_time,
                 const std::vector<timeline::StateTime>& states);
  std::vector<std::pair<std::string, Money>> shared_weights(const Line& line, const DimRule& rule,
                                                            const ModelCosts& model_costs) const;
  void post_by_weights(const Line& line, int32_t shared,
                       const std::vector<std::pair<std::string, Money>>& weights);
  const Shares& shares_of(int32_t resource, int32_t place, Span period);
  void note(std::string_view code, const Line& line, const std::string& subject,
            std::string_view text);
  store::DeviceClass device_class_of(size_t dim) const;
  std::vector<DayCosts::DimWords> dim_words() const;
  void write_dims();

  const Project& project_;
  const timeline::Timeline& timeline_;
  const timeline::BillFile& bill_;
  Rules rules_;
  std::vector<DimRule> dim_rules_;
  const std::vector<timeline::DimTime>& dim_times_;
  AccountTable accounts_;
  std::vector<int32_t> whole_account_;  // of each dim, -1: not yet used
  Findings findings_;
  DimRule rule_then_;  // see rule_of
  Shares shares_;
  store::StoreFile entry_;
  std::unique_ptr<store::FileWriter> file_;
  std::unique_ptr<Conversion> conversion_;
  std::vector<int32_t> conserved_keys_;  // of each posted dim
  std::unique_ptr<PostingTable> postings_;
  std::vector<Money> cost_parts_;  // the buffers below are one line's, kept for their room
  std::vector<int64_t> weights_, held_weights_, ns_parts_, held_parts_;
  std::vector<Posting> line_postings_;
  std::vector<const timeline::StateTime*> own_states_;
};

}  // namespace tare::ledger
