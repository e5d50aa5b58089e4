#pragma once

// Which runs use the same memory. A region is touched once and kept: all runs with the same name use it. The
// region of a cluster's own node is used by that cluster alone, so that no cache or directory of another
// cluster holds its lines; all other clusters share one region of a remote node.

#include <cstdint>
#include <string>

#include "bench/plan/plan.hpp"

namespace gable::bench {

/// Identifies the regions of a share. Runs whose pages are split between two nodes keep none: empty.
std::string region_name(const Run& run, std::size_t share);

/// Identifies the region of its chase: that of its streams, unless both are used at the same time. Linking
/// and overwriting memory takes less time than touching more of it, which a hypervisor may have to find
/// first.
std::string chase_name(const Run& run, std::size_t share);

/// Rounds of small runs use different places of at least so many bytes.
inline constexpr std::uint64_t varied_bytes = std::uint64_t{64} << 20;

/// Sets the room of every share to the largest need of all runs with the same regions, and to varied_bytes if
/// that is larger.
void set_room(std::vector<Run>& runs);

}  // namespace gable::bench
