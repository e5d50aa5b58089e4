#pragma once

// Computes mean and 95 % confidence interval by Student's t-distribution, as in section 4 of the kMAF paper.

#include <vector>

namespace gable::kmaf {

struct Summary {
  double value = 0;
  double lo = 0, hi = 0;  ///< the value itself for a single run or identical runs
  int runs = 0;

  /// A single run does not show the variation between runs.
  bool has_interval() const { return runs > 1; }
};

/// `values` must not be empty.
Summary summarize(const std::vector<double>& values);

}  // namespace gable::kmaf
