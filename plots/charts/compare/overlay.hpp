#pragma once

// The rooflines of the same cluster of several machines, one over the other.

#include <vector>

#include "plots/charts/chart.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// The peaks of FMA and the bandwidths of the cluster's own caches and memories, with a colour and a dash for
/// each machine. One label names a roof and its value on every machine, in the order of the legend. Own
/// memories of one tier are matched by their order. Named "compare-larm-CLUSTER"; omitted if fewer than two
/// machines have a bandwidth of the cluster.
Chart overlay_chart(const std::vector<Recorded>& machines, int cluster);

}  // namespace gable::charts
