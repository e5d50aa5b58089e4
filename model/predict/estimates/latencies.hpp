#pragma once

// Latencies that were not measured, of a program whose loads wait for each other or have no order.

#include <vector>

#include "model/predict/estimates/estimated.hpp"

namespace gable::model {

/// Whether waiting for lines that are loaded one after the other may take a part of the program's time that
/// counts. `thread_seconds`: the time of all its threads where it was timed; 0: it was timed nowhere, so its
/// instructions tell.
bool waits_for_chains(const FunctionWork& work, double thread_seconds);

/// Adds the latencies of caches for which loads wait. They lie between those of their neighbours or, if that
/// of the memory is not known either, between those of usual cores. Refuses a program that waits for a memory
/// of which neither a latency nor, for lines without an order, a rate of random loads is known.
void add_latencies(const Point& like, int cluster, const std::vector<ProfileCache>& caches,
                   const FunctionWork& work, double thread_seconds, Estimated which, EstimatedRoofs& to);

}  // namespace gable::model
