#pragma once

// The affinity of a program from its memory profile, which follows a part of its lines and pages.

#include <vector>

#include "kmaf/traces/metrics.hpp"
#include "model/records/profile.hpp"

namespace gable::kmaf {

/// `thread_nodes`: the node of each thread, in the order of their start; may be empty, then only sharing is
/// told. Throws Error::usage if the profile does not tell which threads use which pages.
AffinityFigures figures_of(const model::Profile& profile, const std::vector<int>& thread_nodes);

}  // namespace gable::kmaf
