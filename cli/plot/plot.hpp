#pragma once

// gable plot DIR: the charts of a recorded machine.

#include <string>
#include <vector>

namespace gable::cli {

struct PlotArguments {
  std::string folder;
  int cluster = -1;         ///< draw the charts of this cluster alone; -1: of all, and those of the machine
  std::string op = "load";  ///< operation of the bandwidth roofs
  std::vector<std::string> formats = {"svg", "png"};
};

/// Writes tables, scripts and pictures into DIR/charts. Throws UsageError, FormatError.
void plot(const PlotArguments& arguments);

}  // namespace gable::cli
