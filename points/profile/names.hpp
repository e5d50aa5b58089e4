#pragma once

#include "model/records/profile.hpp"

namespace gable::points {

/// Finds out who asked for each object, and names it after the variable that the source line of the
/// allocation assigns to, where the sources are there.
void name_allocations(model::Profile& profile);

}  // namespace gable::points
