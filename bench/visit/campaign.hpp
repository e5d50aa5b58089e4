#pragma once

// The whole measurement: round after round over the plan, until all is done, the budget is spent or somebody
// stops it.

#include <atomic>
#include <functional>
#include "bench/plan/open_visits.hpp"
#include "bench/plan/plan.hpp"
#include "bench/visit/visit.hpp"

namespace gable::bench {

struct Progress {
  int visits_done = 0;
  int visits = 0;
  double seconds_left = 0;
  const model::Sample* last = nullptr;  ///< nullptr: about to start
};

struct Hooks {
  std::function<void(const model::Sample&)> record;  ///< keeps a Sample; what it throws ends the campaign
  std::function<void(const Progress&)> progress;
  HalfWidth half_width;
};

struct Outcome {
  int measured = 0;
  int invalid = 0;
  int skipped = 0;
  bool interrupted = false;
  bool out_of_budget = false;
  double seconds = 0;
};

/// Visits every run of the plan once a round, leaving out what is in `done`; what was spoilt is visited
/// once more at the end. A Case that the budget leaves unvisited is recorded as
/// skipped. What an interruption spoils is not recorded.
Outcome run_campaign(const machines::Machine& machine, const machines::Host& host, const Plan& plan,
                     const Options& options, Done done, const Hooks& hooks, const std::atomic<bool>& stop);

}  // namespace gable::bench
