#pragma once

// gable compare A B...: recorded folders beside the first one.

#include <optional>
#include <string>
#include <vector>

#include "cli/output_file.hpp"

namespace gable::cli {

struct CompareArguments {
  std::vector<std::string> folders;  ///< two or more
  std::vector<std::string> names;    ///< labels of the folders; none: the folders' own names
  std::optional<double> fail_above;  ///< percent: a larger significant change for the worse is an error
  bool all = false;                  ///< every figure, not only the significant differences
  bool json = false;
  std::string op = "load";  ///< operation of the bandwidths on the charts
  std::string output;       ///< folder of the charts; empty: none
  std::string html;         ///< file of the page; empty: none
  PictureArguments pictures;
};

/// Prints tables or JSON, draws the charts and writes the page. Throws Error::usage, Error::format;
/// std::runtime_error after everything is printed if a figure fails, or if `fail_above` is given and nothing
/// can be judged.
void compare_folders(const CompareArguments& arguments);

}  // namespace gable::cli
