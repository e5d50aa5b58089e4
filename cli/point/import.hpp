#pragma once

// gable point import: points from what other tools measured.

#include <optional>
#include <string>

#include "cli/point/point.hpp"

namespace gable::cli {

struct PointImportArguments {
  PointArguments point;
  std::string file;
  std::string format = "auto";                    ///< "auto", "likwid", "perf" or "advisor"
  std::string region;                             ///< only this region, loop or function; empty: all
  double seconds = 0;                             ///< wall clock instead of the file's; 0: the file's
  double access_bytes = 0;                        ///< width of every load and store; 0: not known
  std::optional<double> load_bytes, store_bytes;  ///< instead of the file's; both or none
};

/// Records a point for each region of the file. Throws Error::usage, Error::format.
void import_points(const PointImportArguments& arguments);

}  // namespace gable::cli
