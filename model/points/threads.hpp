#pragma once

// How many cores of a cluster a Point uses, and whether roofs were measured with fewer.

#include <set>
#include <vector>

#include "model/records/point.hpp"
#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The clusters that have roofs.
std::set<int> clusters_of(const Roofs& roofs);

/// A cluster's share of the work and threads of a Point: 1, or an even share of a Point of all clusters,
/// including those without roofs.
double cluster_share(const Roofs& roofs, const Point& point);

/// The cores of the cluster; of an unknown topology the most threads of a bandwidth or peak of the cluster.
int cores_of(const Roofs& roofs, int cluster);

/// How many of the Point's threads can run at once: its cores, if these are fewer; 0: not known.
int threads_at_once(const Point& point);

/// The most cores of the cluster that the Point's threads can use at once: fewer than threads if these share
/// cores, and all of the cluster if its threads are not known.
int cores_used(const Roofs& roofs, const Point& point, int cluster);

/// The part of the Point's work that its busiest thread does, and so its time if work takes time in each
/// thread: of `threads` of a cluster that has this share of the work, at least an even part.
double part_of_busiest(const Point& point, double share, int threads);

/// Whether a roof of the cluster was measured with more threads than the number of cores that the Point used
/// there, or may have used if its threads are not known, so that the Point may be unable to reach it. Threads
/// that share a core do not count.
bool is_of_more_threads(const Roofs& roofs, const Point& point, int cluster, int threads);

/// Keeps the roofs of a target by which to judge a Point that uses `cores` of the cluster's `all_cores`:
/// those with enough threads. Unless the Point uses all cores, only the least number of threads that is
/// enough counts, if one is known.
void keep_judging(std::vector<const Roof*>& targets, int cores, int all_cores);

/// The most threads of the cluster's bandwidths and peaks that have fewer than `cores` threads, and so cannot
/// stop a Point that uses so many; 0: there is none.
int most_of_fewer_threads(const Roofs& roofs, int cluster, int cores);

}  // namespace gable::model
