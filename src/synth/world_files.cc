#include "synth/world_files.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "base/errors.h"
#include "base/money.h"
#include "synth/dice.h"
#include "synth/samples.h"

namespace tare::synth {
namespace {

enum : uint64_t { kOutcomeDice = 501, kServiceDice };

constexpr CellKind kInstant = CellKind::kInstant, kInteger = CellKind::kInteger;

class RecordFiles {
 public:
  RecordFiles(const World& world, const Destination& to, Written* written)
      : world_(world), to_(to), written_(*written) {}

  void write() {
    runs();
    holds();
    replicas();
    resources();
    aliases();
    device_usage();
    outcomes();
    retrain_rows();
    requests();
  }

 private:
  using Columns = std::vector<TableColumn>;

  int64_t second(int32_t second_of_world) const {
    return world_.instant_ns(second_of_world) / kNsPerSecond;
  }
  std::optional<int64_t> end_second(int32_t end) const {
    return end == kNever ? std::nullopt : std::optional(second(end));
  }

  template <typename Rows>
  void write(const std::string& name, const Columns& columns, Rows rows) {
    TableFile file(to_, name, columns);
    rows(file);
    const int64_t count = file.write();
    // A source without rows has nothing to say, and is not named in tare.yaml.
    if (count > 0) written_.emplace_back(name, count);
  }

  static std::string_view state_text(RunState state) {
    constexpr std::array<std::string_view, 6> kNames = {"running",   "finished",  "failed",
                                                        "preempted", "cancelled", "lost"};
    return kNames[static_cast<size_t>(state)];
  }

  void runs() {
    const Columns columns = {{"run_id"},
                             {"attempt", kInteger},
                             {"model"},
                             {"stage"},
                             {"team"},
                             {"state"},
                             {"start", kInstant},
                             {"end", kInstant},
                             {"last_checkpoint", kInstant},
                             {"parent_run_id"},
                             {"exit_reason"}};
    write("runs", columns, [&](TableFile& file) {
      for (const Holder& holder : world_.holders) {
        if (holder.run == kNone) continue;
        const Run& run = world_.runs[holder.run];
        const CompanyModel& model = company_models()[run.model];
        const bool named = run.model != kUnnamedModel;
        file.text(world_.run_id(holder.run)).integer(holder.attempt);
        file.text(named ? model.name : "").text(stage_name(run.stage)).text(model.team);
        file.text(state_text(holder.state)).second(second(holder.start));
        file.second(end_second(holder.end));
        file.second(holder.checkpoint < 0 ? std::nullopt
                                          : std::optional(second(holder.checkpoint)));
        file.text(run.parent == kNone ? "" : world_.run_id(run.parent));
        const bool memory = holder.state == RunState::kFailed && holder.run % 3 == 0;
        file.text(memory ? "out-of-memory" : "").end_row();
      }
    });
  }

  const std::string& held_name(uint32_t machine) const {
    const Machine& one = world_.machines[machine];
    return one.alias.empty() ? one.id : one.alias;
  }

  static std::string fraction(const HoldRow& row) {
    return row.whole == 0 ? "" : fmt::format("{}/{}", row.part, row.whole);
  }

  void holds() {
    const Columns columns = {{"run_id"},
                             {"attempt", kInteger},
                             {"resource_id"},
                             {"device"},
                             {"device_count", kInteger},
                             {"start", kInstant},
                             {"end", kInstant},
                             {"weight"},
                             {"cpus"}};
    write("holds", columns, [&](TableFile& file) {
      for (const HoldRow& row : world_.holds) {
        const Holder& holder = world_.holders[row.holder];
        const bool cpus = world_.machines[row.machine].use == Use::kCpuNode;
        file.text(world_.run_id(holder.run)).integer(holder.attempt).text(held_name(row.machine));
        file.text(row.device < 0 ? "" : std::to_string(row.device));
        file.integer(row.count == 0 ? std::nullopt : std::optional<int64_t>(row.count));
        file.second(second(row.start)).second(end_second(row.end));
        file.text(cpus ? "" : fraction(row));
        file.text(cpus && row.whole > 0 ? std::to_string(row.part) : "").end_row();
      }
    });
  }

