#pragma once

// The functions of a point as text for people.

#include <string>

#include "model/points/binding.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// The functions of a point with their work and intensity, and what each needs most of the time, those of the
/// dynamic loader together; of many, the first. Empty where none were counted.
std::string function_table(const model::Point& point, const model::Reading& reading);

}  // namespace gable::cli
