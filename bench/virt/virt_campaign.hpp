#pragma once

// The virtualization set, measured round by round.

#include <atomic>
#include <vector>

#include "bench/virt/virt_cells.hpp"
#include "bench/visit/rounds.hpp"

namespace gable::bench {

using VirtHooks = RoundHooks<model::VirtSample>;
using VirtProgress = RoundProgress<model::VirtSample>;

/// The visits that `done` lacks. Those of page sizes that this machine lacks do not count.
VisitsLeft left_of(const std::vector<VirtCell>& cells, const Visited& done);

/// Visits the cells. Page sizes that are not available are recorded as skipped once, with the reason. Returns
/// whether everything was visited (visit_rounds).
bool run_virt(const machines::Host& host, const std::vector<VirtCell>& cells, double budget,
              const Visited& done, const VirtHooks& hooks, const std::atomic<bool>& stop);

}  // namespace gable::bench
