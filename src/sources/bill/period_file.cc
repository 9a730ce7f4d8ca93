#include "sources/bill/period_file.h"

#include <algorithm>
#include <filesystem>

#include "sources/bill/cell_hash.h"
#include "sources/text_table.h"

namespace tare::sources {
namespace {

constexpr size_t kLongestSlug = 40;
constexpr size_t kLongestExample = 200;

// Until it is sealed, when its content and so its name is known.
std::string pending_name(const std::string& source, Month period) {
  return "bill-" + slug_of(source) + "-" + to_text(period) + "-pending-" +
         to_text(hash128(source)).substr(0, 8);
}

Money absolute(Money amount) { return amount.is_negative() ? -amount : amount; }

// The cells that a finding is about, as the file has them.
std::vector<BillColumn> columns_of(BillFinding finding) {
  switch (finding) {
    case BillFinding::kBillingPeriodMismatch:
      return {BillColumn::kBillingPeriodStart, BillColumn::kChargePeriodStart};
    case BillFinding::kBillingPeriodMissing:
      return {BillColumn::kBillingPeriodStart};
    case BillFinding::kChargeCategoryCase:
    case BillFinding::kChargeCategoryUnknown:
      return {BillColumn::kChargeCategory};
    case BillFinding::kChargeClassUnknown:
      return {BillColumn::kChargeClass};
    case BillFinding::kContractedOverList:
      return {BillColumn::kContractedCost, BillColumn::kListCost};
    case BillFinding::kContractedUnreadable:
      return {BillColumn::kContractedCost};
    case BillFinding::kEffectiveUnreadable:
      return {BillColumn::kEffectiveCost};
    case BillFinding::kListUnreadable:
      return {BillColumn::kListCost};
    case BillFinding::kListPriceMismatch:
      return {BillColumn::kListUnitPrice, BillColumn::kPricingQuantity, BillColumn::kListCost};
    case BillFinding::kConsumedUnreadable:
      return {BillColumn::kConsumedQuantity};
    case BillFinding::kPricingUnreadable:
      return {BillColumn::kPricingQuantity};
    case BillFinding::kUnitPriceUnreadable:
      return {BillColumn::kListUnitPrice};
    case BillFinding::kHoursUnreadable:
      return {BillColumn::kHours};
    case BillFinding::kRateUnreadable:
      return {BillColumn::kRate};
    case BillFinding::kDevicesUnreadable:
      return {BillColumn::kDevices};
    case BillFinding::kTagKeyUntrimmed:
    case BillFinding::kTagsUnreadable:
      return {BillColumn::kTags};
    case BillFinding::kTimeZoneMissing:
    case BillFinding::kTimestampNotIso:
      return {BillColumn::kChargePeriodStart};
    case BillFinding::kCurrencyMixed:
    case BillFinding::kUnknownCurrency:
      return {BillColumn::kBillingCurrency};
    default:
      return {BillColumn::kBilledCost, BillColumn::kEffectiveCost};
  }
}

// "ListCost 1.2, PricingQuantity 3": cells that are kept as text.
std::string example_text(const Cells& cells, BillFinding finding) {
  std::string text;
  for (const BillColumn column : columns_of(finding)) {
    const FileColumn& at = cells.columns[column];
    if (at.as != ColumnAs::kText) continue;
    const auto cell = cells.raw(at.stream);
    if (!cell) continue;
    text += (text.empty() ? "" : ", ") + std::string(cell->substr(0, kLongestExample));
  }
  return text;
}

// What was charged and when; the whole row where nothing names what was charged.
uint64_t delivery_key(const DimEntry& dim, const BillRow& row, Hash128 content) {
  if (dim.delivery_key == 0) return content.lo;
  const std::array<int64_t, 2> period = {row.start_ns, row.end_ns};
  CellHash hash;
  hash.add({reinterpret_cast<const char*>(&dim.delivery_key), sizeof(dim.delivery_key)});
  hash.add({reinterpret_cast<const char*>(period.data()), sizeof(period)});
  return hash.finish().lo;
}

std::optional<Money> finding_cost(BillFinding finding, const BillRow& row, const Costs& costs) {
  switch (finding) {
    case BillFinding::kContractedOverList:
      return costs[3].value_or(Money()) - costs[2].value_or(Money());
    case BillFinding::kListPriceMismatch:
      return row.list_difference;
    case BillFinding::kLiteralNull:
    case BillFinding::kTagKeyUntrimmed:
    case BillFinding::kTimestampNotIso:
    case BillFinding::kChargeCategoryCase:
      return std::nullopt;
    default:
      return costs[0];
  }
}

}  // namespace

std::string slug_of(std::string_view name) {
  std::string slug;
  for (const char c : name.substr(0, kLongestSlug)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    slug += plain ? c : '-';
  }
  return slug;
}

void write_unusable(store::TableWriter& quarantine, Findings& findings, std::string_view source,
                    const UnusableRow& row) {
  findings.add({.code = row.code,
                .source = source,
                .subject = "",
                .cost = row.currency.empty() ? std::nullopt : row.cost,
                .currency = row.currency,
                .place = row.place,
                .text = row.text,
                .rows = 1});
  quarantine.set_text(0, row.place);
  quarantine.set_text(1, row.code);
  quarantine.set_text(2, row.text);
  if (row.cost) {
    quarantine.set_decimal(3, *row.cost);
  } else {
    quarantine.set_null(3);
  }
  quarantine.set_known_text(4, row.currency);
  quarantine.end_row();
}

PeriodFile::PeriodFile(const std::string& directory, const std::string& source,
                       const BillDefaults& defaults, Month period)
    : directory_(directory),
      source_(source),
      period_(period),
      span_of_period_(span_of(period)),
      file_(directory, pending_name(source, period)),
      dim_writer_(file_.table("dim", store::dim_columns())),
      line_writer_(file_.table("line", store::line_columns())),
      quarantine_writer_(file_.table("quarantine", store::quarantine_columns())),
      dims_(defaults, &dim_writer_, &sums_),
      ids_(source, period) {}

void PeriodFile::begin_file(const std::string& shown_path, bool compare) {
  file_lines_ = 0;
  file_sums_.clear();
  compare_ = compare;
  if (compare) deliveries_.begin_file(shown_path);
}

void PeriodFile::add(const Cells& cells, const BillRow& row, FurtherColumns& further) {
  chunk_ = &cells.chunk;
  columns_ = &cells.columns;
  further_ = &further;
  Started& started = started_[started_rows_++];
  started.row = row;
  started.chunk_row = cells.row;
  started.raw = dims_.begin_find(cells, row);
  if (started_rows_ == kStartedRows) finish_rows();
}

void PeriodFile::finish_rows() {
  for (size_t i = 0; i < started_rows_; ++i) {
    look_up({*chunk_, started_[i].chunk_row, *columns_}, started_[i]);
  }
  for (size_t i = 0; i < started_rows_; ++i) {
    finish({*chunk_, started_[i].chunk_row, *columns_}, started_[i]);
  }
  started_rows_ = 0;
}

void PeriodFile::look_up(const Cells& cells, Started& started) {
  started.dim = dims_.find(started.raw, cells, started.row);
  const FurtherText& further = further_->find(cells, started.dim);
  started.x = further.text;
  started.unprefixed = further.unprefixed;
  started.findings = started.row.findings;
  started.findings |= started.dim.findings;
  started.findings.set_if(further.literal_null, BillFinding::kLiteralNull);
  default_costs(started);
  check_costs(started);
  started.content = ids_.content(started.dim.hash, further.hash, started.row);
  __builtin_prefetch(ids_.place_of(started.content));
}

// R03: what is no use of a price list costs there what it costs here.
void PeriodFile::default_costs(Started& started) const {
  started.costs = started.row.costs;
  const ChargeCategory category = started.dim.category;
  if (category != ChargeCategory::kTax && category != ChargeCategory::kCredit &&
      category != ChargeCategory::kPurchase) {
    return;
  }
  for (const CostColumn column : {CostColumn::kList, CostColumn::kContracted}) {
    std::optional<Money>& cost = started.costs[static_cast<size_t>(column)];
    if (cost) continue;
    cost = started.costs[0];
    started.findings.set(BillFinding::kListCostDefaulted);
  }
}

void PeriodFile::check_costs(Started& started) const {
  const Money billed = started.costs[0].value_or(Money());
  const auto& [_, effective, list, contracted] = started.costs;
  const bool is_usage = started.dim.category == ChargeCategory::kUsage;
  const bool is_correction = started.dim.is_correction;
  FindingBits& findings = started.findings;
  findings.set_if(!effective, BillFinding::kEffectiveMissing);
  findings.set_if(is_usage && effective && effective->is_zero() && !billed.is_zero(),
                  BillFinding::kEffectiveZero);
  findings.set_if(is_usage && billed.is_negative() && !is_correction, BillFinding::kNegativeUsage);
  findings.set_if(list && contracted && *contracted > *list, BillFinding::kContractedOverList);
  const bool inside = span_of_period_.contains(started.row.start_ns);
  findings.set_if(!inside && !is_correction, BillFinding::kBillingPeriodMismatch);
}

void PeriodFile::finish(const Cells& cells, const Started& started) {
  const Hash128 id = ids_.next(started.content);
  if (started.findings.bits() != 0 || !started.unprefixed.empty()) {
    count_findings(cells, started, {id, started.dim.currency, std::nullopt});
  }
  add_sums(started.dim.currency, started.row.costs, started.costs);
  write_line(started, id);
  if (!compare_) return;
  deliveries_.add(delivery_key(started.dim, started.row, started.content), started.content.lo);
}

void PeriodFile::count_findings(const Cells& cells, const Started& started,
                                FindingCounter::Row at) {
  std::string_view last_code;  // kinds of one code stand side by side
  for (uint64_t bits = started.findings.bits(); bits != 0; bits &= bits - 1) {
    const auto finding = static_cast<BillFinding>(__builtin_ctzll(bits));
    const std::string_view code = bill_finding_kind(finding).code;
    at.cost = code == last_code ? std::nullopt : finding_cost(finding, started.row, started.costs);
    last_code = code;
    counter_.count(finding, at, [&] { return example_text(cells, finding); });
  }
  at.cost = std::nullopt;
  for (const uint32_t index : started.unprefixed) {
    const FurtherColumn& column = cells.columns.further[index];
    counter_.count_unprefixed(column.name, at, [&] {
      return std::string(cells.raw(column.stream).value_or("").substr(0, kLongestExample));
    });
  }
}

void PeriodFile::add_sums(uint32_t currency, const Costs& in, const Costs& out) {
  if (file_sums_.size() <= currency) file_sums_.resize(currency + 1);
  FileSums& sums = file_sums_[currency];
  for (size_t i = 0; i < kCostColumns; ++i) {
    const std::optional<Money>&cost_in = in[i], &cost_out = out[i];
    if (cost_in) sums.in[i] = sums.in[i].value_or(Money()) + *cost_in;
    if (!cost_out) continue;
    // Bounds every later sum over this period's lines, here and in the stages to come.
    magnitudes_[i] = bounded_sum(magnitudes_[i], absolute(*cost_out));
    sums.out[i] = sums.out[i].value_or(Money()) + *cost_out;
  }
}

void PeriodFile::write_line(const Started& started, Hash128 id) {
  const BillRow& row = started.row;
  size_t column = 0;
  line_writer_.set_uuid(column++, id);
  line_writer_.set_i32(column++, started.dim.id);
  line_writer_.set_i64(column++, row.start_ns);
  line_writer_.set_i64(column++, row.end_ns);
  for (const std::optional<Money>& cost : started.costs) {
    line_writer_.set_money(column, cost);
    column += 2;
  }
  line_writer_.set_money(column, row.consumed);
  line_writer_.set_money(column + 2, row.pricing);
  column += 4;
  line_writer_.set_known_text(column, started.x);
  line_writer_.end_row();
  sums_.add(started.dim.sum_key, row.start_ns, started.costs);
  ++file_lines_;
  span_start_ns_ = std::min(span_start_ns_, row.start_ns);
  span_end_ns_ = std::max(span_end_ns_, row.end_ns);
}

void PeriodFile::add_unusable(const UnusableRow& row) {
  write_unusable(quarantine_writer_, findings_, source_, row);
}

void PeriodFile::merge_file_sums(CostSums& in, CostSums& out) const {
  for (size_t i = 0; i < file_sums_.size(); ++i) {
    in.add(dims_.currencies()[i], file_sums_[i].in);
    out.add(dims_.currencies()[i], file_sums_[i].out);
  }
}

store::StoreFile PeriodFile::seal(const std::string& derived_from) {
  store::StoreFile file;
  file.name = "bill-" + slug_of(source_) + "-" + to_text(period_) + "-" + derived_from + ".duckdb";
  file.kind = "bill";
  file.source = source_;
  file.period = to_text(period_);
  file.derived_from = derived_from;
  file.rows = line_writer_.rows();
  if (file.rows > 0) {
    file.span_start_ns = span_start_ns_;
    file.span_end_ns = span_end_ns_;
  }
  dim_writer_.close();
  line_writer_.close();
  quarantine_writer_.close();
  sums_.write(&file_);
  counter_.merge_into(findings_, source_, dims_.currencies());
  store::write_findings(file_, findings_);
  const std::filesystem::path folder(directory_);
  // The folder is synced when the catalog that names the file replaces the old one.
  std::filesystem::rename(folder / file_.seal(), folder / file.name);
  return file;
}

}  // namespace tare::sources
