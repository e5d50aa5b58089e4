#pragma once

// gable point add: a point from the user's own figures.

#include <string>

#include "cli/point/point.hpp"

namespace gable::cli {

struct PointAddArguments {
  PointArguments point;
  double flops = 0, load_bytes = 0, store_bytes = 0;
  double seconds = 0;
  double seconds_lo = 0, seconds_hi = 0;  ///< 95 % interval; 0: not known
  std::string policy;                     ///< memory policy it ran under; empty: not known
  bool busy = false;                      ///< the other clusters ran the same
};

/// Throws Error::usage, Error::usage, Error::format.
void add_point(const PointAddArguments& arguments);

}  // namespace gable::cli
