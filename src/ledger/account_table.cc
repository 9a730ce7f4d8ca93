#include "ledger/account_table.h"

namespace tare::ledger {
namespace {

constexpr std::string_view kModelPrefix = "model/";

}  // namespace

AccountTable::AccountTable(const Rules& rules, const timeline::Timeline& timeline)
    : rules_(rules), timeline_(timeline), first_held_(timeline.attempts().size()) {}

int32_t AccountTable::place_of(const std::string& pool, const std::string& team) {
  auto [entry, added] = place_ids_.try_emplace({pool, team}, static_cast<int32_t>(places_.size()));
  if (added) {
    places_.emplace_back(pool, team);
    idle_.push_back(-1);
  }
  return entry->second;
}

int32_t AccountTable::add(Entry entry) {
  entries_.push_back(entry);
  return static_cast<int32_t>(entries_.size() - 1);
}

int32_t AccountTable::id_of(const Target& target) {
  auto [entry, added] =
      other_ids_.try_emplace({target.account, target.pool, target.team, target.attempt}, -1);
  if (!added) return entry->second;
  Kind kind = target.kind == "idle"    ? Kind::kIdle
              : target.kind == "model" ? Kind::kModel
                                       : Kind::kOther;
  entry->second = add({kind, -1, -1, static_cast<int32_t>(others_.size())});
  others_.push_back(target);
  return entry->second;
}

Target AccountTable::target_held_by(int32_t attempt, int32_t place) const {
  Target target = rules_.target_of(attempt);
  target.pool = places_[static_cast<size_t>(place)].first;
  return target;
}

int32_t AccountTable::held_by(int32_t attempt, int32_t place) {
  Held& first = first_held_[static_cast<size_t>(attempt)];
  if (first.place == place) return first.account;
  auto own = [&] {
    const std::string& account = timeline_.attempts()[static_cast<size_t>(attempt)].account;
    return add(
        {account.starts_with(kModelPrefix) ? Kind::kModel : Kind::kOther, attempt, place, -1});
  };
  if (first.place < 0) {
    first = {place, own()};
    return first.account;
  }
  uint64_t key =
      (static_cast<uint64_t>(static_cast<uint32_t>(attempt)) << 32) | static_cast<uint32_t>(place);
  auto [entry, added] = other_held_.try_emplace(key, -1);
  if (added) entry->second = own();
  return entry->second;
}

int32_t AccountTable::idle(int32_t place) {
  int32_t& account = idle_[static_cast<size_t>(place)];
  if (account < 0) {
    const auto& [pool, team] = places_[static_cast<size_t>(place)];
    account = id_of(Rules::idle(pool, team));
  }
  return account;
}

std::string_view AccountTable::account(int32_t id) const {
  const Entry& found = entry(id);
  if (found.other >= 0) return others_[static_cast<size_t>(found.other)].account;
  return timeline_.attempts()[static_cast<size_t>(found.attempt)].account;
}

std::string_view AccountTable::model(int32_t id) const {
  const Entry& found = entry(id);
  const std::string& model = found.other >= 0
                                 ? others_[static_cast<size_t>(found.other)].model
                                 : timeline_.attempts()[static_cast<size_t>(found.attempt)].model;
  return model.empty() ? std::string_view("unnamed") : std::string_view(model);
}

Target AccountTable::target(int32_t id) const {
  const Entry& found = entry(id);
  return found.other >= 0 ? others_[static_cast<size_t>(found.other)]
                          : target_held_by(found.attempt, found.place);
}

void AccountTable::write(store::FileWriter* file) const {
  store::TableWriter table = file->table("account", store::account_columns());
  for (size_t i = 0; i < entries_.size(); ++i) {
    Target written = target(static_cast<int32_t>(i));
    table.set_i32(0, static_cast<int32_t>(i));
    table.set_text(1, written.account);
    table.set_text(2, written.kind);
    table.set_known_text(3, written.model);
    table.set_known_text(4, written.stage);
    table.set_known_text(5, written.team);
    table.set_known_text(6, written.pool);
    if (written.attempt < 0) {
      table.set_null(7);
      table.set_null(8);
    } else {
      const timeline::Attempt& attempt = timeline_.attempts()[static_cast<size_t>(written.attempt)];
      table.set_text(7, attempt.run_id);
      table.set_i32(8, attempt.attempt);
    }
    table.end_row();
  }
  table.close();
}

}  // namespace tare::ledger
