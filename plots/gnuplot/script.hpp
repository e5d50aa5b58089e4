#pragma once

// Converts a chart into a self-contained gnuplot program: data, axes, styles.

#include <string>

#include "plots/charts/chart.hpp"

namespace gable::gnuplot {

/// The supported formats by file suffix: "svg", "png", "pdf".
bool is_picture_format(const std::string& format);

/// A text as gnuplot source, in single quotes; control characters become spaces.
std::string quoted(const std::string& text);

/// The program that draws `chart` into the file `output`.
std::string script_of(const charts::Chart& chart, const std::string& format, const std::string& output);

}  // namespace gable::gnuplot
