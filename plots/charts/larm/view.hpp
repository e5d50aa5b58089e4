#pragma once

// What a roofline chart shows under the roofs of a cluster: points, functions, or accesses.

#include <string>
#include <vector>

#include "plots/charts/chart.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

struct RooflineView {
  std::string name, subject;  ///< of the chart
  std::string note;           ///< what it adds to the note
  Quantity quantity = flops_quantity;
  bool with_validation = false;
  ClusterPoints points = {};
  std::vector<std::string> columns = {};  ///< of the table, in addition
};

/// The chart. Accesses are drawn without peaks, and with the rates of random loads as bandwidths.
Chart roofline(const Recorded& recorded, int cluster, RooflineView view);

}  // namespace gable::charts
