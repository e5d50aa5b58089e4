#pragma once

// How many threads of a Point run in a cluster, and the roofs that were measured with enough threads for it.

#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// A cluster's share of the work and threads of a Point: 1, or an even share of a Point of all clusters,
/// including those without roofs.
double cluster_share(const Roofs& roofs, const Point& point);

/// The cores of the cluster; of an unknown topology the most threads of a bandwidth or peak of the cluster.
int cores_of(const Roofs& roofs, int cluster);

/// The cores of the cluster that the Point's threads can use at once: all of them if its threads are not
/// known.
int cores_used(const Roofs& roofs, const Point& point, int cluster);

/// Whether the roof was measured with at least that many threads. A roof of fewer cannot stop the Point. A
/// roof whose threads are not known counts.
bool has_enough_threads(const Roofs& roofs, const Point& point, const Roof& roof);

/// The most threads of the cluster's bandwidths and peaks that have too few for the Point; 0: all have
/// enough.
int too_few_threads(const Roofs& roofs, const Point& point, int cluster);

}  // namespace gable::model
