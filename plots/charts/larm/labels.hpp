#pragma once

// The labels of the roofs on the Locality-Aware Roofline chart, and their positions.

#include <cstddef>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/roofs/validation.hpp"
#include "plots/charts/larm/frame.hpp"

namespace gable::charts {

inline constexpr double leader_room = 44;  ///< between a label and the end of its roof, in points

/// "DRAM node 0, local", "L1", "FMA DP".
std::string roof_name(const model::Roof& roof);

struct LarmLabel {
  std::string text;
  std::vector<std::size_t> roofs;  ///< indices of the roofs that it names
  double y = 0;  ///< base-2 logarithm: of GB/s or GFlop/s until it is placed, then of the axis
};

/// Of the ok peaks (`flops`) or of the ok bandwidths, with the errors of their validation; roofs of one kind
/// that are nearly equal share a label, so that there are at most `most` where that is possible.
std::vector<LarmLabel> labels_of(const std::vector<model::Roof>& roofs, bool flops, std::size_t most,
                                 const std::vector<model::Validation>& validations);

/// Width of their column, in points.
double label_column(const std::vector<LarmLabel>& labels);

/// Moves every label by `shift` (base-2 logarithm) and apart from the others, inside the axis.
void place_labels(std::vector<LarmLabel>& labels, const LarmFrame& frame, double shift);

}  // namespace gable::charts
