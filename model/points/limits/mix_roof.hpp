#pragma once

// The roof for a Point's own mix of loads and stores, and for the pages that its data was on.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// The bandwidth roofs by cluster and memory node, so that a question does not go through those of all
/// others: machines with many nodes have thousands. It refers to the roofs, which must outlive it.
class BandwidthRoofs {
 public:
  /// Of one cluster, or of all (-1).
  BandwidthRoofs(const Roofs& roofs, int cluster);

  const Roofs& all() const { return roofs_; }
  /// Those of the cluster of `like`; of memory, those of its node.
  const std::vector<const Roof*>& near(const Case& like) const;

 private:
  const Roofs& roofs_;
  std::map<std::pair<int, int>, std::vector<const Roof*>> near_;  // by cluster and node; -1: caches
};

/// The roof of the level, pattern, node and tier of `like` on its cluster, with threads for so many cores. Of
/// a Point that uses a part of the cores, the number of threads comes first. Between two measured operations
/// the time of a byte is a straight line over the share of loads, as if one followed the other; outside of
/// them the nearest one counts. If the Point's share of huge pages is known, the times of both sizes of pages
/// are mixed by it; otherwise, and in the first cache, the better size counts. Nothing if there is no such
/// roof.
std::optional<Limit> roof_of_mix(const BandwidthRoofs& roofs, const Point& point, const Case& like,
                                 int cores);

/// Whether pages of this size are huge ones, of any architecture.
bool is_huge(Pages pages);

}  // namespace gable::model
