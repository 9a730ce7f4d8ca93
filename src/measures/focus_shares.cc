#include "measures/focus_shares.h"

#include <array>
#include <string>

#include "base/decimal_text.h"
#include "base/errors.h"

namespace tare::measures {
namespace {

// The columns of focus_split_lines.sql.
constexpr size_t kFileAt = 0, kRowAt = 1, kLineAt = 2, kBilledNsAt = 3, kCostsAt = 4;
constexpr size_t kConsumedAt = 12, kPricingAt = 14, kCommitmentAt = 16, kPricingEffectiveAt = 17;
constexpr size_t kLineCostsAt = 18;

constexpr size_t kShared = 4;  // consumed, pricing, commitment, pricing_currency_effective

struct SplitLine {
  int32_t file = 0, line = -1;
  std::array<std::optional<Money>, kShared> whole;
  Costs costs;  // in the bill's own currency
  std::vector<int32_t> rows;
  std::vector<PostedPart> parts;
};

std::optional<Money> stored_money(const store::Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  return Money::from_stored(chunk.i64(column, row), chunk.i64(column + 1, row));
}

Costs stored_costs(const store::Chunk& chunk, size_t column, size_t row) {
  Costs costs;
  for (size_t cost = 0; cost < kCostColumns; ++cost) {
    costs[cost] = stored_money(chunk, column + 2 * cost, row);
  }
  return costs;
}

// A number that only the further columns have; null where it is none, as it is in the export.
std::optional<Money> number_in_text(const store::Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  const DecimalResult number = parse_decimal(chunk.text(column, row));
  return number.ok() ? std::optional(number.value) : std::nullopt;
}

Money magnitude_of(Money amount) { return amount.is_negative() ? -amount : amount; }

std::array<CostColumn, kCostColumns> cost_order(bool effective_first) {
  if (effective_first) {
    return {CostColumn::kEffective, CostColumn::kBilled, CostColumn::kList,
            CostColumn::kContracted};
  }
  return {CostColumn::kList, CostColumn::kContracted, CostColumn::kEffective, CostColumn::kBilled};
}

// A cost of the line in its own currency goes by the same cost of its postings, which is the same
// split; where all of that is zero, by what else they cost.
std::vector<Money> cost_shares(const SplitLine& line, size_t cost,
                               const std::vector<Money>& otherwise) {
  std::vector<Money> weights;
  bool any = false;
  for (const PostedPart& part : line.parts) {
    weights.push_back(magnitude_of(part.costs[cost].value_or(Money())));
    any = any || !weights.back().is_zero();
  }
  return split_by_money(line.costs[cost].value_or(Money()), any ? weights : otherwise);
}

void write_line(const SplitLine& line, store::TableWriter& out) {
  const std::vector<Money> by_list = share_weights(line.parts, false);
  const std::vector<Money> by_effective = share_weights(line.parts, true);
  std::array<std::vector<Money>, kShared> shares;
  for (size_t i = 0; i < kShared; ++i) {
    if (!line.whole[i]) continue;
    shares[i] = split_by_money(*line.whole[i], i + 1 == kShared ? by_effective : by_list);
  }
  std::array<std::vector<Money>, kCostColumns> costs;
  for (size_t i = 0; i < kCostColumns; ++i) {
    if (line.costs[i]) costs[i] = cost_shares(line, i, by_list);
  }
  for (size_t part = 0; part < line.parts.size(); ++part) {
    out.set_i32(0, line.file);
    out.set_i32(1, line.rows[part]);
    for (size_t i = 0; i < kShared; ++i) {
      if (line.whole[i]) {
        out.set_decimal(2 + i, shares[i][part]);
      } else {
        out.set_null(2 + i);
      }
    }
    for (size_t i = 0; i < kCostColumns; ++i) {
      if (line.costs[i]) {
        out.set_decimal(2 + kShared + i, costs[i][part]);
      } else {
        out.set_null(2 + kShared + i);
      }
    }
    out.end_row();
  }
}

const std::vector<store::ColumnSpec>& share_columns() {
  static const std::vector<store::ColumnSpec> kColumns = {
      {"file", store::Type::kInteger},       {"row", store::Type::kInteger},
      {"consumed", store::Type::kDecimal},   {"pricing", store::Type::kDecimal},
      {"commitment", store::Type::kDecimal}, {"pricing_currency_effective", store::Type::kDecimal},
      {"billed", store::Type::kDecimal},     {"effective", store::Type::kDecimal},
      {"list", store::Type::kDecimal},       {"contracted", store::Type::kDecimal}};
  return kColumns;
}

}  // namespace

std::vector<Money> share_weights(std::span<const PostedPart> parts, bool effective_first) {
  std::vector<Money> weights(parts.size());
  for (const CostColumn column : cost_order(effective_first)) {
    bool any = false;
    for (size_t i = 0; i < parts.size(); ++i) {
      // Parts of one cost have one sign.
      weights[i] = magnitude_of(parts[i].costs[static_cast<size_t>(column)].value_or(Money()));
      any = any || !weights[i].is_zero();
    }
    if (any) return weights;
  }
  bool any = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    weights[i] = Money::from_atto(parts[i].billed_ns);
    any = any || parts[i].billed_ns > 0;
  }
  if (!any) weights.assign(parts.size(), Money::from_atto(1));
  return weights;
}

void write_focus_shares(store::Connection& connection, std::string_view sql,
                        store::FileWriter& file) {
  store::TableWriter out = file.table("focus_share", share_columns());
  store::Stream stream = connection.stream_store(sql);
  SplitLine line;
  while (const store::Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      const int32_t of_file = chunk->i32(kFileAt, row), of_line = chunk->i32(kLineAt, row);
      if (of_file != line.file || of_line != line.line) {
        write_line(line, out);
        line = {
            .file = of_file, .line = of_line, .whole = {}, .costs = {}, .rows = {}, .parts = {}};
        line.costs = stored_costs(*chunk, kLineCostsAt, row);
        line.whole = {stored_money(*chunk, kConsumedAt, row), stored_money(*chunk, kPricingAt, row),
                      number_in_text(*chunk, kCommitmentAt, row),
                      number_in_text(*chunk, kPricingEffectiveAt, row)};
      }
      PostedPart part;
      part.costs = stored_costs(*chunk, kCostsAt, row);
      part.billed_ns = chunk->i64(kBilledNsAt, row);
      line.parts.push_back(part);
      line.rows.push_back(chunk->i32(kRowAt, row));
    }
  }
  write_line(line, out);
  out.close();
}

}  // namespace tare::measures
