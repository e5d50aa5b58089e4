#pragma once

// The whole measurement: the plan is repeated round by round until everything is done, the budget is spent or
// it is stopped.

#include <atomic>
#include <functional>
#include <vector>

#include "bench/plan/plan.hpp"
#include "bench/schedule/open_visits.hpp"
#include "bench/visit/visit.hpp"

namespace gable::bench {

struct Progress {
  int visits_done = 0;
  int visits = 0;
  double seconds_left = 0;
  const model::Sample* last = nullptr;  ///< nullptr at the start
};

struct Hooks {
  std::function<void(const model::Sample&)>
      record;  ///< stores a Sample; an exception from it ends the campaign
  std::function<void(const Progress&)> progress;
  HalfWidth half_width;
  /// Makes the visits instead of this machine's threads: for tests with simulated machines; usually empty.
  std::function<std::vector<model::Sample>(const Run&, int round)> visit = {};
};

struct Outcome {
  int measured = 0;
  int invalid = 0;
  int skipped = 0;
  int left_out = 0;  ///< cells like others that were measured; recorded as skipped
  bool interrupted = false;
  bool out_of_budget = false;
  double seconds = 0;
};

/// Visits every run of the plan once per round, except the visits in `done` and those that are not needed any
/// more (open_visits). Then it visits reserves that are needed, repeats disturbed visits once, and spends the
/// time that races saved on further visits to the figures with the widest spread. A Case that the budget
/// leaves without a visit is recorded as skipped. A visit that an interruption disturbs is not recorded.
Outcome run_campaign(const machines::Machine& machine, const machines::Host& host, const Plan& plan,
                     const Options& options, Done done, const Hooks& hooks, const std::atomic<bool>& stop);

}  // namespace gable::bench
