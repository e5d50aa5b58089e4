#pragma once

// Checks whether tiers have enough memory, before any is allocated.

#include <string>
#include <utility>
#include <vector>

#include "bench/tiers/tier.hpp"

namespace gable::bench {

/// Bytes of a tier that must be available together with those of all others.
using Wanted = std::pair<const Tier*, std::uint64_t>;

/// Why the tiers cannot hold all of it at once; empty if they can, as far as is known. Tiers on one node
/// share its free memory, and files share that of their file system.
std::string no_room(const std::vector<Wanted>& wanted);

}  // namespace gable::bench
