#pragma once

// Programs of which one thread does more than the others: as far as it does, the others wait.

#include <vector>

#include "model/predict/needs/part_needs.hpp"

namespace gable::model {

/// The part of the work that one thread does alone, if the busiest of `profiled` threads executes this part
/// of all instructions (0: not known) and so many cores work at once. With fewer cores than threads, it is
/// the least: threads may take turns.
double lone_part(double of_busiest, int profiled, int cores);

/// Smaller parts change no time by more than other errors do.
inline constexpr double least_lone_part = 0.02;

/// The same by one thread; of a program of all clusters by one of this cluster.
Point of_one_thread(Point point, int cluster);
WorkParts of_one_thread(WorkParts parts, int cluster);

/// What each part needs if this share of the work is done as in `alone`, and the rest as in `together`.
std::vector<PartNeeds> mixed_needs(std::vector<PartNeeds> together, const std::vector<PartNeeds>& alone,
                                   double share);

}  // namespace gable::model
