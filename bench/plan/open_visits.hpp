#pragma once

// What of a plan is still to be measured, in order.

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// A visit that a recorded machine already has: the Case's key and the round.
using Done = std::set<std::pair<std::string, int>>;

struct OpenVisit {
  const Run* run;  ///< of the plan
  int round;
};

/// Whether the visit of one of the run's Cases is still to be made.
bool is_open(const model::Case& asked, int round, const Done& done);

/// All visits that are still to be made, round by round; a run that is skipped has one, which records why.
std::vector<OpenVisit> open_visits(const Plan& plan, const Done& done);

/// How many of them, from the first on, are expected to be over before the budget is; 0 seconds: no budget.
std::size_t within_budget(const std::vector<OpenVisit>& visits, double budget_seconds);

}  // namespace gable::bench
