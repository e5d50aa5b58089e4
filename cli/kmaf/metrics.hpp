#pragma once

// gable kmaf metrics: equations 1 to 4 of the kMAF paper for a trace.

#include <string>
#include <vector>

#include "cli/draw.hpp"

namespace gable::cli {

struct KmafMetricsArguments {
  std::string trace;
  std::string plot;  ///< folder for the pictures; empty: none
  PictureArguments pictures;
  std::vector<int> thread_nodes;  ///< node of each thread in order of first appearance; empty: not known
  bool json = false;              ///< print JSON
};

/// Throws Error::usage, Error::interrupted.
void show_metrics(const KmafMetricsArguments& arguments);

}  // namespace gable::cli
