#pragma once

// Charts into files, until Ctrl-C.

#include <cstdio>
#include <string>
#include <vector>

#include "plots/charts/chart.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::cli {

/// gnuplot::write_and_draw; throws Interrupted once a stop is requested, with the charts as they were.
void draw_charts(std::vector<charts::Chart> charts, const std::string& folder,
                 const std::vector<std::string>& formats, std::FILE* tell,
                 const std::string& font = gnuplot::usual_font);

}  // namespace gable::cli
