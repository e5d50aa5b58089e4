#pragma once

// Charts into files, until Ctrl-C.

#include <cstdio>
#include <string>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::cli {

/// What every command that draws asks for.
struct PictureArguments {
  std::vector<std::string> formats;  ///< svg, png, pdf; empty: svg and png, for a paper's column pdf too
  std::string font;                  ///< empty: the usual one
  bool column = false;               ///< for a paper's column
};

/// gnuplot::write_and_draw; throws Error::interrupted once a stop is requested, with the charts as they were.
void draw_charts(std::vector<charts::Chart> charts, const std::string& folder,
                 const PictureArguments& arguments, std::FILE* tell);

}  // namespace gable::cli
