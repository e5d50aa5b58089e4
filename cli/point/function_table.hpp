#pragma once

// The functions of a point as text for people.

#include <string>

#include "model/records/records.hpp"

namespace gable::cli {

/// The functions of a point with their work and intensity, those of the dynamic loader together; of many, the
/// first. Empty where none were counted.
std::string function_table(const model::Point& point);

}  // namespace gable::cli
