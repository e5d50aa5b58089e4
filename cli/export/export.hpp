#pragma once

// gable export: the roofs for other programs.

#include <string>

namespace gable::cli {

/// One of csv, hwloc, c2c and openmetrics.
struct ExportArguments {
  std::string folder;
  bool csv = false;          ///< every roof and every step of the ladder as a line
  bool hwloc = false;        ///< hwloc XML with bandwidth and latency as memory attributes
  bool c2c = false;          ///< a matrix of the hand-offs between cores
  bool openmetrics = false;  ///< OpenMetrics text of roofs, latencies and figures between cores
  std::string output;        ///< file; empty: standard output
};

/// Throws Error::usage, Error::format.
void export_roofs(const ExportArguments& arguments);

}  // namespace gable::cli
