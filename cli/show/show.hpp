#pragma once

// gable show DIR: what a recorded folder says, writing nothing.

#include <string>

namespace gable::cli {

struct ShowArguments {
  std::string folder;
  bool all = false;   ///< every table
  bool json = false;  ///< print JSON instead of tables
};

/// Prints the matrices of the memories and a summary of the roofs, or everything. Throws Error::usage,
/// Error::format.
void show(const ShowArguments& arguments);

}  // namespace gable::cli