  void replicas() {
    const Columns columns = {
        {"model"}, {"endpoint"}, {"resource_id"}, {"start", kInstant}, {"end", kInstant}};
    write("replicas", columns, [&](TableFile& file) {
      for (const HoldRow& row : world_.replicas) {
        const auto endpoint =
            std::ranges::find(world_.endpoints, row.holder, &Endpoint::first_holder);
        file.text(company_models()[row.endpoint_model].name).text(endpoint->name);
        file.text(held_name(row.machine)).second(second(row.start)).second(end_second(row.end));
        file.end_row();
      }
    });
  }

  void resources() {
    const Columns columns = {{"resource_id"},       {"pool"},         {"team"},
                             {"devices", kInteger}, {"device_model"}, {"cpus", kInteger},
                             {"from", kInstant},    {"to", kInstant}};
    write("resources", columns, [&](TableFile& file) {
      for (const Machine& machine : world_.machines) {
        if (machine.pool_by != NamedBy::kInventory) continue;
        const Shape& shape = shape_of(machine.shape);
        file.text(machine.id).text(machine.pool).text("platform").integer(shape.devices);
        file.text(shape.device_model).integer(shape.cpus);
        file.second(second(machine.from_hour * kSecondsPerHour));
        file.second(machine.to_hour == world_.hours
                        ? std::nullopt
                        : std::optional(second(machine.to_hour * kSecondsPerHour)));
        file.end_row();
      }
    });
  }

  void aliases() {
    write("aliases", {{"alias"}, {"resource_id"}}, [&](TableFile& file) {
      for (const Machine& machine : world_.machines) {
        if (!machine.alias.empty()) file.text(machine.alias).text(machine.id).end_row();
      }
    });
  }

  static std::string ratio(int64_t ppm) {
    constexpr int64_t kPpm = 1'000'000;
    return ppm < 0 ? "" : fmt::format("{}.{:06}", ppm / kPpm, ppm % kPpm);
  }

  void device_usage() {
    const Columns columns = {{"resource_id"},
                             {"device"},
                             {"start", kInstant},
                             {"end", kInstant},
                             {"busy_ratio"},
                             {"sm_active_ratio"},
                             {"memory_used_bytes", kInteger}};
    write("device-usage", columns, [&](TableFile& file) {
      for (size_t i = 0; i < world_.machines.size(); ++i) {
        const Machine& machine = world_.machines[i];
        if (!machine.monitored) continue;
        const int32_t devices = shape_of(machine.shape).devices;
        for (int32_t hour = machine.from_hour; hour < machine.to_hour; ++hour) {
          for (int32_t device = 0; device < devices; ++device) usage_rows(file, i, device, hour);
        }
      }
    });
  }

  bool is_held(const Machine& machine, int32_t device, int32_t hour) const {
    const Span32 span{hour * kSecondsPerHour, (hour + 1) * kSecondsPerHour};
    for (uint32_t i = 0; i < machine.lanes; ++i) {
      const Lane& lane = world_.lanes[machine.first_lane + i];
      if (lane.device >= 0 && lane.device != device) continue;
      const auto first = world_.pieces.begin() + lane.first_piece;
      const auto last = first + lane.pieces;
      const auto at =
          std::upper_bound(first, last, span.start,
                           [](int32_t instant, const Piece& piece) { return instant < piece.end; });
      if (at != last && at->start < span.end) return true;
    }
    return false;
  }

