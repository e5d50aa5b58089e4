#include "model/cluster/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/lists.hpp"
#include "model/compare/compare.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

constexpr double to_deviation = 1.482602;  // of a MAD, for a normal distribution
constexpr double least_deviation = 1e-4;   // figures have four digits
constexpr double not_worth_judging = 2.5;  // deviations

// What a MAD of few values is too small by.
double few_values(std::size_t n) {
  constexpr double factors[] = {1, 1, 1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107};
  const auto count = static_cast<double>(n);
  return n < std::size(factors) ? factors[n] : count / (count - 0.8);
}

double robust_deviation(const std::vector<double>& values, double middle) {
  auto distances = each_of(values, [&](double value) { return std::abs(value - middle); });
  return to_deviation * few_values(values.size()) * median(std::move(distances));
}

// The degrees of freedom of a MAD of n values. Of many values it tells as much as a standard deviation of 37
// % of them. Of few it is often much too small: P(MAD < x) falls as x^((n - 1) / 2), as the tail of Student's
// t with (n - 1) / 2 degrees of freedom. The sum between them is from simulations
// (tests/model/false_alarms.cpp).
double freedom_of(std::size_t n) {
  const double others = static_cast<double>(n) - 1;
  return std::max(0.5, std::min(others / 2, 1.5 + 0.37 * others));
}

double adjusted(double t, double freedom, std::size_t tests) {
  if (t < not_worth_judging) return 1;
  return std::min(1.0, two_sided_p(t, freedom) * static_cast<double>(tests));
}

std::vector<double> logarithms(const std::vector<double>& values) {
  return each_of(values, [](double value) { return value > 0 ? std::log(value) : NAN; });
}

}  // namespace

RoofSpread nodes_spread(const std::vector<double>& values) {
  const auto above = those(values, [](double value) { return value > 0; });
  const std::vector<double> logs = finite_of(logarithms(values));
  const double middle = median(logs);
  return {above.size(),
          std::exp(middle),
          *std::ranges::min_element(above),
          *std::ranges::max_element(above),
          quantile(above, 0.25),
          quantile(above, 0.75),
          robust_deviation(logs, middle)};
}

std::vector<Outlier> outliers_of(const std::vector<double>& values, const std::vector<double>& own,
                                 std::size_t figures) {
  const std::vector<double> logs = logarithms(values), all = finite_of(logs);
  if (all.size() < least_nodes) return {};
  const double middle = median(all), deviation = std::max(robust_deviation(all, middle), least_deviation);
  const auto n = static_cast<double>(all.size());
  const double of_median = std::sqrt(1 + std::numbers::pi / 2 / n);
  std::vector<Outlier> found;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (!std::isfinite(logs[i])) continue;
    const double distance = logs[i] - middle, scale = std::max(deviation, own[i]) * of_median;
    const double p = adjusted(std::abs(distance) / scale, freedom_of(all.size()), all.size() * figures);
    if (p <= most_false_alarms) found.push_back({i, std::expm1(distance), p});
  }
  return found;
}

GroupChange change_of(const std::vector<double>& changes, const std::vector<double>& own,
                      std::size_t figures) {
  constexpr double assumed_freedom = 8;  // of most_drift
  const std::vector<double> all = finite_of(changes);
  GroupChange group;
  group.n = all.size();
  if (all.empty()) return group;
  const double middle = median(all), seen = all.size() < least_nodes ? 0 : robust_deviation(all, middle);
  group.median = std::expm1(middle);
  group.deviation = seen;
  const double spread = std::max(seen, most_drift);
  const double freedom = seen > most_drift ? freedom_of(all.size()) : assumed_freedom;
  // All nodes drift together from run to run, so many of them do not make the drift smaller.
  group.p = adjusted(std::abs(middle) / spread, freedom, figures);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!std::isfinite(changes[i])) continue;
    const double scale = std::hypot(seen, most_drift, own[i]);
    const double p = adjusted(std::abs(changes[i]) / scale, freedom, all.size() * figures);
    if (p <= most_false_alarms) group.nodes.push_back({i, std::expm1(changes[i]), p});
  }
  return group;
}

}  // namespace gable::model
