#include "timeline/instance_types.h"

#include "embedded/timeline.h"

#include "base/decimal_text.h"

namespace tare::timeline {
namespace {

std::string_view next_field(std::string_view* line) {
  size_t comma = line->find(',');
  std::string_view field = line->substr(0, comma);
  *line = comma == std::string_view::npos ? std::string_view() : line->substr(comma + 1);
  return field;
}

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
         c == '-' || c == '_';
}

}  // namespace

InstanceTypes::InstanceTypes(const Project& project) {
  std::string_view rest = embedded::instance_types_csv();
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.empty() || line[0] == '#') continue;
    std::string_view name = next_field(&line);
    auto devices = parse_integer(next_field(&line));
    auto cpus = parse_integer(next_field(&line));
    if (devices && cpus) shapes_[std::string(name)] = {*devices, *cpus};  // not so for the heading
  }
  for (const InstanceType& type : project.shapes) shapes_[type.name] = {type.devices, type.cpus};
}

std::optional<InstanceShape> InstanceTypes::find(std::string_view name) const {
  auto found = shapes_.find(std::string(name));
  if (found == shapes_.end() && name.starts_with("ml."))
    found = shapes_.find(std::string(name.substr(3)));
  if (found == shapes_.end()) return std::nullopt;
  return found->second;
}

std::optional<InstanceShape> InstanceTypes::find_in(std::string_view text) const {
  size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && !is_name_character(text[at])) ++at;
    size_t end = at;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end > at) {
      if (auto shape = find(text.substr(at, end - at))) return shape;
    }
    at = end;
  }
  return std::nullopt;
}

}  // namespace tare::timeline
