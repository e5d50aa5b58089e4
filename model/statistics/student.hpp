#pragma once

// Student's t distribution for any number of degrees of freedom, also a fraction.

namespace gable::model {

/// The chance that |T| is at least `t` (0 or more). `freedom` must be above 0.
double two_sided_p(double t, double freedom);

/// The t that |T| exceeds with this chance (above 0, at most 5 %).
double critical_t(double freedom, double chance = 0.05);

}  // namespace gable::model
