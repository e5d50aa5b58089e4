#pragma once

// How equal nodes differ in one figure, and which of them are outliers.
//
// Everything is on the logarithmic scale. The middle is the median, the spread is the median of the absolute
// deviations (MAD) as a standard deviation, corrected for few nodes (Croux and Rousseeuw 1992). A node is an
// outlier if its distance from the median is too large for Student's t with (n - 1) / 2 degrees of freedom
// for n nodes, or 0.37 (n - 1) + 1.5 if that is less: the MAD of few nodes is often much too small, and so
// many degrees of freedom have its tail; that of many nodes tells as much as a standard deviation of 37 % of
// them. The chance is multiplied by the number of nodes and figures (Bonferroni), so a group of equal nodes
// has any outlier with a chance of at most 5 %. This is so if their logarithms are normal; a skewed
// distribution has more outliers in groups of 32 nodes or more (docs/many-machines/cluster.md).

#include <cstddef>
#include <vector>

namespace gable::model {

struct RoofSpread {
  std::size_t n = 0;  ///< nodes with a figure
  double median = 0;  ///< in the figure's unit, as are the next four
  double least = 0, most = 0;
  double low = 0, high = 0;  ///< quartiles
  double deviation = 0;      ///< robust standard deviation between nodes, relative
};

/// Values that are not above 0 are no figures. At least one must be.
RoofSpread nodes_spread(const std::vector<double>& values);

inline constexpr std::size_t least_nodes = 5;  ///< fewer tell no outlier

struct Outlier {
  std::size_t node = 0;  ///< index
  double change = 0;     ///< from the median, relative
  double p = 1;          ///< adjusted
};

/// `own`: the relative standard error of each node's figure, which is a lower limit of the spread. `figures`:
/// how many are judged with this one.
std::vector<Outlier> outliers_of(const std::vector<double>& values, const std::vector<double>& own,
                                 std::size_t figures);

/// Changes of nodes between two recordings (logarithms of ratios; not a number where one lacks the figure).
struct GroupChange {
  std::size_t n = 0;
  double median = 0;     ///< of all nodes, relative
  double deviation = 0;  ///< between nodes, relative
  double p = 1;          ///< of a group that did not change; adjusted for `figures`
  std::vector<Outlier>
      nodes;  ///< that changed, whether or not all others did too; `change` from their own past
};

/// `own`: standard errors of the logarithms. Two runs of an unchanged node differ by `most_drift`, or by what
/// the nodes show if that is more.
GroupChange change_of(const std::vector<double>& changes, const std::vector<double>& own,
                      std::size_t figures);

}  // namespace gable::model
