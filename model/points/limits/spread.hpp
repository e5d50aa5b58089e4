#pragma once

// How the accesses of all clusters are spread over the memory nodes, and the roof of that: local_all,
// contended and congested are the pure spreads (LARM paper, section 3).

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// Shares of all accesses, with a sum of 1. Shares under 2 % are left out.
struct AccessSpread {
  struct OfTier {
    double local = 0;                 ///< to the nodes of the accessing cluster
    std::map<int, double> contended;  ///< by node: to this node, from all clusters alike
    double congested = 0;             ///< to all nodes of the tier, from all clusters alike

    double sum() const;
  };
  std::map<Tiers, OfTier> tiers;
};

/// The spread of a Point of all clusters whose accesses are known by cluster. Every cluster counts with its
/// accesses. What other clusters access of each node is as much contention as it exceeds what they access of
/// the node that they use least. Nothing if the accesses are not known by cluster, or the local nodes of a
/// cluster are not.
std::optional<AccessSpread> access_spread(const Roofs& roofs, const Point& point);

/// The spread of pages with these shares: all on the nodes of the clusters that use them, or on the nodes of
/// each tier for all clusters alike.
AccessSpread pages_spread(const Roofs& roofs, const std::map<int, double>& shares, bool local);

/// The local nodes of each cluster, by the topology or by its local roofs.
std::map<int, std::set<int>> own_nodes(const Roofs& roofs);

/// A part of a spread, its roof among some limits, and its name: "DRAM local".
struct SpreadPart {
  double share = 0;
  const Limit* roof = nullptr;
  std::string name;
};

/// The parts of a tier on a cluster; nothing if a roof is not among the limits, which must outlive them.
std::optional<std::vector<SpreadPart>> spread_parts(const Roofs& roofs, int cluster,
                                                    const std::vector<Limit>& limits, Tiers tier,
                                                    const AccessSpread::OfTier& spread);

/// The roofs of a Point of all clusters with this spread on one of them: of a pure spread the measured roof,
/// otherwise one between no and full overlap of its parts, or of two tiers the hybrid model's estimate. Empty
/// if the roof of a part is not known.
std::vector<Limit> spread_limits(const Roofs& roofs, const Point& point, int cluster,
                                 const AccessSpread& spread, const MixModel& hybrid);

}  // namespace gable::model
