#include "model/statistics/student.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gable::model {
namespace {

// Above this the normal distribution is as near as the integral: 1e-5 of critical_t.
constexpr double nearly_normal = 1e5;

// Natural logarithm of the factor of the density.
double log_scale(double freedom) {
  return std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2) - std::log(std::numbers::pi) / 2;
}

double density(double t, double freedom) {
  if (freedom > nearly_normal) return std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi);
  return std::exp(log_scale(freedom) - std::log(freedom) / 2 -
                  (freedom + 1) / 2 * std::log1p(t * t / freedom));
}

}  // namespace

// With t = sqrt(freedom) tan(angle), the density is proportional to cos(angle)^(freedom - 1). In u, the
// logarithm of the distance from a right angle, the integrand is smooth for every freedom, and small chances
// keep their digits.
double two_sided_p(double t, double freedom) {
  if (t <= 0) return 1;
  if (freedom > nearly_normal) return std::erfc(t / std::numbers::sqrt2);
  constexpr int steps = 200;  // of Simpson's rule
  const double to = std::log(std::atan2(std::sqrt(freedom), t));
  // Below that the integrand is less than e^-25 of its largest value.
  const double from = to - 25 / freedom - 12 / std::sqrt(freedom), step = (to - from) / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double u = from + step * i;
    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::exp(u + (freedom - 1) * std::log(std::sin(std::exp(u))));
  }
  return std::min(1.0, 2 * std::exp(log_scale(freedom)) * sum * step / 3);
}

// Newton's method runs from below, where the chance is a convex function of t. The first terms of the
// expansion of Cornish and Fisher for 5 % are always below, and near for many degrees of freedom.
double critical_t(double freedom, double chance) {
  constexpr double z = 1.9599, cube = z * z * z;
  double t =
      z + (cube + z) / (4 * freedom) + (5 * cube * z * z + 16 * cube + 3 * z) / (96 * freedom * freedom);
  for (int i = 0; i < 100; ++i) {
    const double step = (two_sided_p(t, freedom) - chance) / (2 * density(t, freedom));
    t += step;
    if (std::abs(step) < 1e-7 * t) break;
  }
  return t;
}

}  // namespace gable::model
