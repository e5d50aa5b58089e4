#pragma once

// Where the engine puts threads, some of which may be idle: threads that run get cores of their own, and few
// nodes where that costs nothing.

#include <optional>
#include <vector>

#include "kmaf/engine/mapping.hpp"

namespace gable::kmaf {

/// How busy threads are.
struct Activity {
  std::vector<bool> runs;  ///< by thread
  std::vector<int> idle;   ///< the threads that do not run, the busiest first
};
/// The threads with at least a quarter of the CPU time of the second busiest one run, and those whose time is
/// unknown. The busiest may run serial parts alone. `seconds`: of each thread; negative: unknown.
Activity activity_of(const std::vector<double>& seconds);

/// Whether two running threads share a core although there is a core for each.
bool is_crowded(const Mapping& mapping, const std::vector<bool>& runs, const Hierarchy& hierarchy);

/// How many nodes have running threads.
int nodes_used(const Mapping& mapping, const std::vector<bool>& runs, const Hierarchy& hierarchy);

/// A mapping of all threads of the matrix, by their sharing. If there is a core for each running thread, it
/// gets one, and idle threads take what is left: other cores first, near to where they are `now`. `fits`: a
/// node's cache holds all data, so that no thread needs the bandwidth of other nodes' memories: running
/// threads then share few nodes if this brings them nearer to each other. Empty if mappings cannot be
/// calculated.
std::optional<Mapping> places_of(const AffinityMatrix& matrix, const Activity& activity, const Mapping& now,
                                 bool fits, const Hierarchy& hierarchy);

/// Places for threads that are assigned to the nodes in turn, within a node to the cores in turn, and to the
/// second hardware threads when each core has one.
Mapping dealt_in_turn(int threads, const Hierarchy& hierarchy);

/// How many sets of places a trial may compare with the present one.
constexpr int places_to_try = 3;

/// Places for the threads that only a trial can judge, because they change how much of a core or of memory's
/// bandwidth each gets. 0: the hardware threads of the fewest nodes that have one for each thread, or each
/// running one if there are not enough, by their sharing. 1: the places in use, in the order of the threads'
/// numbers: neighbours often share. 2: assigned to the nodes and cores in turn, in the same order: if only a
/// few threads run at a time, these then have cores of their own. Empty if they are the present ones or do
/// not exist.
std::optional<Mapping> place_to_try(int number, const AffinityMatrix& matrix, const Activity& activity,
                                    const Mapping& now, const Hierarchy& hierarchy);

}  // namespace gable::kmaf
