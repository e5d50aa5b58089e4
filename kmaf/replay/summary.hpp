#pragma once

// Runs to figures: mean and 95 % confidence interval of Student's t-distribution, as in section 4 of the kMAF
// paper.

#include <vector>

namespace gable::kmaf {

struct Summary {
  double value = 0;
  double lo = 0, hi = 0;  ///< of a single run, or of runs that are all alike, the value itself
  int runs = 0;

  /// One run tells nothing of how far others lie from it.
  bool has_interval() const { return runs > 1; }
};

/// `values` must not be empty.
Summary summarize(const std::vector<double>& values);

/// The t that 97.5 % of the distribution with `degrees` of freedom, 1 or more, lie below.
double student_t(int degrees);

}  // namespace gable::kmaf
