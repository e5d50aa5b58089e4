#pragma once

// What a move of a Point's data does to loads that wait for each other.

#include <map>
#include <optional>

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// Where a Point's data lies: the roof of that place, and the nodes' shares.
struct DataPlace {
  const Limit& roof;
  const std::map<int, double>& shares;
};

/// A range of factors.
struct Factors {
  double lo = 1, hi = 1;
};

/// How many times as fast dependent loads of the Point become if its data moves: the idle latency before the
/// move over that after it. The range covers the intervals, page sizes and numbers of threads that were
/// measured for both places, and all clusters that ran the Point. `cluster` is the one under whose roofs the
/// Point is read. Nothing if the latency of a place is not known.
std::optional<Factors> latency_factors(const Roofs& roofs, const Point& point, int cluster,
                                       const DataPlace& from, const DataPlace& to);

}  // namespace gable::model
