#pragma once

// Puts the bytes by level that a profile shows into a Point.

#include <string>

#include "model/records/records.hpp"
#include "points/counters/counts.hpp"

namespace gable::cli {

/// Sets the bytes by level of the Point's region, or of the whole program, for the caches of the folder's
/// machine (of this machine if the folder has none) that its threads use. A cluster gets the share of these
/// bytes that it has of the bytes that instructions access. Does nothing without a profile.
void set_levels(model::Point& point, const points::Counts& counts, const std::string& folder);

}  // namespace gable::cli
