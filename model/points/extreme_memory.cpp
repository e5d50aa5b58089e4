#include "model/points/extreme_memory.hpp"

#include <set>

#include "base/error.hpp"
#include "model/points/binding.hpp"

namespace gable::model {
namespace {

int clusters_beside(const Roofs& roofs, int node) {
  std::set<int> clusters;
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.pattern == Pattern::local && roof.spec.node == node) clusters.insert(roof.spec.cluster);
  }
  return static_cast<int>(clusters.size());
}

// Keeps, for a Point of all clusters, the limits of threads whose data is on a node of their own cluster.
// Where several clusters or none are beside the node, these are the contended ones.
void keep_own_nodes(const Roofs& roofs, std::vector<Limit>& limits) {
  std::erase_if(limits, [&](const Limit& limit) {
    const bool one = clusters_beside(roofs, limit.node) == 1;
    return limit.node < 0 || (limit.pattern != Pattern::local_all &&
                              limit.pattern != (one ? Pattern::local : Pattern::contended));
  });
}

}  // namespace

Limit extreme_memory(const Roofs& roofs, const Point& point, bool fastest, const MixModel& hybrid) {
  const int cluster = point.cluster >= 0 ? point.cluster : read_point(roofs, point, hybrid).cluster;
  auto limits = memory_limits(roofs, point, cluster, {}, hybrid);
  if (!point.alone) keep_own_nodes(roofs, limits);
  if (limits.empty()) throw Error::usage(point.name, "no memory roof was measured for this cluster");
  return fastest ? limits.back() : limits.front();
}

}  // namespace gable::model
