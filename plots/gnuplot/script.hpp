#pragma once

// Converts a chart into a self-contained gnuplot program: data, axes, styles.

#include <string>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::gnuplot {

/// The formats of pictures by file suffix: "svg", "png", "pdf".
std::vector<std::string> picture_formats();

/// A text as gnuplot source, in single quotes; control characters become spaces.
std::string quoted(const std::string& text);

/// The program that draws `chart` into the file `output`.
std::string script_of(const charts::Chart& chart, const std::string& format, const std::string& output);

}  // namespace gable::gnuplot
