// Formats by their column names. A plain format is recognised by the columns it needs; among
// several that fit, the one that knows most of the file's columns.
#include <algorithm>
#include <set>

#include "base/printable.h"
#include "sources/bill/format.h"
#include "sources/init.h"
#include "sources/plain/format.h"

namespace tare::sources {
namespace {

using Names = std::set<std::string, std::less<>>;

bool has_all(const Names& names, std::initializer_list<std::string_view> wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](std::string_view name) { return names.contains(name); });
}

std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "'" : ", '") + printable(name) + "'";
  return text;
}

// Azure's localised headers hold the English name in brackets; spelling differs in case of letters.
Names folded(const Names& names) {
  Names result;
  for (std::string name : names) {
    const size_t open = name.rfind('(');
    if (open != std::string::npos && name.back() == ')') {
      name = name.substr(open + 1, name.size() - open - 2);
    }
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    result.insert(name);
  }
  return result;
}

Verdict later(const char* format, const char* why) { return {Certainty::kLater, format, why, ""}; }
Verdict sure(const char* format, const char* why) { return {Certainty::kSure, format, why, ""}; }

Verdict recognise_provider(const Names& names, const std::string& file_name) {
  if (names.contains("line_item_unblended_cost")) {
    const bool second = names.contains("resource_tags") || names.contains("cost_category");
    return sure(second ? "aws-cur2" : "aws-cur", "has 'line_item_unblended_cost' of AWS CUR");
  }
  if (names.contains("lineItem/UnblendedCost")) {
    return sure("aws-cur", "has 'lineItem/UnblendedCost' of AWS CUR");
  }
  if (names.contains("cost/myCost") || names.contains("lineItem/referenceNo")) {
    return sure("oci", "has the columns of an Oracle Cloud cost report");
  }
  if (has_all(names, {"cost", "usage_start_time", "usage_end_time"})) {
    return sure("gcp-detailed", "has the columns of a Google Cloud billing export");
  }
  const Names azure = folded(names);
  const bool meter = azure.contains("meterid") || azure.contains("metercategory");
  if (meter && (azure.contains("costinbillingcurrency") || azure.contains("pretaxcost") ||
                azure.contains("cost"))) {
    const bool amortized = file_name.find("mortized") != std::string::npos;
    return sure(amortized ? "azure-amortized" : "azure-actual",
                "has the meter columns of an Azure cost export, actual or amortised");
  }
  if (azure.contains("utilization.gpu [%]"))
    return later("nvidia-smi", "has 'utilization.gpu [%]'");
  if (azure.contains("jobid") && (azure.contains("alloctres") || azure.contains("elapsed"))) {
    return later("slurm-sacct", "has the columns of sacct");
  }
  return {};
}

Verdict recognise_focus(const Names& names) {
  if (!names.contains("BilledCost")) {
    if (names.contains("ContractCommitmentId")) {
      return {Certainty::kNone, "", "FOCUS contract commitments, which are not charges", ""};
    }
    return {};
  }
  std::vector<std::string> missing;
  for (const char* name : {"ChargePeriodStart", "ChargePeriodEnd", "BillingCurrency"}) {
    if (!names.contains(name)) missing.emplace_back(name);
  }
  if (missing.empty()) {
    return {Certainty::kSure, "focus", "has BilledCost, BillingCurrency and the charge period", ""};
  }
  const bool only_currency = missing.size() == 1 && missing[0] == "BillingCurrency";
  return {Certainty::kNear, "focus", "like FOCUS, but without " + list_text(missing),
          only_currency ? "currency: <code>" : ""};
}

struct Candidate {
  std::string format;
  std::vector<std::string> missing;
  size_t known = 0;   // columns of the file that the format knows
  size_t needed = 0;  // columns that the format needs
};

// A table of charges: money or a price, and a time.
Candidate bill_candidate(const Names& names) {
  Candidate candidate{"bill", {}, 0, 3};
  for (const FormatColumn& column : find_bill_format("bill")->columns) {
    if (names.contains(column.name)) ++candidate.known;
  }
  for (const char* name : {"start", "end"}) {
    if (!names.contains(name)) candidate.missing.emplace_back(name);
  }
  if (!names.contains("cost") && !names.contains("billed_cost") &&
      !has_all(names, {"hours", "rate"})) {
    candidate.missing.emplace_back("cost");
  }
  return candidate;
}

Candidate plain_candidate(const PlainFormat& format, const Names& names) {
  Candidate candidate{std::string(format.name), {}, 0, 0};
  for (const PlainColumn& column : format.columns) {
    const bool there = names.contains(column.name);
    if (there) ++candidate.known;
    if (column.need == Need::kOptional) continue;
    ++candidate.needed;
    if (!there) candidate.missing.emplace_back(column.name);
  }
  return candidate;
}

// Times of machines are an inventory's too: a card has a price.
void need_price(const Names& names, Candidate* candidate) {
  if (candidate->format != "rate-card") return;
  ++candidate->needed;
  const bool priced = names.contains("currency_per_hour") || names.contains("capex") ||
                      names.contains("power_watts") || names.contains("staff_per_year");
  if (!priced) candidate->missing.emplace_back("currency_per_hour");
}

bool is_better(const Candidate& a, const Candidate& b) {
  if (a.missing.size() != b.missing.size()) return a.missing.size() < b.missing.size();
  if (a.known != b.known) return a.known > b.known;
  return a.needed > b.needed;
}

Verdict recognise_plain(const Names& names) {
  std::vector<Candidate> candidates = {bill_candidate(names)};
  for (const PlainFormat* format : plain_formats()) {
    candidates.push_back(plain_candidate(*format, names));
    need_price(names, &candidates.back());
  }
  // A format that needs one column only fits everything that has it: its columns must be most of
  // the file's.
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return candidate.known == 0 || candidate.known * 2 < names.size();
  });
  if (candidates.empty()) return {};
  const Candidate best = *std::min_element(candidates.begin(), candidates.end(), is_better);
  if (best.missing.empty()) {
    return {Certainty::kSure, best.format, "has the columns of " + best.format, ""};
  }
  if (best.missing.size() * 2 > best.needed) return {};
  const bool only_model = best.missing.size() == 1 && best.missing[0] == "model";
  std::string mapping;
  for (const std::string& name : best.missing) {
    mapping += (mapping.empty() ? "" : ", ") + name + ": <its name in the file>";
  }
  return {Certainty::kNear, best.format,
          "like " + best.format + ", but without " + list_text(best.missing),
          only_model ? "model: <name>" : "columns: {" + mapping + "}"};
}

}  // namespace

Verdict recognise_header(const std::vector<std::string>& header, const std::string& file_name) {
  const Names names(header.begin(), header.end());
  Verdict verdict = recognise_focus(names);
  if (verdict.certainty == Certainty::kNone && verdict.why.empty()) {
    verdict = recognise_provider(names, file_name);
  }
  if (verdict.certainty == Certainty::kNone && verdict.why.empty())
    verdict = recognise_plain(names);
  if (verdict.certainty != Certainty::kNone || !verdict.why.empty()) return verdict;
  constexpr size_t kShown = 6;
  const std::vector<std::string> shown(
      header.begin(),
      header.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, header.size())));
  verdict.why =
      "no format has these columns: " + list_text(shown) + (header.size() > kShown ? ", ..." : "");
  return verdict;
}

}  // namespace tare::sources
