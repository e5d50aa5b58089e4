#include "model/roofs/interval.hpp"

#include <algorithm>
#include <cmath>

namespace gable::model {

std::optional<double> interval_percent(double value, double lo, double hi) {
  if (value <= 0 || hi <= lo) return std::nullopt;
  const double percent = 100 * std::max(hi - value, value - lo) / value;
  return std::ceil(percent * 10 - 1e-9) / 10;
}

bool has_interval(const Roof& roof) {
  return roof.source.empty() ? roof.n >= 2 : roof.lo < roof.hi;
}

bool is_95_interval(const Roof& roof) {
  return roof.source.empty();
}

bool is_wide_interval(double value, double lo, double hi) {
  constexpr double readable = 100;
  return lo < hi && interval_percent(value, lo, hi).value_or(HUGE_VAL) > readable;
}

std::optional<double> interval_percent(const Roof& roof) {
  return interval_percent(roof.value, roof.lo, roof.hi);
}

}  // namespace gable::model
