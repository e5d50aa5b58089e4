#pragma once

// Figures with intervals from repetitions. Noise on a shared machine is one-sided and drifts between visits,
// so the spread between visits counts as much as the spread within one.

#include <utility>
#include <vector>

namespace gable::model {

struct Estimate {
  double value = 0;
  double lo = 0;  ///< 95 % confidence interval; of a single repetition it is the value itself
  double hi = 0;
  int n = 0;  ///< repetitions
};

/// Standard deviations of a normal distribution that 95 % lie within.
inline constexpr double normal_95 = 1.96;

/// `values` may be in any order and must not be empty.
double median(std::vector<double> values);

/// The median of `values` (all above 0, not empty) and its 95 % interval: order statistics of six or more
/// values, Student's t of the logarithms of fewer.
Estimate estimate_median(std::vector<double> values);

/// The value that `share` (0 to 1) of the values, not empty, do not exceed; linear between neighbours.
double quantile(std::vector<double> values, double share);

/// The figure behind several visits, each with the rates of its repetitions (all above 0): the median over
/// the visits of the rate that `share` of a visit's repetitions do not exceed. The interval is that of this
/// median (estimate_median: six visits or more bear an outlier), and never narrower, in proportion, than that
/// of a typical visit's median. One visit alone shows nothing of the drift between visits: its interval is
/// at least the range of its repetitions. Empty visits count for nothing; at least one must not be empty.
Estimate estimate(const std::vector<std::vector<double>>& rates_per_visit, double share = 0.5);

/// The 95 % interval of `of` / `to`: both intervals as independent errors on a logarithmic scale. All above
/// 0.
std::pair<double, double> ratio_interval(const Estimate& of, const Estimate& to);

/// Half the 95 % interval of the median of one visit's rates, relative to the median; infinite for fewer than
/// 2 rates.
double relative_half_width(const std::vector<double>& rates);

}  // namespace gable::model
