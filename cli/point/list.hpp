#pragma once

// gable point list: each point with the roof that binds it.

#include <string>

namespace gable::cli {

struct PointListArguments {
  std::string folder;
  bool json = false;       ///< print points.json, read anew under the roofs
  bool functions = false;  ///< what each function did, where that was counted
};

/// Throws Error::usage, Error::format.
void list_points(const PointListArguments& arguments);

}  // namespace gable::cli
