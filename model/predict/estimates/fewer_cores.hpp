#pragma once

// Roofs of fewer threads than those that were measured.

#include <optional>
#include <vector>

#include "model/predict/estimates/estimated.hpp"

namespace gable::model {

/// Adds roofs of as many threads as the program uses cores of its cluster, from those of more threads, as
/// estimated_roofs() says.
void add_roofs_of_cores(const Point& like, int cluster, const std::vector<ProfileCache>& caches,
                        Estimated which, EstimatedRoofs& to);

/// If the program has more threads than its cluster has cores: of memory and caches that were measured with
/// as many hardware threads too, keeps these roofs alone. Stores of many threads can be slower than those of
/// few.
void keep_hardware_threads(const Point& like, Roofs& roofs);

/// The value for `which` of what lies between two values.
double estimate_between(double slow, double fast, Estimated which);

/// The clock in GHz of the first of the roofs of the cluster, with as many threads if given, that has one; 0
/// if none.
double clock_of(const std::vector<Roof>& roofs, int cluster, std::optional<int> threads = {});

/// Adds a figure to those that are missing, once.
void miss(EstimatedRoofs& estimated, const Note& what);

/// The lowest idle latency of the level for the cluster alone, in ns.
std::optional<double> lowest_latency(const Roofs& roofs, int cluster, const Level& level);

}  // namespace gable::model
