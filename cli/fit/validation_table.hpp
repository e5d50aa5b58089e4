#pragma once

// How closely the validation reaches the roofs, as a table.

#include <string>
#include <vector>

#include "model/roofs/validation.hpp"

namespace gable::cli {

/// One line for each roof that has points. Empty without any.
std::string validation_table(const std::vector<model::Validation>& validations);

}  // namespace gable::cli
