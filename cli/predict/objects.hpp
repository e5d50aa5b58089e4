#pragma once

// Objects of a profile that --memory of gable predict places one by one.

#include <map>
#include <string>
#include <vector>

#include "cli/predict/setting.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {

/// Sets the place of the data ("node:1", "HBM", ...) and the nodes of single objects ("a=node:1"), as the
/// values of --memory say. Throws Error::usage for an object or other data with two places.
void take_memory(const std::vector<std::string>& texts, ProgramUse& use);

/// The objects with these names: as `gable profile show` prints them, or without the brackets behind them.
/// Throws Error::usage, with the names that there are, for a name of no object or of several.
std::vector<model::PlacedObject> placed_objects(const model::Profile& profile,
                                                const std::map<std::string, int>& nodes);

}  // namespace gable::cli
