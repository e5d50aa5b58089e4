#pragma once

// Plateaus of a working-set ladder: ranges of working sets over which the time per access hardly grows.

#include <cstdint>
#include <optional>
#include <vector>

#include "model/roofs/roofs.hpp"

namespace gable::model {

inline constexpr double largest_gap = 2.5;  ///< a larger ratio between two steps hides the sizes between them

struct Step {
  double bytes = 0;  ///< working set
  double time = 0;   ///< per access, in any unit
  double lo = 0;     ///< 95 % interval of the time
  double hi = 0;
};

struct Plateau {
  double time = 0;               ///< the median over the plateau
  std::uint64_t last_bytes = 0;  ///< largest working set that is still about as fast
  std::uint64_t sure_bytes = 0;  ///< of the last step before one that is slower beyond the intervals of both
};

/// The plateaus that end before the ladder does. Memory would be the last one and is left out. A range that
/// rises slowly all the way is no plateau. The last step takes at least `least_rise` times as long as a
/// plateau: slower ranges are memory too.
std::vector<Plateau> plateaus(std::vector<Step> steps, double least_rise);

/// Matches claims with plateaus in order of size: as many as possible, and of these ways the one with the
/// smallest sum of distances. A cache that neighbours or the host shrink is often nearer in size to the claim
/// of the level before.
std::vector<std::optional<Plateau>> match_plateaus(const std::vector<Plateau>& seen,
                                                   const std::vector<CacheClaim>& claims);

}  // namespace gable::model
