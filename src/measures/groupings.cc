#include "measures/groupings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/errors.h"
#include "measures/measures.h"
#include "store/store.h"

namespace tare::measures {
namespace {

constexpr bool kYes = true;
constexpr bool kNo = false;

constexpr auto kGroupings = std::to_array<Grouping>({
    {"account", "account", "account", "the account that a line was posted to", kYes, kNo, kYes},
    {"day", "day", "strftime(make_timestamp_ns(day), '%Y-%m-%d')",
     "the UTC day in which the charge period begins", kYes, kNo, kNo},
    {"evidence", "evidence", "evidence", "how sure the posting is, from exact to none", kYes, kNo,
     kNo},
    {"model", "model", "CASE WHEN kind = 'model' THEN model ELSE '(' || kind || ')' END",
     "the model that the account names, else the kind of account: (idle), (tax)", kYes, kYes, kYes},
    {"month", "month", "month_text", "the UTC month in which the charge period begins", kYes, kYes,
     kYes},
    {"pool", "pool", "pool", "the pool of the machine", kYes, kYes, kYes},
    {"reason", "reason", "state_text", "the state of the billed device time", kNo, kYes, kYes},
    {"region", "region", "region_id", "the region of the bill line", kYes, kNo, kYes},
    {"resource", "resource", "resource_id", "the resource of the bill line", kYes, kYes, kYes},
    {"run", "run", "run_id", "the run, with all its attempts", kYes, kYes, kYes},
    {"service", "service", "service_name", "the service of the bill line", kYes, kNo, kYes},
    {"source", "source", "source", "the source of the bill in tare.yaml", kYes, kNo, kYes},
    {"stage", "stage", "stage", "training, serving, features, ... or shared", kYes, kYes, kYes},
    {"team", "team", "team", "the team of the run, else of the pool", kYes, kYes, kYes},
});

constexpr std::array<std::string_view, 3> kOwnKeys = {"total", "others", "filtered"};

bool is_in(Command command, const Grouping& grouping) {
  return command == Command::kCost ? grouping.in_cost : grouping.in_waste;
}

std::string encode(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

}  // namespace

std::span<const Grouping> groupings() { return kGroupings; }

std::vector<std::string> grouping_names(Command command) {
  std::vector<std::string> names;
  for (const Grouping& grouping : kGroupings) {
    if (is_in(command, grouping)) names.emplace_back(grouping.name);
  }
  return names;
}

const Grouping& find_grouping(Command command, const std::string& name) {
  const auto* found = std::find_if(
      kGroupings.begin(), kGroupings.end(),
      [&](const Grouping& grouping) { return grouping.name == name && is_in(command, grouping); });
  if (found != kGroupings.end()) return *found;
  const std::vector<std::string> names = grouping_names(command);
  const std::string near = nearest_word_in(name, names);
  throw UserError("grouping-unknown",
                  fmt::format("there is no column '{}' to group or filter by", name),
                  near.empty() ? fmt::format("the columns are {}", fmt::join(names, ", "))
                               : fmt::format("did you mean '{}'?", near));
}

namespace {

// '*' and '?' of a glob are all that LIKE may find special.
std::string like_pattern(std::string_view glob) {
  std::string pattern;
  for (const char c : glob) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c == '*' ? '%' : c == '?' ? '_' : c;
  }
  return pattern;
}

}  // namespace

std::string where_sql(Command command, const Where& where) {
  std::vector<std::string> conditions;
  for (const auto& [name, glob] : where) {
    conditions.push_back(fmt::format("({}) LIKE {} ESCAPE '\\'",
                                     find_grouping(command, name).expression,
                                     store::quote_text(like_pattern(glob))));
  }
  return all_of(conditions);
}

std::string equals_sql(std::string_view grouping, std::string_view label) {
  const auto* found = std::find_if(kGroupings.begin(), kGroupings.end(),
                                   [&](const Grouping& g) { return g.name == grouping; });
  TARE_ASSERT(found != kGroupings.end(), "a filter on a grouping that does not exist");
  return fmt::format("({}) = {}", found->expression, store::quote_text(label));
}

std::string all_of(const std::vector<std::string>& conditions) {
  if (conditions.empty()) return "true";
  return fmt::format("{}", fmt::join(conditions, " AND "));
}

std::string key_part(std::string_view label) {
  std::string part;
  for (const char c : label) {
    if (c == '/' || c == '%') {
      part += encode(c);
    } else {
      part += c;
    }
  }
  if (std::find(kOwnKeys.begin(), kOwnKeys.end(), label) != kOwnKeys.end()) {
    part = encode(label.front()) + part.substr(1);
  }
  return part;
}

std::string key_of(const std::vector<std::string>& labels) {
  std::string key;
  for (const std::string& label : labels) {
    if (!key.empty()) key += '/';
    key += key_part(label);
  }
  return key;
}

const std::vector<std::string>& cost_groupings() {
  static const std::vector<std::string> names = grouping_names(Command::kCost);
  return names;
}

const std::vector<std::string>& waste_groupings() {
  static const std::vector<std::string> names = grouping_names(Command::kWaste);
  return names;
}

}  // namespace tare::measures
