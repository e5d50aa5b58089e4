#pragma once

#include <optional>
#include <vector>

#include "model/roofs/ladder/plateaus.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// Matches claims with plateaus in order of size: as many as possible, and of these ways the one with the
/// smallest sum of distances. A cache that neighbours or the host shrink is often nearer in size to the claim
/// of the level before.
std::vector<std::optional<Plateau>> match_plateaus(const std::vector<Plateau>& seen,
                                                   const std::vector<CacheClaim>& claims);

}  // namespace gable::model
