#pragma once

// How closely the validation reaches the roofs, as a table.

#include <string>

#include "model/roofs/roofs.hpp"

namespace gable::cli {

/// One line for each roof that has points. Empty without any.
std::string validation_table(const model::Roofs& roofs);

}  // namespace gable::cli
