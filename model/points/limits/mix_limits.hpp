#pragma once

// The roofs of a Point whose data lies on several nodes at once, and the roofs from which they are computed.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// One Limit for each (level, pattern, node, tier) that was measured for the cluster, alone or with all
/// clusters at once, ascending: of memory, or of memory-side caches.
std::vector<Limit> measured_limits(const Roofs& roofs, const Point& point, int cluster, bool alone,
                                   bool side_caches = false);

/// The tier of a node, by its roofs or by the topology; none: not known.
Tiers tier_of(const Roofs& roofs, int node);

/// "60 % on node 0, 40 % on node 1"; "25 % on each of nodes 0 to 3".
std::string shares_text(const std::map<int, double>& shares);

/// Data on several nodes, one cluster alone (LARM paper, section 6.2): the fitted model; without one, the
/// time lies between that of the slowest transfer (full overlap) and their sum (no overlap). Nothing if a
/// node has no roof.
std::optional<Limit> hybrid_limit(const Roofs& roofs, const Point& point, int cluster,
                                  const std::map<int, double>& shares, const MixModel& hybrid);

/// The same for the memory-side caches in front of these nodes; it always lies between the two bounds.
std::optional<Limit> side_cache_mix(const Roofs& roofs, const Point& point, int cluster,
                                    const std::map<int, double>& shares);

/// Whether the nodes are of different tiers.
bool spans_tiers(const Roofs& roofs, const std::map<int, double>& shares);

/// Data in several tiers, all clusters at once: the roof that was measured over all tiers, if the pages are
/// spread as evenly; otherwise made from each tier's own, between full overlap and none, or of two tiers
/// estimated by the hybrid model. With pages
/// interleaved within each tier it is congested (contended if the tier has one node of them), with each
/// thread's pages on its own nodes local; the policy tells which, or both. Empty if a tier has no such roof.
std::vector<Limit> tier_mixes(const Roofs& roofs, const Point& point, int cluster,
                              const std::map<int, double>& shares, const MixModel& hybrid);

}  // namespace gable::model
