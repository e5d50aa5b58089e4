#pragma once

// Computes where threads should run from the amount that they share (kMAF paper, section 3.4.1).

#include <optional>
#include <string>
#include <vector>

#include "kmaf/engine/affinity_matrix.hpp"
#include "kmaf/engine/hierarchy.hpp"

namespace gable::kmaf {

/// The leaf of the hierarchy for each thread.
using Mapping = std::vector<int>;

/// The cost of the sharing: the sum, over all pairs of threads, of their element of `matrix` times the
/// distance of their leaves. `mapping` has at most as many threads as the matrix.
double mapping_cost(const AffinityMatrix& matrix, const Hierarchy& hierarchy, const Mapping& mapping);

/// The number of standard deviations by which `mapping` costs less than `present`: each element of `matrix`
/// counts independent events, so its variance is its value. 0 if nothing is shared.
double gain_in_deviations(const AffinityMatrix& matrix, const Hierarchy& hierarchy, const Mapping& mapping,
                          const Mapping& present);

/// Whether mappings can be calculated, and otherwise why not.
struct Mapper {
  bool available = false;
  std::string missing;  ///< "built without Scotch (Debian's package is libscotch-dev)"
};
Mapper mapper();

/// A mapping of the first `threads` threads of the matrix by Scotch's dual recursive bipartitioning, with
/// refinement. No hardware thread gets two threads while another has none, and if there are fewer threads
/// than hardware threads they are spread. The same input gives the same mapping. Empty if the mapper is not
/// available or Scotch fails. Thread-safe.
std::optional<Mapping> map_threads(const AffinityMatrix& matrix, int threads, const Hierarchy& hierarchy);

/// The leaves of the fewest nodes that have room for `threads`: one for each core (`own_cores`), or all. As
/// many nodes as there are if that is not enough.
std::vector<int> leaves_of_few_nodes(const Hierarchy& hierarchy, int threads, bool own_cores);

/// `map_threads` to some of the leaves.
std::optional<Mapping> map_threads_to(const std::vector<int>& leaves, const AffinityMatrix& matrix,
                                      int threads, const Hierarchy& hierarchy);

/// The mapping of an oracle that knows the sharing of the whole run: `map_threads`, or the leaves in
/// round-robin order if that costs no more or there is no mapper.
Mapping best_mapping(const AffinityMatrix& sharing, int threads, const Hierarchy& hierarchy);

/// Exchanges pairs of threads in `mapping` as long as each exchange reduces the cost. Bisection under strict
/// balance can split a group of threads into two halves, 50 % above the optimum; exchanges repair that.
Mapping refined(Mapping mapping, const AffinityMatrix& matrix, const Hierarchy& hierarchy);

/// Moves threads from leaves that have more than their share to the nearest leaves that have fewer. As few as
/// possible move, `newcomers` (a flag for each thread; empty: none) before others.
Mapping balanced(Mapping mapping, const Hierarchy& hierarchy, const std::vector<bool>& newcomers = {});

/// A mapping with the same cost as `mapping` that leaves more threads where `present` has them: equivalent
/// subtrees are exchanged, outermost level first. `hierarchy` must be regular; otherwise `mapping` is
/// returned.
Mapping closest_to(const Mapping& present, Mapping mapping, const Hierarchy& hierarchy);

}  // namespace gable::kmaf
