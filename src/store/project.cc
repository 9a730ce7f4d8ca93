#include "store/project.h"

#include <array>

namespace tare {

namespace {

constexpr std::array<std::string_view, 4> kBasisTexts = {"billed", "effective", "list",
                                                         "contracted"};

}  // namespace

std::string_view to_text(CostBasis basis) { return kBasisTexts[static_cast<size_t>(basis)]; }

std::optional<CostBasis> parse_cost_basis(std::string_view text) {
  for (size_t index = 0; index < kBasisTexts.size(); ++index) {
    if (kBasisTexts[index] == text) return static_cast<CostBasis>(index);
  }
  return std::nullopt;
}

}  // namespace tare
