#pragma once

// Runs gnuplot.

#include <string>

#include "plots/charts/chart.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::gnuplot {

/// Why gnuplot cannot be used: it is not installed, cannot be started, or fails; empty if it can.
std::string no_gnuplot();

/// Why no PDF can be drawn: gnuplot has no terminal for it, and rsvg-convert is missing or fails; empty where
/// it can.
std::string no_pdf();

/// Draws the chart into the file `output`. After an Error::failed the file may contain a part of the picture.
void draw(const charts::Chart& chart, const std::string& format, const std::string& output,
          const std::string& font = usual_font);

}  // namespace gable::gnuplot
