#pragma once

// The figures of lines that move between cores, as JSON.

#include <vector>

#include "base/json.hpp"
#include "model/c2c/classes.hpp"

namespace gable::model {

/// An object with the figures of classes, of threads that contend, and the pairs that differ from their
/// class, as `gable show --json` prints it.
Json c2c_figures_json(const std::vector<C2cFigure>& figures);

}  // namespace gable::model
