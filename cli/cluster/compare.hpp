#pragma once

// gable cluster compare DIR EARLIER: how every roof changed since an earlier recording of the same nodes.

#include <optional>
#include <string>
#include "cli/draw.hpp"

namespace gable::cli {

struct ClusterCompareArguments {
  std::string folder, earlier;
  std::optional<double> fail_above;  ///< percent
  bool json = false;
  bool all = false;    ///< every roof, not only those that changed
  std::string output;  ///< folder of the charts; empty: none
  PictureArguments pictures;
};

/// Prints tables or JSON. Throws Error::usage, Error::format; std::runtime_error after everything is printed,
/// if with `fail_above` a roof of a group or a node became significantly worse by more, or a node lost its
/// figures.
void cluster_compare(const ClusterCompareArguments& arguments);

}  // namespace gable::cli
