#include "sources/prices/priced_file.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sources/bill/cost_sums.h"
#include "sources/bill/line_sums.h"
#include "sources/bill/period_file.h"

namespace tare::sources {
namespace {

// A change of what is made of the same cards and inventory changes this.
constexpr std::string_view kPricingVersion = "priced-1";

std::string tags_of(const RateCardRow& row) {
  nlohmann::json tags = nlohmann::json::object();
  if (!row.pool.empty()) tags[std::string(kCardPoolTag)] = row.pool;
  if (!row.team.empty()) tags[std::string(kCardTeamTag)] = row.team;
  return tags.empty() ? "" : tags.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What the cost is made of, each part with its own money.
std::string parts_text(const Card& card, const Card::Cost& cost) {
  nlohmann::json parts = nlohmann::json::object();
  parts["x_rate_card"] = card.row().pattern;
  for (const auto& [name, money] : cost.parts) parts["x_" + name] = to_text(money);
  return parts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void PricedFile::add(const PricedLine& line) {
  const RateCardRow& row = line.card->row();
  const Dim dim{line.machine, row.currency, tags_of(row)};
  const auto [known, is_new] = dim_ids_.try_emplace(dim, static_cast<int32_t>(dims_.size()));
  if (is_new) dims_.push_back(dim);
  const Card::Cost cost = line.card->cost_of(line.span.length_ns());
  Money& sum = sums_[row.currency];
  sum = bounded_sum(sum, cost.whole);
  Line made{{}, known->second, line.span, cost.whole, parts_text(*line.card, cost)};
  made.id = HashBuilder()
                .add(kPricingVersion)
                .add(source_)
                .add(int64_t{period_.index})
                .add(dim.machine)
                .add(dim.currency)
                .add(dim.tags)
                .add(line.span.start_ns)
                .add(line.span.end_ns)
                .add(to_text(cost.whole))
                .add(made.x)
                .finish();
  lines_.push_back(std::move(made));
}

std::string PricedFile::content_hash() const {
  HashBuilder hash;
  hash.add(kPricingVersion).add(int64_t{store::kSchemaVersion}).add(source_);
  hash.add(int64_t{period_.index});
  for (const Line& line : lines_) hash.add(to_text(line.id));
  return to_text(hash.finish());
}

void PricedFile::write_dims(store::FileWriter* file) const {
  store::TableWriter table = file->table("dim", store::dim_columns());
  for (size_t id = 0; id < dims_.size(); ++id) {
    const Dim& dim = dims_[id];
    std::array<std::string_view, kDimColumns> texts{};
    const auto set = [&](DimColumn column, std::string_view text) {
      texts[static_cast<size_t>(column)] = text;
    };
    set(DimColumn::kBillingCurrency, dim.currency);
    set(DimColumn::kChargeCategory, "Usage");
    set(DimColumn::kServiceName, kRateCardService);
    set(DimColumn::kServiceCategory, "Compute");
    set(DimColumn::kProviderName, kRateCardService);
    set(DimColumn::kResourceId, dim.machine);
    set(DimColumn::kConsumedUnit, "Seconds");
    set(DimColumn::kTags, dim.tags);
    table.set_i32(0, static_cast<int32_t>(id));
    for (size_t column = 0; column < kDimColumns; ++column)
      table.set_known_text(1 + column, texts[column]);
    table.end_row();
  }
  table.close();
}

void PricedFile::write_lines(store::FileWriter* file) const {
  store::TableWriter table = file->table("line", store::line_columns());
  LineSums sums;
  for (const Line& line : lines_) {
    table.set_uuid(0, line.id);
    table.set_i32(1, line.dim);
    table.set_i64(2, line.span.start_ns);
    table.set_i64(3, line.span.end_ns);
    for (size_t c = 0; c < kCostColumns; ++c) table.set_money(4 + 2 * c, line.cost);
    // Seconds, to the nanosecond.
    table.set_money(12, Money::from_atto(static_cast<int128>(line.span.length_ns()) *
                                         (Money::kAttoPerUnit / kNsPerSecond)));
    table.set_money(14, std::nullopt);
    table.set_text(16, line.x);
    table.end_row();
    LineSums::Words words;
    words[0] = dims_[static_cast<size_t>(line.dim)].currency;
    words[3] = "Usage";
    sums.add(sums.key_of(words), line.span.start_ns, {line.cost, line.cost, line.cost, line.cost});
  }
  table.close();
  sums.write(file);
}

store::StoreFile PricedFile::write(const std::string& store_directory) const {
  store::StoreFile entry;
  entry.kind = "bill";
  entry.source = source_;
  entry.period = to_text(period_);
  entry.derived_from = content_hash();
  entry.rows = static_cast<int64_t>(lines_.size());
  entry.span_start_ns = INT64_MAX;
  entry.span_end_ns = INT64_MIN;
  for (const Line& line : lines_) {
    entry.span_start_ns = std::min(entry.span_start_ns, line.span.start_ns);
    entry.span_end_ns = std::max(entry.span_end_ns, line.span.end_ns);
  }
  store::FileWriter file(
      store_directory, "bill-" + slug_of(source_) + "-" + entry.period + "-" + entry.derived_from);
  write_dims(&file);
  write_lines(&file);
  store::write_findings(file, {});
  entry.name = file.seal();
  return entry;
}

}  // namespace tare::sources
