#pragma once

// From how much threads share to where they run (kMAF paper, section 3.4.1).

#include <optional>
#include <string>
#include <vector>

#include "kmaf/engine/affinity_matrix.hpp"
#include "kmaf/engine/hierarchy.hpp"

namespace gable::kmaf {

/// For each thread its leaf of the hierarchy.
using Mapping = std::vector<int>;

/// What the sharing costs: the sum over all pairs of threads of their element of `matrix` times the distance
/// of their leaves. `mapping` has at most as many threads as the matrix.
double mapping_cost(const AffinityMatrix& matrix, const Hierarchy& hierarchy, const Mapping& mapping);

/// Whether mappings can be calculated; where not, why.
struct Mapper {
  bool available = false;
  std::string missing;  ///< "built without Scotch (Debian's package is libscotch-dev)"
};
Mapper mapper();

/// A mapping of the first `threads` threads of the matrix by Scotch's dual recursive bipartitioning, refined:
/// no hardware thread gets two while another has none, and fewer threads than hardware threads are spread.
/// The same input gives the same mapping. Empty where the mapper is not available or Scotch fails. May be
/// called from several threads.
std::optional<Mapping> map_threads(const AffinityMatrix& matrix, int threads, const Hierarchy& hierarchy);

/// What an oracle does that knows the sharing of the whole run: `map_threads`, or the leaves in their order
/// and round again where that is as cheap or there is no mapper.
Mapping best_mapping(const AffinityMatrix& sharing, int threads, const Hierarchy& hierarchy);

/// `mapping` with pairs of threads exchanged for as long as each exchange makes it cheaper: bisection under
/// strict balance can leave a group of threads in two halves, 50 % above the optimum, which exchanges mend.
Mapping refined(Mapping mapping, const AffinityMatrix& matrix, const Hierarchy& hierarchy);

/// `mapping` with threads taken from leaves that have more than their share to the nearest leaves that have
/// less; as few as possible move, `newcomers` (a flag for each thread; empty: none is one) before others.
Mapping balanced(Mapping mapping, const Hierarchy& hierarchy, const std::vector<bool>& newcomers = {});

/// A mapping as good as `mapping` that keeps more threads where `present` has them: whole subtrees that can
/// stand for each other are exchanged, outermost level first. `hierarchy` is regular; otherwise `mapping` is
/// returned.
Mapping closest_to(const Mapping& present, Mapping mapping, const Hierarchy& hierarchy);

}  // namespace gable::kmaf
