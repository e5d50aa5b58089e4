#pragma once

// The labels of the roofs on the Locality-Aware Roofline chart, and their positions: bandwidths left of their
// roofs or, in a paper's column, in the legend; peaks above their right ends.

#include <cstddef>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/larm/frame.hpp"

namespace gable::charts {

inline constexpr double leader_room = 26;  ///< between a label and the beginning of its roof, in points

/// "DRAM node 0, local", "L1", "FMA DP".
std::string roof_name(const model::Roof& roof);

struct LarmLabel {
  std::string text;
  std::vector<std::size_t> roofs;  ///< indices of the roofs that it names
  bool has_plus_minus = false;     ///< of the interval of its only roof
  std::size_t machine = 0;         ///< index, where labels of several machines are placed together
  double y = 0;  ///< base-2 logarithm: of GB/s or GFlop/s until it is placed, then of the axis
};

/// The labels of the ok peaks (`flops`) or of the ok bandwidths, the largest first: "DRAM 0, local 34.1 ±0.3
/// %"; `brief`: shorter and without the interval. Roofs of one kind that are nearly equal share a label, so
/// that there are at most `most` where that is possible; so do all peaks that are nearly equal.
std::vector<LarmLabel> labels_of(const std::vector<model::Roof>& roofs, bool flops, std::size_t most,
                                 bool brief);

/// The width of the widest, in points; 0 without labels.
double widest_label(const std::vector<LarmLabel>& labels);
/// The width of the column left of the roofs that has these labels, with a gap to the axis.
double label_column(const std::vector<LarmLabel>& labels);

/// Moves the label of every bandwidth to the left end of its roof and away from the others, inside the axis.
void place_beside_roofs(std::vector<LarmLabel>& labels, const LarmFrame& frame);

/// Moves the label of every peak above it, above the labels of lower peaks, and off the lines of the others.
void place_above_peaks(std::vector<LarmLabel>& labels, const LarmFrame& frame);

/// A machine of the chart with its labels.
struct LabelledRoofs {
  DrawnRoofs drawn;
  std::vector<Line> lines;  ///< of its roofs
  std::vector<LarmLabel> bandwidths, peaks;
};

/// The labels of a machine, before they are placed; `brief`: without intervals (labels_of).
LabelledRoofs labelled(DrawnRoofs drawn, bool brief);

/// Places the labels of all machines in the frame, and adds them to the chart; in a paper's column those of
/// the bandwidths, and of peaks that have no room above their lines, become its legend.
void add_labels(Chart& chart, Panel& panel, std::vector<LabelledRoofs>& machines, const LarmFrame& frame);

}  // namespace gable::charts
