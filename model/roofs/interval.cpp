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

bool has_interval(const Roof& roof) {
  return roof.source.empty() ? roof.n >= 2 : roof.lo < roof.hi;
}

bool is_95_interval(const Roof& roof) {
  return roof.source.empty();
}

bool is_wide_interval(double value, double lo, double hi) {
  constexpr double readable = 100;
  const std::string percent = interval_percent(value, lo, hi);
  return lo < hi && (percent.empty() || std::stod(percent) > readable);
}

std::string interval_percent(const Roof& roof) {
  return interval_percent(roof.value, roof.lo, roof.hi);
}

}  // namespace gable::model
