// The words that `--by` and `--where` take, what they mean, and their SQL over the relations
// measure_day, measure_state and measure_posting (sql/*_relation.sql). Help, completions and
// docs/measures.md follow from this table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tare::measures {

struct Grouping {
  std::string_view name;
  std::string_view heading;
  std::string_view expression;  // VARCHAR, never null: '-' where there is none
  std::string_view meaning;
  bool in_cost = false;
  bool in_waste = false;
  bool in_states = false;  // the summary by state has it; else only the summary by day does
};
std::span<const Grouping> groupings();

enum class Command : uint8_t { kCost, kWaste };
std::vector<std::string> grouping_names(Command command);

// Throws UserError grouping-unknown, with a suggestion.
const Grouping& find_grouping(Command command, const std::string& name);

using Where = std::vector<std::pair<std::string, std::string>>;  // name -> glob

// SQL that holds where all globs match; "true" where there are none.
std::string where_sql(Command command, const Where& where);

// SQL that holds where the grouping is exactly this label.
std::string equals_sql(std::string_view grouping, std::string_view label);
std::string all_of(const std::vector<std::string>& conditions);

// A label as a part of a row's key: '/' and '%' are encoded, and a label that is one of our own row
// keys (total, others, filtered) has its first letter encoded, so that no two rows share a key.
std::string key_part(std::string_view label);
std::string key_of(const std::vector<std::string>& labels);

}  // namespace tare::measures
