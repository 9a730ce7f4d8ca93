#include "ledger/conversion.h"

#include <fmt/format.h>

namespace tare::ledger {

Conversion::Conversion(const std::string& currency, const Rates& rates,
                       const timeline::BillFile& bill, store::FileWriter* file)
    : currency_(currency), rates_(rates), bill_(bill), file_(file) {
  for (const BillDim& dim : bill.dims) {
    const std::string own = dim[DimColumn::kBillingCurrency].value_or("");
    dims_.push_back({dim.id, own});
    if (own != currency) foreign_[dim.id] = {};
  }
  for (auto& [dim, foreign] : foreign_) {
    if (!rates.connects(dims_[static_cast<size_t>(dim)].currency, currency)) continue;
    foreign.posted_dim = static_cast<int32_t>(dims_.size());
    dims_.push_back({dim, currency});
  }
  if (dims_.size() > bill.dims.size()) {
    converted_.emplace(file->table("converted", store::converted_columns()));
  }
}

const Conversion::Foreign& Conversion::rate_for(const Line& line) {
  Foreign& foreign = foreign_.at(line.dim);
  const int64_t day_ns = floor_day(line.period.start_ns);
  if (foreign.posted_dim < 0 || foreign.day_ns == day_ns) return foreign;
  const std::string& from = dims_[static_cast<size_t>(line.dim)].currency;
  foreign.day_ns = day_ns;
  foreign.rate = rates_.find(from, currency_, day_ns);
  if (foreign.rate) {
    Used used{from, *foreign.rate};
    const auto [known, is_new] = used_.try_emplace(used, static_cast<int32_t>(used_by_id_.size()));
    if (is_new) used_by_id_.push_back(std::move(used));
    foreign.rate_id = known->second;
  }
  return foreign;
}

void Conversion::apply(Line* line) {
  line->posted_dim = line->dim;
  line->rate = -1;
  line->lacks_rate = false;
  if (foreign_.empty() || !foreign_.contains(line->dim)) return;
  const Foreign& foreign = rate_for(*line);
  if (!foreign.rate) {
    line->lacks_rate = true;
    return;
  }
  line->own_costs = line->costs;
  for (std::optional<Money>& cost : line->costs) {
    if (!cost) continue;
    cost = scaled(*cost, foreign.rate->numerator(), foreign.rate->denominator());
    if (!cost) {
      throw UserError("cost-too-large",
                      fmt::format("a cost of {}, converted to {}, is more than "
                                  "9,000,000,000,000,000,000",
                                  bill_.source, currency_),
                      "look for a rate in another unit");
    }
  }
  line->posted_dim = foreign.posted_dim;
  line->rate = foreign.rate_id;
}

// Whatever is added up of these lines later fits the store.
void Conversion::bound(const Line& line) {
  for (size_t c = 0; c < kCostColumns; ++c) {
    if (!line.costs[c]) continue;
    magnitudes_[c] += line.costs[c]->is_negative() ? -line.costs[c]->atto() : line.costs[c]->atto();
    if (Money::from_atto(magnitudes_[c]).fits_store()) continue;
    throw UserError("cost-too-large",
                    fmt::format("the costs of {} in {}, converted to {}, add up to more than "
                                "9,000,000,000,000,000,000",
                                bill_.source, bill_.period, currency_),
                    "look for a rate in another unit");
  }
}

void Conversion::write(const Line& line) {
  TARE_ASSERT(converted_.has_value() && line.rate >= 0, "the line was converted");
  bound(line);
  converted_->set_i32(0, line.row);
  converted_->set_i32(1, line.posted_dim);
  converted_->set_i32(2, line.rate);
  for (size_t c = 0; c < kCostColumns; ++c) converted_->set_money(3 + 2 * c, line.costs[c]);
  converted_->end_row();
  const BillDim& dim = bill_.dims[static_cast<size_t>(line.dim)];
  Sums& sums = sums_[{month_of(line.period.start_ns).index, line.rate,
                      dim[DimColumn::kInvoiceIssuerName].value_or(""),
                      dim[DimColumn::kInvoiceId].value_or("")}];
  ++sums.lines;
  for (size_t c = 1; c < kCostColumns; ++c) sums.unknown[c - 1] += line.costs[c] ? 0 : 1;
  sums.own.add(line.own_costs);
  sums.converted.add(line.costs);
}

void Conversion::write_used_rates() {
  store::TableWriter table = file_->table("used_rate", store::used_rate_columns());
  for (size_t id = 0; id < used_by_id_.size(); ++id) {
    const Used& used = used_by_id_[id];
    table.set_i32(0, static_cast<int32_t>(id));
    table.set_text(1, used.from);
    table.set_text(2, currency_);
    table.set_i64(3, used.rate.day_ns);
    table.set_money(4, used.rate.given);
    table.set_bool(6, used.rate.inverse);
    table.end_row();
  }
  table.close();
}

void Conversion::write_sums() {
  store::TableWriter table = file_->table("conversion", store::conversion_columns());
  for (const auto& [key, sums] : sums_) {
    table.set_i32(0, key.month);
    table.set_i32(1, key.rate);
    table.set_known_text(2, key.issuer);
    table.set_known_text(3, key.invoice_id);
    table.set_i64(4, sums.lines);
    size_t column = 5;
    for (const int64_t unknown : sums.unknown) table.set_i64(column++, unknown);
    sums.converted.write(&table, sums.own.write(&table, column));
    table.end_row();
  }
  table.close();
}

void Conversion::finish() {
  if (!converted_) return;
  converted_->close();
  write_used_rates();
  write_sums();
}

}  // namespace tare::ledger
