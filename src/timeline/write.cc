// The timeline as tables of the store: runs with their ends, holds with resolved names, resources,
// and the states of billed device-time.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "timeline/impl.h"

namespace tare::timeline {
namespace {

using store::FileWriter;
using store::SignSource;
using store::State;
using store::TableWriter;

void set_optional(TableWriter* table, size_t column, const std::optional<int64_t>& value) {
  if (value) {
    table->set_i64(column, *value);
  } else {
    table->set_null(column);
  }
}

void write_runs(const std::vector<Attempt>& attempts, FileWriter* file) {
  TableWriter table = file->table("run", store::timeline_run_columns());
  for (const Attempt& attempt : attempts) {
    table.set_text(0, attempt.run_id);
    table.set_i32(1, attempt.attempt);
    table.set_known_text(2, attempt.parent_run_id);
    table.set_known_text(3, attempt.model);
    table.set_known_text(4, attempt.stage);
    table.set_known_text(5, attempt.team);
    table.set_known_text(6, attempt.state);
    table.set_i64(7, attempt.start_ns);
    table.set_i64(8, attempt.end_ns);
    table.set_text(9, attempt.end_known_by);
    table.set_known_text(10, attempt.source);
    table.set_known_text(11, attempt.exit_reason);
    set_optional(&table, 12, attempt.last_checkpoint_ns);
    table.set_known_text(13, attempt.name);
    table.set_known_text(14, attempt.experiment);
    table.set_known_text(15, attempt.cost_center);
    table.end_row();
  }
  table.close();
}

bool is_training(const Attempt& attempt) { return attempt.stage == "training"; }

bool is_retrain(const Attempts& attempts, const Attempt& attempt) {
  if (!is_training(attempt) || attempt.state != "finished") return false;
  const auto parent = attempts.by_run.find(attempt.parent_run_id);
  return parent == attempts.by_run.end() ||
         std::none_of(parent->second.begin(), parent->second.end(), [&](int32_t index) {
           return is_training(attempts.all[static_cast<size_t>(index)]);
         });
}

void write_retrains(const Attempts& attempts, FileWriter* file) {
  using ModelMonth = std::pair<std::string, int32_t>;
  std::map<ModelMonth, int64_t> once;
  std::set<std::pair<ModelMonth, std::string>> more;
  for (const auto& [run_id, indexes] : attempts.by_run) {
    std::set<ModelMonth> finished;
    for (const int32_t index : indexes) {
      const Attempt& attempt = attempts.all[static_cast<size_t>(index)];
      if (!is_retrain(attempts, attempt)) continue;
      finished.emplace(attempt.model.empty() ? "unnamed" : attempt.model.text(),
                       month_of(attempt.end_ns - 1).index);
    }
    if (finished.size() == 1) ++once[*finished.begin()];
    if (finished.size() < 2) continue;
    for (const ModelMonth& in : finished) more.emplace(in, run_id);
  }
  TableWriter table = file->table("retrain", store::retrain_columns());
  const auto write = [&](const ModelMonth& in, const std::string& run_id, int64_t runs) {
    table.set_text(0, in.first);
    table.set_i32(1, in.second);
    table.set_known_text(2, run_id);
    table.set_i64(3, runs);
    table.end_row();
  };
  for (const auto& [in, runs] : once) write(in, "", runs);
  for (const auto& [in, run_id] : more) write(in, run_id, 1);
  table.close();
}

void write_holds(const Timeline::Impl& impl, FileWriter* file) {
  TableWriter table = file->table("hold", store::timeline_hold_columns());
  for (size_t i = 0; i < impl.lanes.size(); ++i) {
    for (const CanonicalHold& hold : impl.lanes[i].holds) {
      const Attempt& attempt = impl.attempts.all[static_cast<size_t>(hold.attempt)];
      table.set_text(0, attempt.run_id);
      table.set_i32(1, attempt.attempt);
      table.set_text(2, impl.resources[i].id);
      table.set_known_text(3, hold.device.value_or(""));
      table.set_i64(4, hold.span.start_ns);
      table.set_i64(5, hold.span.end_ns);
      table.set_known_text(6, hold.weight ? to_text(*hold.weight) : "");
      table.end_row();
    }
  }
  table.close();
}

void write_resources(const std::vector<Resource>& resources, FileWriter* file) {
  TableWriter table = file->table("resource", store::timeline_resource_columns());
  for (const Resource& resource : resources) {
    table.set_text(0, resource.id);
    table.set_text(1, resource.pool);
    table.set_text(2, resource.team);
    table.set_i64(3, resource.devices);
    table.set_u8(4, static_cast<uint8_t>(resource.device_class));
    table.set_known_text(5, resource.device_model);
    table.set_known_text(6, resource.cpus ? to_text(*resource.cpus) : "");
    if (resource.tracked_from_ns == kNoEnd) {
      table.set_null(7);
    } else {
      table.set_i64(7, resource.tracked_from_ns);
    }
    table.end_row();
  }
  table.close();
}

struct StateRow {
  Span span;
  const std::string* device = nullptr;  // null: not one device
  int32_t attempt = -1;
  State state = State::kUnknown;
  SignSource source = SignSource::kNone;
  int64_t state_ns = 0;
};

class StateTable {
 public:
  StateTable(const Timeline::Impl& impl, FileWriter* file)
      : impl_(impl), table_(file->table("device_state", store::device_state_columns())) {}

