#pragma once

// Places labels beside their lines without overlaps. Positions are in any linear unit; for a logarithmic
// axis, logarithms.

#include <cstddef>
#include <string>
#include <vector>

namespace gable::charts {

/// Positions as near as possible (least squares) to `wanted`, at least `gap` apart, all inside [lo, hi], in
/// the order of `wanted`. Equal positions keep their order. Throws std::invalid_argument if they do not fit.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double lo, double hi);

/// The input of `group`: only values with the same key share a label.
struct Labelled {
  std::string key;
  double value = 0;  ///< positive
};

/// Indices into `values`, largest value first, of the values that share one label: same key, and at most
/// `tolerance` (relative) below the first of the group. Groups are sorted by their first values, descending.
std::vector<std::vector<std::size_t>> group(const std::vector<Labelled>& values, double tolerance);

/// `group` with the smallest tolerance, from 2 % upward, that leaves at most `most` groups; in the extreme
/// one group per key.
std::vector<std::vector<std::size_t>> group_at_most(const std::vector<Labelled>& values, std::size_t most);

}  // namespace gable::charts
