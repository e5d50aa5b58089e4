#pragma once

// Differences between the figures of two folders: their intervals, and which of them are significant.
//
// A figure's interval contains what its rounds show of the machine's drift, within one run. Two runs differ
// by more: the clock and the neighbours are others. This drift between runs is taken from the two folders
// themselves. If most figures of a group differ by more than their intervals explain, that is added to every
// interval of the group, up to `most_drift`. Beyond that it is a change of the machine.
//
// The chance of a difference this large between runs of an unchanged machine comes from Student's t, whose
// degrees of freedom come from the rounds (Welch and Satterthwaite). They are at most twice those of the
// rounds and 1.5 times those of the drift: of many figures with few rounds, the rounds of some agree by
// chance, and a drift that few figures show may seem to be 0. In simulations of 2 to 12 rounds with normal
// errors (tests/model/false_alarms.cpp) this keeps the chance below. The chances are adjusted for the number
// of figures by Holm's method: the chance that any figure of an unchanged machine is called significant is at
// most 5 %. A nightly job needs this, not a share of false alarms among all alarms (Benjamini and Hochberg).
// Holm's method also holds for any dependence, and figures of one run depend on each other.

#include <string>
#include <vector>

#include "model/compare/match.hpp"

namespace gable::model {

inline constexpr double most_drift = 0.01;         ///< standard deviation between runs, relative
inline constexpr double most_false_alarms = 0.05;  ///< chance of any, in a comparison of two folders

struct Difference {
  Matched figures;
  double change = 0;         ///< other / first - 1; of a share: other - first
  double lo = 0, hi = 0;     ///< 95 % interval of `change`, not adjusted; 0 if not judged
  std::string not_judged;    ///< why there is no interval and no significance; empty: judged
  double p = 1;              ///< of a machine that did not change
  double adjusted_p = 1;     ///< for all judged figures of the comparison
  bool significant = false;  ///< adjusted_p is at most `most_false_alarms`
  bool worse = false;        ///< a change for the worse, significant or not

  /// Whether this is a significant change for the worse by more than `percent`.
  bool fails(double percent) const { return significant && worse && 100 * magnitude() > percent; }
  double magnitude() const { return change < 0 ? -change : change; }
};

/// The drift between the two runs, of a group of figures.
struct Drift {
  std::string group;
  double deviation = 0;  ///< relative standard deviation that was added
  int figures = 0;       ///< that it was taken from
  bool assumed = false;  ///< too few figures to see it: `most_drift`

  /// Degrees of freedom of `deviation`: a median of squares tells as much as 37 % of its figures. What is
  /// assumed, at its limit or of no figures is exact.
  double freedom() const;
};

struct Comparison {
  std::vector<Difference> differences;  ///< in the order of the first folder's figures
  std::vector<Lone> lone;
  std::vector<Drift> drifts;
  int judged = 0, significant = 0;
};

Comparison compare(const std::vector<Figure>& first, const std::vector<Figure>& other);

/// Holm's adjustment: p values that may be compared with the chance of any false alarm.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace gable::model
