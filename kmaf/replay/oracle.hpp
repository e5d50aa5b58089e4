#pragma once

// What an oracle knows: the places of threads and pages with which a trace is fastest.

#include <vector>

#include "kmaf/replay/runs.hpp"

namespace gable::kmaf {

/// The one of policies().
const PolicyEntry& oracle_policy();

struct OracleChoice {
  Mapping mapping;  ///< of the threads
  OraclePages pages = OraclePages::most_accesses;
};

/// The best of up to eleven mappings, each with pages where most accesses come from, where they are touched
/// first and round-robin, and on fast memory without cores if the machine has some. Eight mappings go by the
/// data that threads share, or by the lines that move between threads: on all nodes or on few, with or
/// without a core for each running thread. Three go by the order of the threads: packed, spread, and assigned
/// to the nodes in turn. The shared data is that of `known`. The best choice has the least time in `runs`;
/// slower ones are dropped after each run. `jobs` simulations run at a time.
OracleChoice best_for(const std::vector<ScaledTrace>& runs, const PreparedTrace& known,
                      const SimulatedMachine& machine, const ReplayOptions& options, int jobs);

/// The same for a program: by what is known of an earlier run, and for the first of its `runs` runs, up to
/// three. They stay in memory until they are dropped.
OracleChoice best_for(ProgramOrders& orders, int runs, const SimulatedMachine& machine,
                      const ReplayOptions& options, int jobs);

}  // namespace gable::kmaf
