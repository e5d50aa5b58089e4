#pragma once

// What a core was not measured to do, by what cores usually do.

#include "model/predict/estimates/estimated.hpp"

namespace gable::model {

/// Adds figures of each cluster's cores that the work needs and that are not among the roofs: additions of
/// integers per cycle, divisions and square roots per cycle, and latencies of dependent operations. Each lies
/// between those of the slowest and fastest cores of the last fifteen years (A. Fog, "Instruction tables";
/// uops.info; Arm's software optimization guides of Neoverse; "A64FX Microarchitecture Manual"). Clusters
/// without a clock get none.
void add_usual_core(const Point& like, const FunctionWork& work, Estimated which, EstimatedRoofs& to);

}  // namespace gable::model
