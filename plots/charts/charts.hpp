#pragma once

// The charts of a recorded machine. To add one, write a function that makes its Chart and call it in
// charts_of.

#include <optional>
#include <string>
#include <vector>

#include "model/predict/forecast.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// Locality-Aware Roofline Model of a cluster (LARM paper, figures 4 and 9 to 13).
Chart larm_chart(const Recorded& recorded, int cluster);
/// The functions of programs under the same roofs, as rings by their part of the time.
Chart functions_chart(const Recorded& recorded, int cluster);
/// Programs without flops by accesses per second, under bandwidths and rates of random loads.
Chart accesses_chart(const Recorded& recorded, int cluster);
/// The bytes of each object that pass between the memory and the caches, for each program a panel of bars.
Chart objects_chart(const Recorded& recorded, int cluster);
/// Bandwidth and latency over the working set.
Chart ladder_chart(const Recorded& recorded, int cluster);
/// Idle latency of every level and node.
Chart latency_chart(const Recorded& recorded, int cluster);
/// Latency over the load on the same memory.
Chart loaded_latency_chart(const Recorded& recorded, int cluster);
/// Cluster by node.
Chart bandwidth_matrix(const Recorded& recorded);
Chart latency_matrix(const Recorded& recorded);
/// Core by core, or by groups of cores that share a cache on a large machine: what a line costs that moves
/// from the core of the row to that of the column.
Chart c2c_chart(const Recorded& recorded, model::C2cMeasure measure);
/// Those of hand-offs and of modified lines; none without figures.
std::vector<Chart> c2c_charts(const Recorded& recorded);

/// The measured grid of a pair of memories compared with the models, a panel for each ratio of loads to
/// stores; from published parameters alone if there is no grid (LARM paper, figure 16).
Chart hybrid_chart(const Recorded& recorded, const model::HybridPair& pair);
/// ddot, scale and triad over the placements of the grid, compared with it and the models (figure 17).
Chart hybrid_applications_chart(const Recorded& recorded, const model::HybridPair& pair);
/// Points on the fitted model, over the share of the fast memory and over the share of loads.
Chart hybrid_programs_chart(const Recorded& recorded, const model::HybridPair& pair);

/// Bandwidth over the size of written blocks, for one way to store: a panel for each tier and order, a line
/// for each number of threads.
Chart writes_chart(const Recorded& recorded, int cluster, const std::string& way);
/// The benchmarks of tiers over the number of threads: a panel for each, a line for each tier.
Chart tier_threads_chart(const Recorded& recorded, int cluster);

/// The placements of workloads on graphs, if there are any (PMEM graph thesis, figures 3.1 to 3.12).
std::vector<Chart> place_charts(const Recorded& recorded, int cluster);

/// The charts of a cluster's tiers: writes by each measured way, and bandwidth by threads.
std::vector<Chart> tier_charts(const Recorded& recorded, int cluster);

/// All charts, or those of one cluster (cluster >= 0). `has_roofs`: whether roofs.json exists; its empty
/// charts are then reported as omitted.
std::vector<Chart> charts_of(const Recorded& recorded, int cluster, bool has_roofs);

/// The clusters in any of the records, ascending.
std::vector<int> clusters_of(const Recorded& recorded);

/// The rooflines of the same cluster of several machines, one over the other: the peaks of FMA and the
/// bandwidths of the cluster's own caches and memories, with a colour and a dash for each machine. One label
/// names a roof and its value on every machine, in the order of the legend. Own memories of one tier are
/// matched by their order. Named "compare-larm-CLUSTER"; omitted if fewer than two machines have a bandwidth
/// of the cluster.
Chart overlay_chart(const std::vector<Recorded>& machines, int cluster);

/// A time on a machine. The forecast must outlive this.
struct PredictedTime {
  std::string machine;
  const model::Forecast* forecast = nullptr;
};

/// A time that was measured.
struct MeasuredTime {
  std::string machine;
  double seconds = 0;
};

/// A lying bar for each machine with its 95 % interval, divided by what binds there; machines without a time
/// have their reason. A line marks the time that was measured `here`.
Chart predicted_times_chart(const std::string& program, const std::vector<PredictedTime>& times,
                            const std::optional<MeasuredTime>& here);

}  // namespace gable::charts