  void write_all() {
    for (size_t i = 0; i < impl_.lanes.size(); ++i) {
      if (impl_.lanes[i].has_states) {
        write_states(i);
      } else {
        write_held(i);
      }
      write_not_held(i);
    }
    table_.close();
  }

 private:
  void write_states(size_t i) {
    const Lane& lane = impl_.lanes[i];
    for (const StateSpan& state : lane.states) {
      write(i, {state.span, &lane.devices.names[static_cast<size_t>(state.device)], state.attempt,
                state.state, state.source, state.state_ns});
    }
  }

  // Without a sign, all that is held is unknown; one row an attempt and stretch, whatever the
  // devices.
  void write_held(size_t i) {
    std::vector<StateRow> open;
    std::vector<HeldTime> held;
    for (const Piece& piece : impl_.lanes[i].pieces) {
      held.clear();
      add_held(piece, piece.span.length_ns(), &held);
      std::vector<StateRow> next;
      for (const HeldTime& part : held) {
        auto before = std::find_if(open.begin(), open.end(), [&](const StateRow& row) {
          return row.attempt == part.attempt && row.span.end_ns == piece.span.start_ns &&
                 static_cast<int128>(row.state_ns) * piece.span.length_ns() ==
                     static_cast<int128>(part.held_ns) * row.span.length_ns();
        });
        if (before == open.end()) {
          next.push_back({piece.span, nullptr, part.attempt, State::kUnknown, SignSource::kNone,
                          part.held_ns});
          continue;
        }
        before->span.end_ns = piece.span.end_ns;
        before->state_ns += part.held_ns;
        next.push_back(*before);
        open.erase(before);
      }
      for (const StateRow& row : open) write(i, row);
      open = std::move(next);
    }
    for (const StateRow& row : open) write(i, row);
  }

  void write_not_held(size_t i) {
    for (const NotHeld& rest : impl_.lanes[i].not_held) {
      write(i, {rest.span, nullptr, -1, rest.state, SignSource::kTimeline, rest.ns});
    }
  }

  void write(size_t i, const StateRow& row) {
    table_.set_text(0, impl_.resources[i].id);
    if (row.device == nullptr) {
      table_.set_null(1);
    } else {
      table_.set_text(1, *row.device);
    }
    table_.set_i64(2, row.span.start_ns);
    table_.set_i64(3, row.span.end_ns);
    if (row.attempt < 0) {
      table_.set_null(4);
      table_.set_null(5);
    } else {
      const Attempt& attempt = impl_.attempts.all[static_cast<size_t>(row.attempt)];
      table_.set_text(4, attempt.run_id);
      table_.set_i32(5, attempt.attempt);
    }
    table_.set_u8(6, static_cast<uint8_t>(row.state));
    table_.set_i64(7, row.state_ns);
    table_.set_u8(8, static_cast<uint8_t>(row.source));
    table_.end_row();
  }

  const Timeline::Impl& impl_;
  TableWriter table_;
};

}  // namespace

store::StoreFile Timeline::write(const std::string& store_directory,
                                 const std::string& derived_from, const Findings& findings) const {
  store::StoreFile entry;
  entry.kind = "timeline";
  entry.derived_from = derived_from;
  FileWriter file(store_directory, "timeline-" + derived_from);
  write_runs(impl_->attempts.all, &file);
  write_retrains(impl_->attempts, &file);
  write_holds(*impl_, &file);
  write_resources(impl_->resources, &file);
  StateTable(*impl_, &file).write_all();
  store::write_findings(file, findings);
  entry.rows = static_cast<int64_t>(impl_->attempts.all.size());
  entry.name = file.seal();
  return entry;
}

}  // namespace tare::timeline
