#include "cli/catalog_difference.h"

#include <algorithm>
#include <tuple>

namespace tare::cli {
namespace {

// Structured bindings name every member, so one that is added to the catalog fails to compile here
// instead of being left out of the comparison.

auto content_of(const store::InputFile& input) {
  const auto& [source, kind, format, file, size, mtime_ns, ctime_ns, sha256, reader_hash, rows_in,
               rows_used, rows_netted, rows_quarantined, lines_out, sums_in, sums_out, periods,
               replaced_periods] = input;
  return std::tie(source, kind, format, file, size, sha256, reader_hash, rows_in, rows_used,
                  rows_netted, rows_quarantined, lines_out, sums_in, sums_out, periods,
                  replaced_periods);
}

auto content_of(const store::StoreFile& store_file) {
  const auto& [name, kind, source, period, table, derived_from, span_start_ns, span_end_ns, rows] =
      store_file;
  return std::tie(name, kind, source, period, table, derived_from, span_start_ns, span_end_ns,
                  rows);
}

template <typename Item>
bool same_content(const std::vector<Item>& before, const std::vector<Item>& next) {
  return std::ranges::equal(
      before, next, [](const Item& a, const Item& b) { return content_of(a) == content_of(b); });
}

auto times_of(const store::InputFile& input) { return std::tie(input.mtime_ns, input.ctime_ns); }

}  // namespace

Difference difference_of(const store::Catalog& before, const store::Catalog& next) {
  const auto& [schema_version, tool_version, project, policy_hash, generation, inputs, files,
               horizon_ns] = before;
  const bool same = std::tie(schema_version, tool_version, project, policy_hash, horizon_ns) ==
                        std::tie(next.schema_version, next.tool_version, next.project,
                                 next.policy_hash, next.horizon_ns) &&
                    same_content(inputs, next.inputs) && same_content(files, next.files);
  if (!same) return Difference::kContent;
  const bool same_times = std::ranges::equal(
      inputs, next.inputs, [](const auto& a, const auto& b) { return times_of(a) == times_of(b); });
  return same_times ? Difference::kNone : Difference::kTimes;
}

}  // namespace tare::cli
