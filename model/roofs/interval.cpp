#include "model/roofs/interval.hpp"

#include <algorithm>
#include <cmath>

#include "model/statistics/statistics.hpp"

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

IntervalForm interval_form(double value, double lo, double hi) {
  constexpr double readable_percent = 100, unknown = 0.999 * widest_interval;
  if (lo >= hi) return IntervalForm::none;
  if (value <= 0) return IntervalForm::ends;
  if (hi >= unknown * value || (lo > 0 && value >= unknown * lo)) return IntervalForm::unknown;
  return interval_percent(value, lo, hi) > readable_percent ? IntervalForm::ends : IntervalForm::percent;
}

IntervalForm interval_form(const Roof& roof) {
  return interval_form(roof.value, roof.lo, roof.hi);
}

std::optional<double> interval_percent(const Roof& roof) {
  return interval_percent(roof.value, roof.lo, roof.hi);
}

}  // namespace gable::model
