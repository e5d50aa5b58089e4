#pragma once

// Figures with intervals from repetitions. Noise on a shared machine only slows down, and it drifts between
// visits. So the spread between visits counts as well as the spread within a visit.

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace gable::model {

/// The chance that |T| is at least `t` (0 or more). `freedom` must be above 0.
double two_sided_p(double t, double freedom);

/// The t that |T| exceeds with this chance (above 0, at most 5 %).
double critical_t(double freedom, double chance = 0.05);

struct Estimate {
  double value = 0;
  double lo = 0;  ///< 95 % confidence interval; the value itself for a single repetition
  double hi = 0;
  int n = 0;  ///< repetitions

  bool operator==(const Estimate&) const = default;
};

/// The interval of few values reaches no further than to this multiple of the value, and to this part of it.
inline constexpr double widest_interval = 100;

/// 95 % of a normal distribution lie within this number of standard deviations.
inline constexpr double normal_95 = 1.96;

/// The values without those that are infinite or not a number.
std::vector<double> finite_of(const std::vector<double>& values);

/// `values` may be in any order and must not be empty.
double median(std::vector<double> values);

/// The median of the clocks that records have beside their figures; 0 if none has one.
template <typename Records>
double median_clock(const Records& records) {
  std::vector<double> clocks;
  for (const auto& record : records) {
    if (record.clock_ghz > 0) clocks.push_back(record.clock_ghz);
  }
  return clocks.empty() ? 0 : median(std::move(clocks));
}

/// The median of `values` (all above 0, not empty) and its 95 % interval: from interpolated order statistics
/// for six or more values, from the standard error of the logarithms for fewer (see widest_interval).
Estimate estimate_median(std::vector<double> values);

/// The standard error of the median of so many values (two or more), of which `interval` is
/// estimate_median(). It is that of the logarithms, times the value.
double standard_error(const Estimate& interval, std::size_t values);

/// The quantile of the values, not empty, at `share` (0 to 1); interpolated linearly.
double quantile(std::vector<double> values, double share);

/// The figure from several visits, given the rates of their repetitions (all above 0): the median over the
/// visits of each visit's quantile at `share`. The interval is that of this median; with six visits or more
/// it tolerates an outlier (estimate_median). It is never narrower, relative to the value, than that of a
/// typical visit's median. A single visit cannot show the drift between visits, so its interval is at least
/// the range of its repetitions. Empty visits are ignored; at least one must not be empty.
Estimate estimate(const std::vector<std::vector<double>>& rates_per_visit, double share = 0.5);

/// The 95 % interval of `of` / `to`. Both intervals count as independent errors on a logarithmic scale, each
/// with `n` - 1 degrees of freedom (Welch); of several visits, or where `n` is below 2, it is a little wide.
/// All values must be above 0. Of several `comparisons` all intervals together contain the truth in at least
/// 95 % of all cases (Bonferroni).
std::pair<double, double> ratio_interval(const Estimate& of, const Estimate& to, std::size_t comparisons = 1);

/// The 95 % interval of the share that `count` of `of` independent samples show (Wilson 1927). `of` must be
/// above 0.
std::pair<double, double> share_interval(double count, double of);

/// Half the 95 % interval of the median of one visit's rates, relative to the median; infinite for fewer than
/// 2 rates.
double relative_half_width(const std::vector<double>& rates);

/// The smallest value of the upper group, if the values (all above 0) fall into two groups that are clearly
/// apart: at least 2 values each, of 6 or more; the gap between the groups is at least 20 % and twice as wide
/// as the wider group, on a logarithmic scale. Normal noise with a standard deviation of 5 % never looks like
/// this, of 20 % in 3.5 % of all cases with 6 values and in 0.3 % with 9.
std::optional<double> upper_group(std::vector<double> values);

}  // namespace gable::model
