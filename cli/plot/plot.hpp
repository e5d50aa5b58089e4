#pragma once

// gable plot DIR: the charts of a recorded machine.

#include <string>
#include <vector>

#include "cli/output_file.hpp"

namespace gable::cli {

struct PlotArguments {
  std::string folder;
  int cluster = -1;         ///< draw the charts of this cluster alone; -1: of all, and those of the machine
  std::string op = "load";  ///< operation of the bandwidth roofs
  PictureArguments pictures = {};
  std::string output = {};               ///< folder of the charts; empty: DIR/charts
  std::vector<std::string> hidden = {};  ///< parts of the names of roofs and series that are left out
  bool functions = false;                ///< also charts of the functions of points
  std::string overlay = {};              ///< recorded machine whose roofs are drawn over these; empty: none
};

/// Writes tables and pictures into DIR/charts or `output`. Throws Error::usage, Error::format.
void plot(const PlotArguments& arguments);

}  // namespace gable::cli
