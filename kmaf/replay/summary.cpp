#include "kmaf/replay/summary.hpp"

#include <cmath>
#include <numeric>

#include "model/statistics/student.hpp"

namespace gable::kmaf {

Summary summarize(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return {mean, mean, mean, 1};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half = model::critical_t(n - 1) * std::sqrt(squares / (n - 1) / n);
  return {mean, mean - half, mean + half, static_cast<int>(values.size())};
}

}  // namespace gable::kmaf
