#pragma once

// The part of the Valgrind tool's file that is a memory profile (points/valgrind/profile/report.c).

#include "base/json.hpp"
#include "model/records/profile.hpp"

namespace gable::points {

/// Places, objects, accesses, uses and what was followed, of one process image. `regions`: their names, by
/// the numbers that the tool gives them from 1 on. Throws what Json throws for another structure.
model::Profile tool_profile(const Json& from, const std::vector<std::string>& regions);

}  // namespace gable::points
