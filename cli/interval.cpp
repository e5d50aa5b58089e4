#include "cli/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gable::cli {

std::string interval_percent(const model::Roof& roof) {
  if (roof.value <= 0 || roof.hi <= roof.lo) return {};
  const double percent = 100 * std::max(roof.hi - roof.value, roof.value - roof.lo) / roof.value;
  return fmt::format("{:.1f}", std::ceil(percent * 10 - 1e-9) / 10);
}

}  // namespace gable::cli
