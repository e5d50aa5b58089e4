#include "model/statistics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/lists.hpp"

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

// What 95 % of the medians of 2 to 5 normal values do not exceed, in standard errors of their mean as
// estimated from the same values. The values come from a simulation, and for two values from Student's t.
constexpr double median_t[] = {12.706, 4.40, 3.27, 3.02};

// The factor between the median and each end of its 95 % interval, for values whose logarithms are
// normal.
double reach(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (values.size() < 2) return 1;
  double mean = 0;
  for (const double value : values) mean += std::log(value) / n;
  double squares = 0;
  for (const double value : values) squares += std::pow(std::log(value) - mean, 2);
  const double error = std::sqrt(squares / (n - 1) / n);
  return std::min(std::exp(median_t[values.size() - 2] * error), widest_interval);
}

// Where the lower end of the 95 % interval of the median of n values lies.
struct LowerEnd {
  std::size_t rank = 0;  // the largest r such that the r-th smallest value is above the median in at most 2.5
                         // % of all cases; 0 if there is none
  double share = 0;      // of the way to the next value
};

// That rank alone would make an interval of up to 99 %; the interpolation is that of Hettmansperger and
// Sheather, Confidence intervals based on interpolated order statistics, 1986.
LowerEnd lower_end(std::size_t n) {
  const auto count = static_cast<double>(n);
  double tail = 0;
  for (std::size_t rank = 0;; ++rank) {
    const auto k = static_cast<double>(rank);
    const double chance = std::exp(std::lgamma(count + 1) - std::lgamma(k + 1) - std::lgamma(count - k + 1) -
                                   count * std::numbers::ln2);
    if (tail + chance > 0.025) {
      const double part = (0.025 - tail) / chance;
      return {rank, (count - k) * part / (k + (count - 2 * k) * part)};
    }
    tail += chance;
  }
}

// How far the sum of two independent errors reaches but for this chance, of which each alone reaches so far
// in 95 % of all cases with so many values: Welch's test. Published figures, of an unknown number of values,
// count as known exactly to their interval.
double joint_reach(double first, int first_values, double other, int other_values, double chance) {
  const double both = std::hypot(first, other);
  if (both == 0 || std::min(first_values, other_values) < 2) return both;
  const double first_freedom = first_values - 1, other_freedom = other_values - 1;
  const double a = std::pow(first / critical_t(first_freedom), 2);
  const double b = std::pow(other / critical_t(other_freedom), 2);
  const double freedom = (a + b) * (a + b) / (a * a / first_freedom + b * b / other_freedom);
  return critical_t(freedom, chance) * std::sqrt(a + b);
}

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
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

std::vector<double> finite_of(const std::vector<double>& values) {
  return those(values, [](double value) { return std::isfinite(value); });
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return median_of_sorted(values);
}

Estimate estimate_median(std::vector<double> values) {
  std::ranges::sort(values);
  const double value = median_of_sorted(values);
  const int n = static_cast<int>(values.size());
  if (const auto [rank, share] = lower_end(values.size()); rank > 0) {
    const std::size_t last = values.size() - rank;
    return {value, std::lerp(values[rank - 1], values[rank], share),
            std::lerp(values[last], values[last - 1], share), n};
  }
  const double factor = reach(values);
  return {value, value / factor, value * factor, n};
}

double standard_error(const Estimate& interval, std::size_t values) {
  const std::size_t few = std::size(median_t) + 2;
  const double reaches = values < 2 || values >= few ? normal_95 : median_t[values - 2];
  return interval.value * std::log(interval.hi / interval.lo) / 2 / reaches;
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], position - static_cast<double>(below));
}

Estimate estimate(const std::vector<std::vector<double>>& rates_per_visit, double share) {
  std::vector<double> values, los, his;
  int n = 0;
  for (const std::vector<double>& rates : rates_per_visit) {
    if (rates.empty()) continue;
    const Estimate visit = estimate_median(rates);
    const double figure = quantile(rates, share);
    values.push_back(figure);
    los.push_back(figure / visit.value * visit.lo);
    his.push_back(figure / visit.value * visit.hi);
    n += visit.n;
  }
  const Estimate between = estimate_median(values);
  if (values.size() == 1) {  // the drift is unknown, so use at least the range of its repetitions
    const auto only = std::ranges::find_if(rates_per_visit, [](const auto& rates) { return !rates.empty(); });
    const auto [least, most] = std::ranges::minmax(*only);
    return {between.value, std::min(los.front(), least), std::max(his.front(), most), n};
  }
  return {between.value, std::min(between.lo, median(los)), std::max(between.hi, median(his)), n};
}

std::pair<double, double> ratio_interval(const Estimate& of, const Estimate& to, std::size_t comparisons) {
  const double ratio = of.value / to.value, chance = 0.05 / static_cast<double>(comparisons);
  const double up = joint_reach(std::log(of.hi / of.value), of.n, std::log(to.value / to.lo), to.n, chance);
  const double down = joint_reach(std::log(of.value / of.lo), of.n, std::log(to.hi / to.value), to.n, chance);
  return {ratio * std::exp(-down), ratio * std::exp(up)};
}

std::pair<double, double> share_interval(double count, double of) {
  constexpr double square = normal_95 * normal_95;
  const double share = count / of;
  const double centre = (count + square / 2) / (of + square);
  const double half = normal_95 * std::sqrt(of * share * (1 - share) + square / 4) / (of + square);
  return {std::clamp(centre - half, 0.0, share), std::clamp(centre + half, share, 1.0)};
}

double relative_half_width(const std::vector<double>& rates) {
  if (rates.size() < 2) return std::numeric_limits<double>::infinity();
  const Estimate visit = estimate_median(rates);
  return (visit.hi - visit.lo) / 2 / visit.value;
}

std::optional<double> upper_group(std::vector<double> values) {
  constexpr std::size_t fewest = 6, fewest_in_group = 2;
  constexpr double least_gap = 1.2, gap_in_widths = 2;
  if (values.size() < fewest) return std::nullopt;
  std::ranges::sort(values);
  const auto width = [&](std::size_t first, std::size_t last) {
    return std::log(values[last] / values[first]);
  };
  std::size_t upper = 1;
  for (std::size_t i = 2; i < values.size(); ++i)
    if (width(i - 1, i) > width(upper - 1, upper)) upper = i;
  if (upper < fewest_in_group || values.size() - upper < fewest_in_group) return std::nullopt;
  const double gap = width(upper - 1, upper);
  const double widest = std::max(width(0, upper - 1), width(upper, values.size() - 1));
  if (gap < std::log(least_gap) || gap < gap_in_widths * widest) return std::nullopt;
  return values[upper];
}

}  // namespace gable::model
