#pragma once

// The visits of a plan that are still missing, in order.

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// A visit that was recorded before: the Case's key and the round.
using Done = std::set<std::pair<std::string, int>>;

struct OpenVisit {
  const Run* run;  ///< of the plan
  int round;
};

/// Whether a visit to one of the run's Cases is still missing.
bool is_open(const model::Case& asked, int round, const Done& done);

/// All missing visits, round by round. A skipped run has one visit, which records the reason.
std::vector<OpenVisit> open_visits(const Plan& plan, const Done& done);

/// How many of them, counted from the first, are expected to end within the budget; 0 seconds: no budget.
std::size_t within_budget(const std::vector<OpenVisit>& visits, double budget_seconds);

}  // namespace gable::bench