  void usage_rows(TableFile& file, size_t machine, int32_t device, int32_t hour) const {
    const Sample sample = sample_of(world_, machine, device, hour);
    if (sample.kind == SampleKind::kGap) return;
    const bool idle = !is_held(world_.machines[machine], device, hour);
    auto row = [&](const std::string& busy, const std::string& active) {
      file.text(world_.machines[machine].id).text(std::to_string(device));
      file.second(second(hour * kSecondsPerHour)).second(second((hour + 1) * kSecondsPerHour));
      file.text(busy).text(active).integer(40LL << 30).end_row();
    };
    const std::string busy = ratio(idle ? 0 : sample.busy_ppm);
    const std::string active = ratio(idle && sample.sm_active_ppm >= 0 ? 0 : sample.sm_active_ppm);
    constexpr int64_t kPartsPerMillion = 1'000'000;
    switch (sample.kind) {
      case SampleKind::kOverOne:
        return row(ratio(kPartsPerMillion + sample.busy_ppm), "");
      case SampleKind::kBlank:
        return row("9223372036854775794", "9223372036854775794");
      case SampleKind::kRepeated:
        row(busy, active);
        return row(busy, active);
      case SampleKind::kDisagree:
        row(busy, active);
        return row(ratio(sample.busy_ppm / 2 + 1), active);
      default:
        return row(busy, active);
    }
  }

  int64_t days() const { return world_.hours / 24; }

  void outcomes() {
    write("outcomes", {{"model"}, {"outcome"}, {"day", kInstant}, {"count", kInteger}},
          [&](TableFile& file) {
            for (size_t model = 0; model < kCommonModels; ++model) {
              for (int64_t day = 0; day < days(); ++day) outcome_rows(file, model, day);
            }
          });
  }

  void outcome_rows(TableFile& file, size_t model, int64_t day) const {
    constexpr int64_t kFewest = 1'000'000, kMost = 9'000'000, kEach = 9'000;
    const CompanyModel& one = company_models()[model];
    const uint64_t drawn =
        draw(world_.wanted.seed + kOutcomeDice, model, static_cast<uint64_t>(day));
    const int64_t predictions = kFewest + scaled_below(drawn, kMost - kFewest);
    const int64_t start = second(static_cast<int32_t>(day) * 24 * kSecondsPerHour);
    file.text(one.name).text("predictions").second(start).integer(predictions).end_row();
    file.text(one.name).text(one.outcome).second(start).integer(predictions / kEach).end_row();
  }

  void retrain_rows() {
    const bool stale = std::ranges::any_of(world_.wanted.plants, [](const Planted& planted) {
      return planted.plant == Plant::kOverFrequentRetraining;
    });
    write("retrain-data",
          {{"model"}, {"day", kInstant}, {"rows_changed", kInteger}, {"rows_total", kInteger}},
          [&](TableFile& file) {
            constexpr int64_t kRows = 50'000'000, kChanged = 400'000;
            for (int64_t day = 0; day < days(); ++day) {
              const int64_t start = second(static_cast<int32_t>(day) * 24 * kSecondsPerHour);
              for (size_t model = 0; model < kCommonModels; ++model) {
                const uint64_t drawn =
                    draw(world_.wanted.seed + kOutcomeDice, model + 64, static_cast<uint64_t>(day));
                file.text(company_models()[model].name).second(start);
                file.integer(1 + scaled_below(drawn, kChanged)).integer(kRows).end_row();
              }
              if (!stale) continue;
              file.text(company_models()[kStaleModel].name).second(start);
              file.integer(day == 0 ? kChanged : 0).integer(kRows).end_row();
            }
          });
  }

  void requests() {
    const Columns columns = {{"model"}, {"arrival", kInstant},   {"service_ms", kInteger},
                             {"key"},   {"tokens_in", kInteger}, {"tokens_out", kInteger},
                             {"status"}};
    write("requests", columns, [&](TableFile& file) {
      constexpr int64_t kKeys = 5'000, kLongest = 900, kTokens = 2'000;
      for (int64_t i = 0; i < world_.request_rows; ++i) {
        const Request request = request_of(world_, i);
        Dice dice(draw(world_.wanted.seed + kServiceDice, static_cast<uint64_t>(i), 0), 0);
        file.text(company_models()[request.model].name).second(second(request.second));
        file.integer(dice.between(1, kLongest)).text(fmt::format("q{}", dice.below(kKeys)));
        file.integer(dice.below(kTokens)).integer(dice.below(kTokens));
        file.text(dice.one_in(200) ? "error" : "ok").end_row();
      }
    });
  }

