#pragma once

// Whether tiers have room, before anything is taken of them.

#include <string>
#include <utility>
#include <vector>

#include "bench/tiers/tier.hpp"

namespace gable::bench {

/// Bytes of a tier that are to be held together with all others.
using Wanted = std::pair<const Tier*, std::uint64_t>;

/// Why the tiers cannot hold all of it at once; empty where they can, as far as is known. Tiers of one node
/// share what it has free, and so do files of one file system.
std::string no_room(const std::vector<Wanted>& wanted);

}  // namespace gable::bench
