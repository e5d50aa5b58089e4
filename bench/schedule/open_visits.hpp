#pragma once

// The visits of a plan that are still missing, in order.

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// The valid visits that were made so far: the Case's key and the round, with the rate of the visit
/// (visit_rate).
using Done = std::map<std::pair<std::string, int>, double>;

/// Work per second of a valid visit: what one repetition in ten exceeds, or of a latency the median.
double visit_rate(const model::Sample& sample);

struct OpenVisit {
  const Run* run;  ///< of the plan
  int round;
};

/// Whether a visit to one of the run's Cases is still missing.
bool is_open(const model::Case& spec, int round, const Done& done);

/// All missing visits, round by round. A skipped run has one visit, which records the reason. Runs that lost
/// their race and reserves that are not needed have none (bench/schedule/race.hpp).
std::vector<OpenVisit> open_visits(const Plan& plan, const Done& done);

/// How many of them, counted from the first, are expected to end within the budget; 0 seconds: no budget.
std::size_t within_budget(const std::vector<OpenVisit>& visits, double budget_seconds);

}  // namespace gable::bench
