#pragma once

// The figures of lines that move between cores, as JSON.

#include <string>
#include <vector>

#include "model/c2c/classes.hpp"

namespace gable::model {

/// An object with the figures of classes, of threads that contend, and the pairs that differ from their
/// class, as `gable show --json` prints it.
std::string c2c_figures_to_json(const std::vector<C2cFigure>& figures);

}  // namespace gable::model