  const World& world_;
  const Destination& to_;
  Written& written_;
};

}  // namespace

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw UserError("file-not-written", "'" + path + "' can't be written");
}

void write_records(const World& world, const Destination& to, Written* written) {
  RecordFiles(world, to, written).write();
}

void write_invoices(const World& world, const std::vector<PeriodTotals>& totals,
                    const Destination& to, Written* written) {
  TableFile file(to, "invoices",
                 {{"invoice_id"}, {"issuer"}, {"billing_period"}, {"total"}, {"currency"}});
  for (size_t month = 0; month < totals.size(); ++month) {
    const std::string period =
        to_text(Month{world.first_month.index + static_cast<int32_t>(month)});
    for (const Seller seller : {Seller::kAws, Seller::kGcp}) {
      const SellerNames& names = names_of(seller);
      const Money total = Money::from_atto(totals[month].billed[static_cast<size_t>(seller)]);
      file.text(fmt::format("{}{}", names.invoice_prefix, period)).text(names.issuer).text(period);
      file.text(to_text_rounded(total, 2)).text("USD").end_row();
    }
  }
  written->emplace_back("invoices", file.write());
}

void write_project(const World& world, const std::string& folder, const Written& written) {
  struct Source {
    std::string_view kind, name;
  };
  constexpr auto kSources = std::to_array<Source>({{"runs", "runs"},
                                                   {"runs", "retrain-data"},
                                                   {"holds", "holds"},
                                                   {"holds", "replicas"},
                                                   {"resources", "resources"},
                                                   {"aliases", "aliases"},
                                                   {"telemetry", "device-usage"},
                                                   {"outcomes", "outcomes"},
                                                   {"requests", "requests"},
                                                   {"invoices", "invoices"}});
  std::string yaml = fmt::format(
      "# A made world: seed {}, {} months, {} bill lines, {} runs. truth/ says what it costs.\n"
      "project: synth\ncurrency: USD\n\nsources:\n  bill:\n    - {{format: focus, path: bill/}}\n",
      world.wanted.seed, world.wanted.months, world.wanted.bill_lines, world.wanted.runs);
  std::string_view kind;
  for (const Source& source : kSources) {
    const bool there =
        std::ranges::any_of(written, [&](const auto& file) { return file.first == source.name; });
    if (!there) continue;
    if (source.kind != kind) yaml += fmt::format("  {}:\n", source.kind);
    kind = source.kind;
    yaml += fmt::format("    - {{format: {}, path: {}}}\n", source.name,
                        file_name(std::string(source.name), world.wanted.format));
  }
  yaml += "\nmodels:\n";
  for (size_t model = 0; model < kCommonModels; ++model) {
    const CompanyModel& one = company_models()[model];
    yaml += fmt::format("  {}: {{outcome: {}, team: {}}}\n", one.name, one.outcome, one.team);
  }
  yaml +=
      "\nidentity:\n  - {match: {model: \"*\", stage: \"*\"}, model: \"${model}\", "
      "stage: \"${stage}\"}\n";
  yaml += fmt::format("\nshares:\n  - {{run: endpoint/both, models: {{{}: 1/4, {}: 3/4}}}}\n",
                      company_models()[kBothModels[0]].name, company_models()[kBothModels[1]].name);
  yaml +=
      "\npolicy:\n  idle: own\n  credits: own\n  pool_tag: pool\n  shared:\n"
      "    support: {match: {service: \"*Support*\"}, rule: proportional}\n"
      "    network: by-request\n    storage: keep\n";
  write_text(folder + "/tare.yaml", yaml);
}

}  // namespace tare::synth
