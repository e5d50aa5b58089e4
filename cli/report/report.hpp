#pragma once

// gable report DIR: all that a folder has, as one HTML file to read and to send.

#include <string>
#include <vector>

namespace gable::cli {

struct ReportArguments {
  std::string folder;
  std::string output;  ///< file; empty: DIR/report.html
  std::vector<std::string>
      machines;  ///< on which the points' times are predicted: folders or published names
};

/// Writes the file, as a whole or not at all, and prints its name. Throws Error::usage, Error::format.
void report(const ReportArguments& arguments);

}  // namespace gable::cli
