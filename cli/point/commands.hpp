#pragma once

// gable point add, import and list.

#include <optional>
#include <string>
#include <vector>

#include "cli/point/point.hpp"

namespace gable::cli {

/// gable point add: a point from the user's own figures.
struct PointAddArguments {
  PointArguments point;
  double flops = 0, load_bytes = 0, store_bytes = 0;
  double seconds = 0;
  double seconds_lo = 0, seconds_hi = 0;  ///< 95 % interval; 0: not known
  std::string policy;                     ///< memory policy it ran under; empty: not known
  bool busy = false;                      ///< the other clusters ran the same
};

/// Throws Error::usage, Error::format.
void add_point(const PointAddArguments& arguments);

/// gable point import: points from what other tools measured.
struct PointImportArguments {
  PointArguments point;
  std::string file;
  std::string format = "auto";                    ///< "auto", "likwid", "perf", "advisor" or "cachegrind"
  std::string region;                             ///< only this region, loop or function; empty: all
  double seconds = 0;                             ///< wall clock instead of the file's; 0: the file's
  double access_bytes = 0;                        ///< width of every load and store; 0: not known
  std::optional<double> load_bytes, store_bytes;  ///< instead of the file's; both or none
};

/// Records a point for each region of the file. Throws Error::usage, Error::format.
void import_points(const PointImportArguments& arguments);

/// gable point list: each point with the roof that binds it.
struct PointListArguments {
  std::string folder;
  std::vector<std::string> names;  ///< only points whose names contain one of these; empty: all
  bool table = false;              ///< a line for each point
  bool json = false;               ///< print points.json, read anew under the roofs
  bool functions = false;          ///< what each function did, where that was counted
  bool objects = false;            ///< what was moved of each object, where that is known
};

/// The points, the last recorded first; as JSON in the order of the file. Throws Error::usage, Error::format.
void list_points(const PointListArguments& arguments);

}  // namespace gable::cli
