#pragma once

// What the verdicts of points say of other places for their data.

#include <string>
#include <vector>

#include "cli/points_file.hpp"

namespace gable::cli {

/// Adds to the verdict of each reading how fast the point would be with its data in the other memories of the
/// folder's machine, as `gable predict --point NAME --to` says it. Nothing is added where that cannot be
/// predicted.
void add_placement_advice(const std::string& folder, const Background& background,
                          const std::vector<model::Point>& points, std::vector<model::Reading>& readings);

}  // namespace gable::cli
