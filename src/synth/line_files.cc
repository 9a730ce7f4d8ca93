#include "synth/line_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/money.h"
#include "synth/dice.h"

namespace tare::synth {
namespace {

enum : uint64_t { kShuffleDice = 401 };

constexpr size_t kLinesAFile = 500'000;
constexpr std::array<std::string_view, kCosts> kCostNames = {"BilledCost", "EffectiveCost",
                                                             "ListCost", "ContractedCost"};
enum Column : size_t { kDim, kStart, kEnd, kFirstCost, kQuantity = kFirstCost + kCosts };

void write_dims(const World& world, const Dims& dims, int32_t month, store::FileWriter* scratch) {
  std::vector<store::ColumnSpec> columns = {{"id", store::Type::kInteger}};
  for (const std::string_view name : kTextNames) {
    columns.push_back({std::string(name), store::Type::kVarchar});
  }
  store::TableWriter table = scratch->table("synth_dim", columns);
  const std::string month_text = to_text(Month{world.first_month.index + month});
  for (size_t i = 0; i < dims.all.size(); ++i) {
    table.set_i32(0, static_cast<int32_t>(i));
    for (size_t t = 0; t < kTexts; ++t) {
      const std::string& text = dims.all[i].text[t];
      if (t == static_cast<size_t>(Text::kInvoiceId)) {
        table.set_text(t + 1, text + month_text);
      } else if (text.empty()) {
        table.set_null(t + 1);
      } else {
        table.set_text(t + 1, text);
      }
    }
    table.end_row();
  }
  table.close();
}

void write_lines(const World& world, const std::vector<BillLine>& lines,
                 store::FileWriter* scratch) {
  std::vector<store::ColumnSpec> columns = {{"dim", store::Type::kInteger},
                                            {"charge_start", store::Type::kBigint},
                                            {"charge_end", store::Type::kBigint}};
  for (const std::string_view name : kCostNames) {
    columns.push_back({std::string(name), store::Type::kDecimal});
  }
  columns.push_back({"quantity", store::Type::kBigint});
  store::TableWriter table = scratch->table("synth_line", columns);
  const int64_t origin = world.instant_ns(0) / kNsPerSecond;
  for (const BillLine& line : lines) {
    table.set_i32(kDim, line.dim);
    table.set_i64(kStart, origin + line.period.start);
    table.set_i64(kEnd, origin + line.period.end);
    for (size_t c = 0; c < kCosts; ++c) {
      if ((line.unknown >> c & 1) != 0) {
        table.set_null(kFirstCost + c);
      } else {
        table.set_decimal(kFirstCost + c, Money::from_atto(line.costs[c]));
      }
    }
    if (line.has_quantity) {
      table.set_i64(kQuantity, line.quantity_micros);
    } else {
      table.set_null(kQuantity);
    }
    table.end_row();
  }
  table.close();
}

std::string selected(const World& world, int32_t month, FileFormat format) {
  std::string sql;
  for (const std::string_view name : kCostNames) sql += fmt::format("\"{}\", ", name);
  sql += "'USD' AS BillingCurrency, ";
  const Span period = span_of(Month{world.first_month.index + month});
  auto instant = [&](const std::string& seconds, std::string_view name) {
    sql += fmt::format("{} AS {}, ", instant_sql(seconds, format), name);
  };
  instant(std::to_string(period.start_ns / kNsPerSecond), "BillingPeriodStart");
  instant(std::to_string(period.end_ns / kNsPerSecond), "BillingPeriodEnd");
  instant("charge_start", "ChargePeriodStart");
  instant("charge_end", "ChargePeriodEnd");
  for (const std::string_view name : kTextNames) sql += fmt::format("\"{}\", ", name);
  const std::string quantity = "quantity * 0.000001";
  return sql + quantity + " AS ConsumedQuantity, " + quantity + " AS PricingQuantity, " +
         "\"ConsumedUnit\" AS PricingUnit";
}

}  // namespace

LineFiles::LineFiles(const World& world, const Dims& dims, int32_t month, const Destination& to,
                     int threads)
    : world_(world),
      dims_(dims),
      month_(month),
      to_(to),
      threads_(static_cast<size_t>(std::max(threads, 1))) {}

LineFiles::~LineFiles() {
  for (std::future<void>& file : writing_) file.wait();
}

void LineFiles::add(const BillLine& line) {
  batch_.push_back(line);
  if (batch_.size() == kLinesAFile) send();
}

void LineFiles::send() {
  const std::string name = fmt::format("part-{:04}", ++files_);
  const std::string scratch_name = fmt::format("{}-{}", month_, name);
  if (world_.wanted.order == LineOrder::kShuffled) {
    Dice dice(world_.wanted.seed + static_cast<uint64_t>(files_), kShuffleDice);
    for (size_t i = batch_.size(); i > 1; --i) {
      std::swap(batch_[i - 1], batch_[static_cast<size_t>(dice.below(static_cast<int64_t>(i)))]);
    }
  }
  auto write = [this, name, scratch_name, lines = std::move(batch_)] {
    store::FileWriter scratch(to_.scratch, scratch_name);
    write_dims(world_, dims_, month_, &scratch);
    write_lines(world_, lines, &scratch);
    // One thread and a join that keeps the order of its lines: the file's bytes are the same again.
    scratch.query(fmt::format(
        "COPY (SELECT {} FROM synth_line JOIN synth_dim ON synth_dim.id = synth_line.dim) TO {} {}",
        selected(world_, month_, to_.format),
        store::quote_text(to_.folder + "/" + file_name(name, to_.format)),
        copy_options(to_.format)));
  };
  batch_ = {};
  if (writing_.size() == threads_) {
    writing_.front().get();
    writing_.erase(writing_.begin());
  }
  writing_.push_back(std::async(std::launch::async, std::move(write)));
}

int64_t LineFiles::finish() {
  if (!batch_.empty()) send();
  for (std::future<void>& file : writing_) file.get();
  writing_.clear();
  return files_;
}

}  // namespace tare::synth
