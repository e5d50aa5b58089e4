#pragma once

// Puts what a profile shows into a Point: the bytes by level, of its functions and objects too.

#include <string>
#include <vector>

#include "model/records/mapped_range.hpp"
#include "model/records/records.hpp"
#include "points/counters/counts.hpp"

namespace gable::cli {

/// Sets the bytes by level of the Point's region, or of the whole program, for the caches of the folder's
/// machine (of this machine if the folder has none) that its threads use. A cluster gets the share of these
/// bytes that it has of the bytes that instructions access. Also sets the accesses, the bytes by level of the
/// functions that the Point has, and the objects with a hundredth of the bytes of a level or more. `ranges`:
/// where its data lay (points::Residence); if it lay on several nodes and this tells the location of the
/// objects, also sets the accesses to each node. Does nothing without a profile.
void set_levels(model::Point& point, const points::Counts& counts, const std::string& folder,
                const std::vector<model::MappedRange>& ranges);

}  // namespace gable::cli
