#pragma once

// gable point list: each point with the roof that binds it.

#include <string>
#include <vector>

namespace gable::cli {

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
