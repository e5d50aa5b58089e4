#pragma once

// The options of `gable measure` that say what is measured, for the commands that measure.

#include "cli/measure/measure.hpp"

namespace CLI {
class App;
}

namespace gable::cli {

/// Adds the options and the list of presets; `arguments` must live as long as the App.
void add_measure_options(CLI::App& command, MeasureArguments& arguments);

}  // namespace gable::cli
