#pragma once

// gable fit: samples.jsonl -> roofs.json and hybrid.json; or the hybrid model of a grid that another tool
// measured.

#include <string>

namespace gable::cli {

struct FitArguments {
  std::string folder;  ///< of a recorded machine; empty with a grid
  std::string grid;    ///< CSV file; empty with a folder
  bool json = false;   ///< print JSON instead of tables
  bool quiet = false;  ///< write the files and print nothing
};

/// Writes roofs.json and hybrid.json of the folder, or fits the grid, and prints the result. If it cannot
/// write, it still prints, with an error. Throws Error::usage, Error::format, std::runtime_error.
void fit(const FitArguments& arguments);

}  // namespace gable::cli
