#include "kmaf/replay/summary.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace gable::kmaf {

namespace {

// The share of Student's distribution between 0 and `t`, by Simpson's rule over the angle atan(t / sqrt(n)),
// where the density is cos^(n - 1) on a finite range.
double share_up_to(double t, int degrees) {
  constexpr int steps = 2000;
  const double n = degrees, end = std::atan(t / std::sqrt(n)), step = end / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::pow(std::cos(i * step), n - 1);
  }
  const double scale = std::exp(std::lgamma((n + 1) / 2) - std::lgamma(n / 2)) / std::sqrt(std::numbers::pi);
  return scale * sum * step / 3;
}

}  // namespace

double student_t(int degrees) {
  double low = 1, high = 20;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (share_up_to(middle, degrees) < 0.475 ? low : high) = middle;
  }
  return (low + high) / 2;
}

Summary summarize(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return {mean, mean, mean, 1};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half = student_t(static_cast<int>(values.size()) - 1) * std::sqrt(squares / (n - 1) / n);
  return {mean, mean - half, mean + half, static_cast<int>(values.size())};
}

}  // namespace gable::kmaf
