#pragma once

// The virtualization set, measured round by round.

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "bench/virt/virt_cells.hpp"

namespace gable::bench {

/// Visits that were made before: the VirtCase's key and the round.
using VirtDone = std::set<std::pair<std::string, int>>;

struct VirtProgress {
  int visits_done = 0, visits = 0;
  double seconds_left = 0;
  const model::VirtSample* last = nullptr;
};

struct VirtHooks {
  std::function<void(const model::VirtSample&)> record;  ///< an exception from it ends the measurement
  std::function<void(const VirtProgress&)> progress;
};

/// The visits that `done` lacks, and how long they are expected to take. Those of page sizes that this
/// machine lacks do not count.
struct VirtLeft {
  int visits = 0;
  double seconds = 0;
};
VirtLeft left_of(const std::vector<VirtCell>& cells, const VirtDone& done);

/// Visits the cells. Page sizes that are not available are recorded as skipped once, with the reason. An
/// interruption leaves what is complete, and so does the end of the budget (seconds, 0: none). Returns
/// whether everything was visited.
bool run_virt(const machines::Host& host, const std::vector<VirtCell>& cells, double budget,
              const VirtDone& done, const VirtHooks& hooks, const std::atomic<bool>& stop);

}  // namespace gable::bench
