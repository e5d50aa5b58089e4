#pragma once

// Runs gnuplot.

#include <stdexcept>
#include <string>

#include "plots/charts/chart.hpp"

namespace gable::gnuplot {

/// gnuplot is not there, cannot be run, or did not draw; the message names the picture and carries gnuplot's
/// own words.
struct GnuplotError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether gnuplot can be started.
bool gnuplot_found();

/// Draws the chart into the file `output`. Throws GnuplotError, and a part of a picture may then be there.
void draw(const charts::Chart& chart, const std::string& format, const std::string& output);

}  // namespace gable::gnuplot
