#pragma once

// The roofs' labels on the Locality-Aware Roofline chart: texts, and the lines that lead from them to the
// roofs.

#include <vector>

#include "plots/charts/chart.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/larm/labels.hpp"

namespace gable::charts {

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
