#pragma once

// The time of what caches and prefetchers do not help: irregular loads, loads that wait for each other,
// mispredicted branches that wait for loads, and page walks.

#include <vector>

#include "model/points/needs/needs.hpp"

namespace gable::model {

/// Chained lines take the latency of the level that serves them, one after the other in each thread. If that
/// is more time than the Point took, several chains were under way at once, and the need is a range. Lines of
/// memory without an order are compared with the measured rate of random loads. Where it was not measured, it
/// is not known how many overlap: the need is a range up to their latency without overlap. Mispredicted
/// branches wait for lines without an order, one after the other, unless loads of the predicted path overlap.
/// Walks take at least the time by which random loads are slower on small pages.
std::vector<Need> waiting_needs(const Roofs& roofs, const Point& point, int cluster);

}  // namespace gable::model
