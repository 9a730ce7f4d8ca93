// One machine, many names: what maps a name in bills, schedulers and telemetry to the id that the
// timeline keeps. Azure ids are compared without regard to case (R37); `aliases` do the rest, for a
// time each. A chain of aliases is followed to its end; aliases that lead back to themselves are
// ignored with a finding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/findings.h"
#include "store/store.h"

namespace tare::timeline {

struct Identity {
  std::string resource_id;
  std::optional<std::string> device;  // set where the alias names one device of the resource
};

class Aliases {
 public:
  Aliases(const std::vector<AliasRow>& rows, Findings* findings);
  Identity resolve(std::string_view id, int64_t instant_ns) const;
  // The instants inside the span at which what `id` resolves to may change, ascending.
  std::vector<int64_t> changes(std::string_view id, Span span) const;
  bool empty() const { return by_alias_.empty(); }

 private:
  struct Target {
    std::string resource_id;
    std::optional<std::string> device;
    int64_t from_ns, to_ns;
  };
  const Target* find(const std::string& id, int64_t instant_ns) const;
  bool loops(const std::string& start, const Target& first) const;

  std::unordered_map<std::string, std::vector<Target>> by_alias_;
};

std::string folded_id(std::string_view id);

}  // namespace tare::timeline
