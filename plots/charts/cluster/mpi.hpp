#pragma once

// Charts of what gable-mpi measured.

#include <string>
#include <vector>

#include "model/cluster/mpi.hpp"
#include "plots/charts/chart.hpp"

namespace gable::charts {

/// Latency and bandwidth over the size of messages, collectives and HPCCG over the number of processes; those
/// of which there are figures.
std::vector<Chart> mpi_charts(const std::string& cluster, const model::MpiRecords& records);

}  // namespace gable::charts
