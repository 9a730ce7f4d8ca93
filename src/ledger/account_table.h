// The accounts of one ledger file, as small integers: an attempt's own by (attempt, place), all
// others by (account, pool, team, attempt).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ledger/rules.h"

namespace tare::ledger {

class AccountTable {
 public:
  AccountTable(const Rules& rules, const timeline::Timeline& timeline);
  // A pool and whose idle time it has; "" and "": none.
  int32_t place_of(const std::string& pool, const std::string& team);
  // The attempt's own account, for what it holds of a machine that stands in `place`.
  int32_t held_by(int32_t attempt, int32_t place);
  Target target_held_by(int32_t attempt, int32_t place) const;
  int32_t idle(int32_t place);
  int32_t id_of(const Target& target);  // of any other

  std::string_view account(int32_t id) const;
  bool is_idle(int32_t id) const { return entry(id).kind == Kind::kIdle; }
  bool is_model(int32_t id) const { return entry(id).kind == Kind::kModel; }
  std::string_view model(int32_t id) const;  // requires is_model
  Target target(int32_t id) const;
  size_t size() const { return entries_.size(); }
  const timeline::Timeline& timeline() const { return timeline_; }
  void write(store::FileWriter* file) const;

 private:
  enum class Kind : uint8_t { kOther, kIdle, kModel };
  struct Entry {
    Kind kind;
    int32_t attempt, place;  // of an attempt's own account
    int32_t other;           // index into others_, -1: an attempt's own
  };
  struct Held {
    int32_t place = -1, account = -1;
  };
  const Entry& entry(int32_t id) const { return entries_[static_cast<size_t>(id)]; }
  int32_t add(Entry entry);

  const Rules& rules_;
  const timeline::Timeline& timeline_;
  std::vector<Entry> entries_;
  std::vector<Target> others_;
  std::map<std::tuple<std::string, std::string, std::string, int32_t>, int32_t> other_ids_;
  std::map<std::pair<std::string, std::string>, int32_t> place_ids_;
  std::vector<std::pair<std::string, std::string>> places_;
  std::vector<int32_t> idle_;                         // by place, -1: none yet
  std::vector<Held> first_held_;                      // by attempt: nearly all stay in one place
  std::unordered_map<uint64_t, int32_t> other_held_;  // by attempt and place
};

}  // namespace tare::ledger
