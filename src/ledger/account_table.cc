#include "ledger/account_table.h"

namespace tare::ledger {
namespace {

void set_text_or_null(store::TableWriter* table, size_t column, const std::string& value) {
  if (value.empty()) {
    table->set_null(column);
  } else {
    table->set_text(column, value);
  }
}

}  // namespace

int32_t AccountTable::id_of(const Target& target) {
  auto [entry, added] = ids_.try_emplace({target.account, target.pool, target.attempt},
                                         static_cast<int32_t>(targets_.size()));
  if (added) targets_.push_back(target);
  return entry->second;
}

void AccountTable::write(store::FileWriter* file) const {
  store::TableWriter table = file->table("account", store::account_columns());
  for (size_t i = 0; i < targets_.size(); ++i) {
    const Target& target = targets_[i];
    table.set_i32(0, static_cast<int32_t>(i));
    table.set_text(1, target.account);
    table.set_text(2, target.kind);
    set_text_or_null(&table, 3, target.model);
    set_text_or_null(&table, 4, target.stage);
    set_text_or_null(&table, 5, target.team);
    set_text_or_null(&table, 6, target.pool);
    if (target.attempt < 0) {
      table.set_null(7);
      table.set_null(8);
    } else {
      const timeline::Attempt& attempt = timeline_.attempts()[static_cast<size_t>(target.attempt)];
      table.set_text(7, attempt.run_id);
      table.set_i32(8, attempt.attempt);
    }
    table.end_row();
  }
  table.close();
}

}  // namespace tare::ledger
