#pragma once

// How the accesses of all clusters are spread over the memory nodes, and the roof of that: local_all,
// contended and congested are the pure spreads (LARM paper, section 3).

#include <map>
#include <optional>
#include <vector>

#include "model/points/limits.hpp"

namespace gable::model {

/// Shares of all accesses, with a sum of 1. Shares under 2 % are left out.
struct AccessSpread {
  struct OfTier {
    double local = 0;                 ///< to the nodes of the accessing cluster
    std::map<int, double> contended;  ///< by node: to this node, from all clusters alike
    double congested = 0;             ///< to all nodes of the tier, from all clusters alike
  };
  std::map<Tiers, OfTier> tiers;
};

/// The spread of a Point of all clusters whose accesses are known by cluster. Every cluster counts with its
/// accesses. What other clusters access of each node is as much contention as it exceeds what they access of
/// the node that they use least. Nothing if the accesses are not known by cluster, or the local nodes of a
/// cluster are not.
std::optional<AccessSpread> access_spread(const Roofs& roofs, const Point& point);

/// The roofs of a Point of all clusters with this spread on one of them: of a pure spread the measured roof,
/// otherwise one between no and full overlap of its parts. Empty if the roof of a part is not known.
std::vector<Limit> spread_limits(const Roofs& roofs, const Point& point, int cluster,
                                 const AccessSpread& spread);

}  // namespace gable::model
