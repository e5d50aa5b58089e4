#include "model/roofs/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gable::model {

std::string interval_percent(double value, double lo, double hi) {
  if (value <= 0 || hi <= lo) return {};
  const double percent = 100 * std::max(hi - value, value - lo) / value;
  return fmt::format("{:.1f}", std::ceil(percent * 10 - 1e-9) / 10);
}

std::string interval_percent(const Roof& roof) {
  return interval_percent(roof.value, roof.lo, roof.hi);
}

}  // namespace gable::model
