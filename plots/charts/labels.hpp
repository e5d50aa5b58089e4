#pragma once

// Places labels beside the lines they name, so that no two collide. Positions are in any one linear unit: for
// a logarithmic axis, logarithms.

#include <cstddef>
#include <string>
#include <vector>

namespace gable::charts {

/// Positions as near as possible (least squares) to `wanted`, at least `gap` apart, all inside [lo, hi], in
/// the order of `wanted`. Equal wishes keep their order of appearance. Throws std::invalid_argument where
/// they do not fit.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double lo, double hi);

/// What `group` decides by: only values with the same key share a label.
struct Labelled {
  std::string key;
  double value = 0;  ///< positive
};

/// Indices into `values`, largest value first, of those that share one label: same key, and no more than
/// `tolerance` (relative) below the first of the group. Groups stand in the order of their first values,
/// descending.
std::vector<std::vector<std::size_t>> group(const std::vector<Labelled>& values, double tolerance);

/// `group` with the least tolerance from 2 % up that leaves at most `most` groups; at the end one group a
/// key.
std::vector<std::vector<std::size_t>> group_at_most(const std::vector<Labelled>& values, std::size_t most);

}  // namespace gable::charts
