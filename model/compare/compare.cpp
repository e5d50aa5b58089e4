#include "model/compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/sorting.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

// What is not known of a measured figure is assumed to be the preset with the fewest rounds.
constexpr int fewest_rounds = 6;
constexpr double normal_freedom = 1e6;
// A group of fewer figures does not show the drift.
constexpr int enough_figures = 8;
// The median of z² of a normal distribution.
constexpr double median_chi_square = 0.4549364;
constexpr double widest_log = 13.8;  // as wide as an interval of an Estimate can be

struct Uncertain {
  double value = 0;  // on the scale of the comparison: logarithm, or the value of a share
  double deviation = 0;
  double freedom = 1;
};

Uncertain figure_error(const Figure& figure) {
  const auto& [value, lo, hi, n] = figure.estimate;
  const int rounds = figure.visits == 0 ? fewest_rounds : figure.visits;
  const double freedom = rounds == Figure::published ? normal_freedom : rounds - 1;
  const double width = figure.is_share ? hi - lo
                       : lo > 0        ? std::min(std::log(hi / lo), 2 * widest_log)
                                       : 2 * widest_log;
  return {figure.is_share ? value : std::log(value), width / 2 / critical_t(freedom), freedom};
}

// Why no interval of the difference can be known; empty if it can.
std::string why_not_judged(const Figure& figure) {
  if (!figure.is_share && figure.estimate.value <= 0) return "is 0";
  if (figure.other_state) return "was not measured in the state of the machine that others are of";
  if (figure.visits == 1) return "has a single round, which shows no drift";
  if (figure.estimate.hi <= figure.estimate.lo) return "has no interval";
  return {};
}

// The difference of two errors with the drift between the runs.
struct Judged {
  double difference = 0, deviation = 0, freedom = 1;

  Judged(const Uncertain& first, const Uncertain& other, const Drift& drift)
      : difference(other.value - first.value) {
    const double a = first.deviation * first.deviation, b = other.deviation * other.deviation;
    const double c = drift.deviation * drift.deviation;
    deviation = std::sqrt(a + b + c);
    freedom =
        std::pow(a + b + c, 2) / (a * a / first.freedom + b * b / other.freedom + c * c / drift.freedom());
    // Satterthwaite's formula takes both estimates for the truth. But the rounds of a figure may agree by
    // chance, and the drift may seem to be 0. The factors are from simulations
    // (tests/model/false_alarms.cpp).
    freedom = std::min({freedom, 2 * (first.freedom + other.freedom), 1.5 * drift.freedom()});
  }
  double p() const { return two_sided_p(std::abs(difference) / deviation, freedom); }
  double half_width() const { return critical_t(freedom) * deviation; }
};

struct JudgedPair {
  Difference* difference = nullptr;
  Uncertain first, other;
  bool is_share = false;
};

// The drift at which the differences of a group are as large as their intervals explain, in the median.
double drift_of(const std::vector<const JudgedPair*>& judged_pairs) {
  const auto too_large = [&](double drift) {
    std::vector<double> squares;
    for (const JudgedPair* judged_pair : judged_pairs) {
      const Judged judged(judged_pair->first, judged_pair->other, {"", drift});
      squares.push_back(std::pow(judged.difference / judged.deviation, 2));
    }
    return median(squares) > median_chi_square;
  };
  if (!too_large(0)) return 0;
  double lo = 0, hi = most_drift;
  for (int i = 0; i < 40; ++i) {
    const double middle = std::midpoint(lo, hi);
    (too_large(middle) ? lo : hi) = middle;
  }
  return hi;
}

std::vector<Drift> drifts_of(const std::vector<JudgedPair>& judged_pairs, const std::vector<Figure>& first) {
  std::map<std::string, std::vector<const JudgedPair*>> groups;
  for (const JudgedPair& judged_pair : judged_pairs) {
    if (!judged_pair.is_share)
      groups[first[judged_pair.difference->figures.first].drift_group].push_back(&judged_pair);
  }
  std::vector<Drift> drifts;
  for (const auto& [group, members] : groups) {
    const int count = static_cast<int>(members.size());
    const bool few = count < enough_figures;
    drifts.push_back({group, few ? most_drift : drift_of(members), count, few});
  }
  return drifts;
}

void judge(const JudgedPair& judged_pair, const Drift& drift) {
  Difference& difference = *judged_pair.difference;
  const Judged judged(judged_pair.first, judged_pair.other, drift);
  const double half = judged.half_width();
  difference.p = judged.p();
  difference.lo = judged.difference - half;
  difference.hi = judged.difference + half;
  if (judged_pair.is_share) return;
  difference.lo = std::expm1(difference.lo);
  difference.hi = std::expm1(difference.hi);
}

Difference difference_of(const Matched& matched, const Figure& first, const Figure& other) {
  Difference difference;
  difference.figures = matched;
  const double a = first.estimate.value, b = other.estimate.value;
  difference.change = first.is_share ? b - a : a > 0 ? b / a - 1 : 0;
  difference.worse = (first.better == Better::higher && difference.change < 0) ||
                     (first.better == Better::lower && difference.change > 0);
  const std::string of_first = why_not_judged(first), of_other = why_not_judged(other);
  if (!of_first.empty()) {
    difference.not_judged = "the first figure " + of_first;
  } else if (!of_other.empty()) {
    difference.not_judged = "the other figure " + of_other;
  }
  return difference;
}

void adjust(std::vector<JudgedPair>& judged_pairs) {
  std::vector<double> p;
  for (const JudgedPair& judged_pair : judged_pairs) p.push_back(judged_pair.difference->p);
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < judged_pairs.size(); ++i) {
    judged_pairs[i].difference->adjusted_p = adjusted[i];
    judged_pairs[i].difference->significant = adjusted[i] <= most_false_alarms;
  }
}

}  // namespace

double Drift::freedom() const {
  constexpr double efficiency = 0.37;
  return figures == 0 || assumed || deviation >= most_drift ? normal_freedom
                                                            : std::max(1.0, efficiency * figures);
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  sort_by(order, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    largest = std::max(largest, p[order[rank]] * static_cast<double>(p.size() - rank));
    adjusted[order[rank]] = std::min(1.0, largest);
  }
  return adjusted;
}

Comparison compare(const std::vector<Figure>& first, const std::vector<Figure>& other) {
  Matching matching = match_figures(first, other);
  Comparison comparison;
  comparison.lone = std::move(matching.lone);
  for (const Matched& matched : matching.matched)
    comparison.differences.push_back(difference_of(matched, first[matched.first], other[matched.other]));
  std::vector<JudgedPair> judged_pairs;
  for (Difference& difference : comparison.differences) {
    if (!difference.not_judged.empty()) continue;
    const Figure &a = first[difference.figures.first], &b = other[difference.figures.other];
    judged_pairs.push_back({&difference, figure_error(a), figure_error(b), a.is_share});
  }
  comparison.drifts = drifts_of(judged_pairs, first);
  for (const JudgedPair& judged_pair : judged_pairs) {
    const std::string& group = first[judged_pair.difference->figures.first].drift_group;
    const auto drift = std::ranges::find(comparison.drifts, group, &Drift::group);
    judge(judged_pair, judged_pair.is_share ? Drift() : *drift);
  }
  adjust(judged_pairs);
  comparison.judged = static_cast<int>(judged_pairs.size());
  comparison.significant =
      static_cast<int>(std::ranges::count_if(comparison.differences, &Difference::significant));
  return comparison;
}

}  // namespace gable::model
