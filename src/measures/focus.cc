// The rows of the FOCUS export: one view over the store, beside a file of the parts that costs
// don't have already.
#include <array>
#include <filesystem>
#include <set>

#include "embedded/measures.h"
#include <fmt/format.h>

#include "measures/focus_shares.h"
#include "measures/measures.h"
#include "measures/sql_text.h"

namespace tare::measures {
namespace {

// Columns of FOCUS 1.2 that the store keeps among the further ones, under these names.
constexpr auto kTexts = std::to_array<std::string_view>(
    {"AvailabilityZone", "BillingAccountName", "BillingAccountType", "CommitmentDiscountCategory",
     "CommitmentDiscountName", "CommitmentDiscountType", "CommitmentDiscountUnit",
     "PricingCurrency", "PublisherName", "RegionName", "ResourceName", "ServiceSubcategory",
     "SkuMeter", "SubAccountName", "SubAccountType"});
constexpr auto kNumbers = std::to_array<std::string_view>(
    {"CommitmentDiscountQuantity", "ContractedUnitPrice", "ListUnitPrice",
     "PricingCurrencyContractedUnitPrice", "PricingCurrencyEffectiveCost",
     "PricingCurrencyListUnitPrice"});
// Our own columns; a bill's column of such a name is kept in x_further.
constexpr auto kOwn = std::to_array<std::string_view>(
    {"x_account", "x_model", "x_stage", "x_team", "x_pool", "x_run", "x_attempt", "x_evidence",
     "x_rule", "x_bill_line_id", "x_source", "x_further"});

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Further columns of the bill's maker, by name. FOCUS's form of such a name only: others can't be
// told from FOCUS's own of a later version. Of names that differ by the case of letters, which is
// no difference to SQL, the first has the column.
std::vector<std::string> maker_columns(store::Connection& connection, const std::string& periods) {
  std::set<std::string> taken(kOwn.begin(), kOwn.end());
  std::vector<std::string> found;
  const store::Result names =
      connection.query(fill(embedded::focus_maker_names_sql(), {{"periods", periods}}));
  for (size_t row = 0; row < names.rows(); ++row) {
    std::string name = names.text(row, 0);
    if (taken.insert(lower(name)).second) found.push_back(std::move(name));
  }
  return found;
}

// The blanks that name the further columns: their paths in `x`, what they are called there, and
// what is no longer left in `x` once they have columns.
Blanks further_blanks(const std::vector<std::string>& maker) {
  std::vector<std::string> names(kTexts.begin(), kTexts.end());
  names.insert(names.end(), kNumbers.begin(), kNumbers.end());
  names.insert(names.end(), maker.begin(), maker.end());
  std::string paths, columns, own_columns, left;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const bool is_number = i >= kTexts.size() && i < kTexts.size() + kNumbers.size();
    paths += fmt::format("{}'$.{}'", i == 0 ? "[" : ", ", name);
    columns += fmt::format("{}further[{}] AS \"{}\"", i == 0 ? "" : ",\n      ", i + 1, name);
    if (i >= kTexts.size() + kNumbers.size()) own_columns += fmt::format("\"{}\",\n  ", name);
    // A text that is no number has no place in a column of numbers.
    const std::string stays =
        is_number ? fmt::format("CASE WHEN focus_number(\"{0}\") IS NULL THEN \"{0}\" END", name)
                  : "NULL";
    left += fmt::format("{}'{}', {}", i == 0 ? "" : ",\n    ", name, stays);
  }
  return {{"further_paths", paths + "]"},
          {"further_columns", columns},
          {"maker_columns", own_columns},
          {"further_taken", left}};
}

std::string periods_sql(const std::optional<Span>& periods) {
  if (!periods) return "billing_period_start_ns IS NOT NULL";
  return fmt::format("billing_period_start_ns BETWEEN {} AND {}", periods->start_ns,
                     periods->end_ns - 1);
}

}  // namespace

void make_focus_rows(store::Store& store, const std::optional<Span>& billing_periods,
                     const std::string& scratch) {
  store::Connection& connection = store.connection();
  const std::string periods = periods_sql(billing_periods);
  connection.query(embedded::focus_macros_sql());
  store::FileWriter file(scratch, "focus_shares");
  write_focus_shares(connection, fill(embedded::focus_split_lines_sql(), {{"periods", periods}}),
                     file);
  const std::string name = file.seal();
  store::attach_file(connection, (std::filesystem::path(scratch) / name).string(), "focus_shares");
  Blanks blanks = further_blanks(maker_columns(connection, periods));
  blanks.emplace_back("periods", periods);
  connection.query(fill(embedded::focus_rows_sql(), blanks));
}

}  // namespace tare::measures
