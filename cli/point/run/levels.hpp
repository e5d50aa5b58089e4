#pragma once

// Puts the bytes by level that a profile shows into a Point.

#include <string>

#include "model/records/records.hpp"
#include "points/counters/counts.hpp"

namespace gable::cli {

/// Of the Point's region, or of the whole program, on the caches of the folder's machine (if the folder has
/// none: of this one) that its threads use. A cluster has the part of them that it has of the bytes that
/// instructions access. Nothing without a profile.
void set_levels(model::Point& point, const points::Counts& counts, const std::string& folder);

}  // namespace gable::cli
